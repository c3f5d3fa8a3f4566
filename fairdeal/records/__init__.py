"""A game's records: canonical JSON, lines, the chain, signed notes.

Pure; the one place in the core that may sign and check signatures.
"""
