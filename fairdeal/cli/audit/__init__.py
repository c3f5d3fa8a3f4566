"""``fairdeal audit``: every transcript under a folder, verified on all cores.

Verdicts are those of the verifier's own functions, file by file; only the checks across games and
the re-derivation of ``--fast`` are done here. docs/audit.md says what is looked at and what is not.
"""
