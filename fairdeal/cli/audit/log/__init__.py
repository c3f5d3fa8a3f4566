"""The audit of a public log: a mirror of it, held to everything that its leaves promise.

- `mirror` reads the files; `trust` says whose signatures count; `findings` is the result.
- `auditing.audit_log` runs the passes of docs/decisions/0011: `signing` and `remembering` look at
  checkpoints, `scanning` at tiles, `leaffacts` and `folding` at leaves, `transcripts` at games.
"""
