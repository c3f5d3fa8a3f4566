"""One module a step; never edited once released, only added to."""
