"""What changes events, tasks and their people: `events`, `tables`, `states`."""
