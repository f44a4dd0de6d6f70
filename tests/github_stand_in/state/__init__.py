"""What the stand-in remembers: records, the store that holds them, the clock."""
