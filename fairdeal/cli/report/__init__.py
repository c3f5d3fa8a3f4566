"""One printable page of what an audit found: ``fairdeal report`` (docs/report.md).

- `subject` is what is reported on; `folder` and `mirrored` make it, from transcripts or a log.
- `tallies` counts deals in bounded memory; `panels` are the heat map and its two neighbours.
- `chosen` is the one game that is pictured; `cards`, `lanes`, `ladder`, `frames` picture it.
- `page` puts it all together; the same input gives the same bytes.
"""
