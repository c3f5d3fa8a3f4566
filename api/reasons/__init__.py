"""What each code means, by what it is about, and there by status; `api.codes` puts it together.

A new code goes where it belongs, alphabetically, and into the table of tests/api/test_codes.py.
"""
