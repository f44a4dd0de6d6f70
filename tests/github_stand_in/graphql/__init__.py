"""The small part of the GraphQL API that the portal uses."""
