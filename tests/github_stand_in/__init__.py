"""A stand-in for GitHub: a real HTTP server with state, REST, GraphQL, signed webhooks and plain pages.

    python -m tests.github_stand_in --port 4000 --webhook-url http://127.0.0.1:8000/github/webhook \\
        --webhook-secret-env GITHUB_WEBHOOK_SECRET

prints `stand-in ready http://127.0.0.1:4000` and serves there: the API (also under /api/v3), a web site, and
/_drive, through which `driver.Driver` moves things. Tests start it with `process.running()`.
It needs the run-time packages only, and no Django settings.
"""
