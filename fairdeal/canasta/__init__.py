"""The canasta engine: pure, and handed an order of cards.

What may not come in here: entropy, clocks, disks, networks, records and commitments. The
rules are those of docs/rules.md; R-numbers in comments and docstrings point there. Nothing
here knows which copy of a card it sees: cards are faces, and copies live in the records.

The way in: ``start`` a hand from a deal, ask ``legal_acts``, ``check`` an act, ``apply`` it,
and take the ``sheet`` of a hand that is over. ``match`` adds hands up to a game. ``explain`` says
why not, in the words of ``sentences``; ``notation`` writes a position as one line.
"""
