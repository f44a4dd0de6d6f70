"""Where GitHub's events and our effects are wired, as `urls.py` wires addresses. Found by name through settings.

Every entry is checked at start (`portal.checks`): a name that does not resolve is reported.
"""

# A handler takes `(payload: dict, *, received_at: datetime, now: datetime)` and runs inside the delivery's transaction.
# It never calls GitHub; what needs GitHub goes to the outbox. Events without a handler are stored and marked processed.
EVENTS = {
    "issue_comment": "claims.github_events.on_issue_comment",
    "issues": "claims.github_events.on_issues",
    "pull_request": "claims.github_events.on_pull_request",
    "repository": "claims.github_events.on_repository",
    "pull_request_review": "claims.github_events.on_pull_request_review",
}

# An effect is a class (made without arguments) or an object that follows `portal.outbox.Effect`.
EFFECTS = {
    "reply_to_comment": "claims.github_effects.ReplyToComment",
    "react_to_comment": "claims.github_reactions.ReactToComment",
    "show_the_way": "claims.github_wayfinding.ShowTheWay",
    "write_table": "claims.github_effects.WriteTable",
    "relink_titles": "claims.github_effects.RelinkTitles",
    "read_commits": "claims.github_commits.ReadCommits",
    "read_named_pull_requests": "claims.github_effects.ReadNamedPullRequests",
    "read_pull_request": "claims.github_effects.ReadPullRequest",
    "meet_members": "claims.github_members.MeetMembers",
}

# What only reads, or asks nothing of GitHub: a hold on all writes leaves it alone.
READING = ("relink_titles", "read_pull_request", "read_named_pull_requests", "read_commits", "meet_members")
