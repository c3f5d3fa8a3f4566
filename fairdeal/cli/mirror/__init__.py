"""A log's files in a folder of one's own: fetched, resumed, verified before they are kept.

- `fetching` does it: `asking` for files below a `prefix`, `answers` says what an answer means,
  `treefetch` holds tiles to their root, `bundlefetch` transcripts to their index; `progress` tells.
- `folder` is the mirror on the disk, `mirrored` finds a record's leaf in it, `findings` is what was
  wrong with it; `otherview` looks at a second address; `options` are those of every command.
"""
