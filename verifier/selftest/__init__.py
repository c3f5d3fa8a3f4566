"""``selftest``: the verifier against published values and planted faults that it carries along.

``vectors.json`` is a copy made by ``scripts/make_selftest.py``. What passes here shows that this
copy runs as it was published, on this Python; it shows nothing about any game.
"""
