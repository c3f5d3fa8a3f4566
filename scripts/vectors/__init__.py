"""Games written as test vectors: the dealer's own code plays, then lies on purpose.

``sitting`` deals and records a game from fixed texts, ``styles`` plays it, ``honest`` lists the
games. ``script`` takes a transcript apart and writes numbers, links and receipts anew;
``lies_*`` list what a lying server changes. ``folder`` writes it all to disk. Everything follows
from fixed texts: no entropy, no clock, nothing of the machine.
"""
