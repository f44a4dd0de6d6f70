"""How an event comes to be: where its text comes from, what it is read as, and what that would make of it."""
