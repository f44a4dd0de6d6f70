"""Reading what an event’s organizers look at: texts, tasks, people, teams, and what would be written."""
