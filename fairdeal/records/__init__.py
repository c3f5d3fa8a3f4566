"""What a game leaves behind: canonical lines, their chain, signed notes, the table code (§2.10).

Pure and ignorant of cards: no clock, disk, entropy or framework may come in here. One record is
one line of canonical JSON with its LF; its hash is the next record's `prev`:

    >>> from fairdeal.records.chain import make
    >>> record = make(None, "vector-game-1", 0, "abort", {"hand": 1, "reason": "rain"})
    >>> record.line[:49]
    b'{"body":{"hand":1,"reason":"rain"},"game":"vector'
"""
