"""Tells where every card of a hand went: ``where`` one card, ``show`` all of them.

``follow`` walks the cards through the records, ``words`` and ``picture`` say it as text and as
SVG, ``commands`` reads the arguments. Nothing is judged here: the hand was derived and checked
by the replay before.
"""
