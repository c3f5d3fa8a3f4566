"""Players that are programs.

A bot is handed what its seat may see and answers with an act; no secret reaches it.
"""
