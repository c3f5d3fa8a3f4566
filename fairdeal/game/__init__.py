"""A whole game: the fold over its records and what may be recorded next.

Pure; the only place where canasta, fairness and records meet.
"""
