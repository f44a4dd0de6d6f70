"""What people do on GitHub: each verb changes the state and tells the webhooks."""
