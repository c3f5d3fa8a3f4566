"""The public log: an RFC 6962 tree in tiles, checkpoints, witnesses' signatures, proofs (C2SP).

Pure: bytes in, bytes out. Where the leaves are kept is the store's, when they are signed and
published the service's business. docs/log.md says what is published, and in which order.

- `merkle` hashes and checks proofs; `growth` appends and yields tiles; `tiles` names and cuts them;
  `proving` makes proofs of tiles.
- `checkpoint` is what the log signs; `cosignature` what a witness adds; `witnessing` what the two
  say to each other; `policy` whom an auditor trusts.
- `prooffile` is what a player keeps; `leaves` is what may be in the log; `bundlefile` has the
  transcripts of a day's games.
"""
