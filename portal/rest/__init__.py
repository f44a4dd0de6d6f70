"""What the interfaces of the API share: numbers and times, pages of results, refusals, and how the schema tells of them."""
