"""HTTP: messages, routes and the server."""
