"""``fairdeal bots``: how strong the bots are, measured, and whether they played for themselves."""
