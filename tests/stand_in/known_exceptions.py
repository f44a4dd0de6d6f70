"""The places where GitHub's own published examples break GitHub's own published schemas, all of them reviewed.

`test_examples.py` runs every example of what we speak against its schema, and what it finds must be this list: a place
that is missing here fails, and so does one that GitHub has repaired. Read on 2026-11-30, @octokit/openapi 23.0.2,
@octokit/webhooks-schemas and @octokit/webhooks-examples 7.6.1. Every exception is a property that the schema requires
and the example lacks. None of them is excused in the stand-in, which writes all of these.
"""

# Example: place in it: the properties that are missing there.
Exceptions = dict[str, dict[str, str]]

# The first example of these events is older than the properties it lacks; the later examples of each event have them.
_YOUNGER_THAN_THE_EXAMPLE = "custom_properties is_template topics visibility web_commit_signoff_required"

WEBHOOKS: Exceptions = {
    "issue_comment.created 1": {
        "comment": "performed_via_github_app reactions",
        "issue": "active_lock_reason reactions",
        "issue/labels/0": "description",
        "repository": _YOUNGER_THAN_THE_EXAMPLE,
    },
    "issues.edited 1": {
        "issue": "active_lock_reason reactions",
        "issue/labels/0": "description",
        "repository": _YOUNGER_THAN_THE_EXAMPLE,
    },
    "ping 1": {
        "hook": "deliveries_url",
        "repository": _YOUNGER_THAN_THE_EXAMPLE,
    },
    "pull_request.opened 1": {
        "pull_request": "active_lock_reason auto_merge",
        "pull_request/base/repo": _YOUNGER_THAN_THE_EXAMPLE,
        "pull_request/head/repo": _YOUNGER_THAN_THE_EXAMPLE,
        "repository": _YOUNGER_THAN_THE_EXAMPLE,
    },
    "pull_request_review.submitted 1": {
        "pull_request": "active_lock_reason auto_merge draft",
        "pull_request/base/repo": _YOUNGER_THAN_THE_EXAMPLE,
        "pull_request/head/repo": _YOUNGER_THAN_THE_EXAMPLE,
        "repository": _YOUNGER_THAN_THE_EXAMPLE,
    },
}

REST: Exceptions = {
    # `language` is required and nullable; the example leaves it out.
    "GET /repos/{owner}/{repo} 200 default-response": {"": "language", "source": "language"},
    # The example's team has no `type`. The stand-in requests no reviews from teams.
    "GET /repos/{owner}/{repo}/pulls 200 default": {"0/requested_teams/0": "type"},
    "GET /repos/{owner}/{repo}/pulls/{pull_number} 200 default": {"requested_teams/0": "type"},
}
