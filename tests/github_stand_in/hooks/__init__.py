"""Webhooks: payloads, signatures and the queue that delivers them in order."""
