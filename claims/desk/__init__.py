"""Reading what waits for a mentor: the queue, its rows, one item in full, and the words for it."""
