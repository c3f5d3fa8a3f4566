"""Provably fair canasta: deals, referees, records.

What is where, and who may import whom: docs/decisions/0005 and the contracts in pyproject.toml.
"""
