"""What the existing bots were told about an event, read into values of ours. Pure: no Django, no network."""
