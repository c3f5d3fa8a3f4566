"""Checks a game's transcript from docs/protocol.md and docs/rules.md alone.

Imports the standard library and itself, so that a copy of this folder runs anywhere.
"""
