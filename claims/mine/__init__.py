"""Reading what concerns one person: their claims and next steps, what they are told, what does not count and why."""
