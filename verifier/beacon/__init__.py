"""The public beacon: chains that are known, rounds by time, and their signatures (§2.6).

``chains`` needs nothing. ``pairing`` is the one module of this package that looks for a library,
the extra ``beacon``; without it a signature is not checked, and the report says so.
"""
