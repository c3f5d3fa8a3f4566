"""Looks at a log again and again, and tells somebody what it finds: ``fairdeal monitor``.

- `command` reads the options; `looking` is one look, `watching` one after another.
- `events` sorts findings; `hook` runs the command that is told; `memory` is kept between looks.
"""
