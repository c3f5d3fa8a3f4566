"""Where records and secrets are kept: ports and SQLite.

Knows bytes and numbers, no rule; secrets lie apart from records, encrypted.
"""
