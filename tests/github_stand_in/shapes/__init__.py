"""GitHub JSON for the records, as the REST API and the webhooks write it."""
