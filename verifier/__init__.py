"""Checks a game's transcript from docs/protocol.md and docs/rules.md alone.

Imports the standard library and itself, so that a copy of this folder runs anywhere:
``python -S -E -m verifier FILE``. One module, ``beacon.pairing``, tries a library and does without
it. The stages of §3.2:

1. ``reading`` with ``strictjson``, ``schema`` and ``schema_open``: bytes to records
2. ``chain``: numbers, links and times
3. ``evidence`` with ``notes`` and ``ed25519``: what the user holds against the file;
   ``logged`` with ``checkpoints``, ``loglines`` and ``merkle``: the public log
4. ``replay``: seeds, deals, play and secrets, record by record
5. ``verdict`` and ``level``: completeness, level, attribution

``verify`` runs them in order, ``report`` prints what they found, ``cli`` with ``options`` is the
command line, ``story`` tells where cards went, ``selftest`` tests a copy.
"""

from typing import Final

VERSION: Final = "0.1.0"
