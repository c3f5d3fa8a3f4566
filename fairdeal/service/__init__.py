"""The shell: one short method a use case, load, decide, append.

Entropy and the clock come in here, as arguments.
"""
