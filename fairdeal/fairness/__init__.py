"""How cards come to be dealt: commitments, player lines, mix, words, shuffle, deal (protocol §2).

Pure and ignorant of canasta: no clock, disk, entropy, framework or rule of a game may come in
here. Whatever these functions return is a function of their arguments alone, so a stranger can
compute it again:

    >>> from fairdeal.fairness.framing import tup
    >>> tup("pfd1/x", b"a", b"bc").hex()
    '00000006706664312f78000000020000000161000000026263'
"""
