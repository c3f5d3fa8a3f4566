"""The rules of canasta, docs/rules.md, as frozen data and pure functions.

Handed its cards in order: no entropy, clock, disk or network comes in here.
"""
