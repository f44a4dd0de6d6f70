"""House rules that no other tool checks: `python -m tests.house` prints each breach and fails."""
