"""The public log of a running service: placing leaves, signing, publishing, serving (0011)."""
