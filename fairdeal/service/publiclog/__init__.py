"""The public log of a running service: placing leaves, signing, publishing, serving (0011).

- Who signs: `running` (a process in its folder) has `sequencer` take turns, begun by `recovering`;
  `treefiles` and `publishing` write what is public; `logkey` has the key and announces keys;
  `bundles` adds the transcripts of games that are over.
- Who cosigns: `witnesses`, one of them `witnessmember`, asked over `witnesshttp`, their sizes kept
  in `witnesssizes`; `stopmark` says that nothing may be signed any more. `ports` is what the
  sequencer asks of them and of the bundles.
- Who reads it: `serving`, and `watching`, which keeps the order of what has to be public first.
"""
