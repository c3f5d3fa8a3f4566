"""The HTTP interface, thin: parse, call one service method, shape the answer.

Uses fairdeal.service and fairdeal.errors, nothing else of ours. What is where:

- Routes are in `views`, what they read and answer in `shapes` (of fields in `strict` and `words`),
  declared with `blueprint` and written by `dumping`; the codes of refusals in `reasons`, put
  together by `codes`.
- Around every route: `auth` (who calls), `cors`, `hygiene` (names, headers, the log), `sandbox`,
  `problems` (every refusal's body), `once` (sent twice), `pages` (for people). In front of all:
  `logsite`, the files of the public log.
- The description: `openapi`, with `refusals` of each route and `examples`; `reference` makes a page
  of it.
- Followed and waited for: `framing`, `turnstile` and `waiting` (for a place), `wire` (the socket).
- The process: `wsgi` opens what `config` names, `app` puts it together, `patience` is the server's
  worker, `logs` says how it logs, `unread` answers what is no HTTP. That of streams:
  `streams`, `asgi`, and `loop`, its worker.
"""
