"""The gateway over PyGithub: REST, and GraphQL where REST has nothing. The only module that knows PyGithub.

PyGithub gives us authentication, spacing of requests and connections; its objects are not used, since their
attributes may cost a request each. Its retries are off: a worker must not sleep, the message is tried again later.
Limits: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""

import json
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlsplit

import requests
from github import Auth, Github

from portal.common import clock, texts, transactions
from portal.github import payloads, types
from portal.github.errors import GitHubRefused, GitHubUnavailable
from portal.github.payloads import JSON, PayloadInvalid

logger = logging.getLogger(__name__)

PER_PAGE = 100
USER_AGENT = "regatta"
REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
LOGIN = re.compile(r"[A-Za-z0-9_-]{1,100}(\[bot\])?")

# https://docs.github.com/en/graphql/reference/objects#usercontentedit
BODY_EDITS = """
query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    issue(number: $number) {
      userContentEdits(first: 100, after: $after) {
        nodes { diff editedAt editor { __typename login ... on User { databaseId } ... on Bot { databaseId } } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""

# https://docs.github.com/en/graphql/reference/objects#issuecomment
COMMENT_EDITS = """
query ($id: ID!, $after: String) {
  node(id: $id) {
    __typename
    ... on IssueComment {
      userContentEdits(first: 100, after: $after) {
        nodes { diff editedAt editor { __typename login ... on User { databaseId } ... on Bot { databaseId } } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""


class PyGithubGateway:
    """Talks to GitHub with one token. See `portal.github.gateway.Gateway` for what the verbs mean."""

    def __init__(
        self,
        *,
        api_url: str,
        token: str,
        timeout: int,
        seconds_between_requests: float | None,
        seconds_between_writes: float | None,
    ) -> None:
        self._requester = Github(
            base_url=api_url.rstrip("/"),
            auth=Auth.Token(token),
            timeout=timeout,
            per_page=PER_PAGE,
            user_agent=USER_AGENT,
            retry=None,
            seconds_between_requests=seconds_between_requests,
            seconds_between_writes=seconds_between_writes,
        ).requester

    def get_me(self) -> types.Account:
        """The account that the token belongs to."""
        return payloads.account(self._call("GET", "/user"))

    def find_account(self, login: str) -> types.Account | None:
        """The account with this login, or None."""
        if not LOGIN.fullmatch(login):
            return None
        try:
            return payloads.account(self._call("GET", f"/users/{quote(login)}", what=login))
        except GitHubRefused as error:
            if error.status == 404:
                return None
            raise

    def get_repository(self, repository: str) -> types.Repository:
        """A repository, with whether our account may write there."""
        return payloads.repository(self._call("GET", _path(repository), what=repository))

    def get_issue(self, repository: str, number: int) -> types.Issue:
        """An issue with its body."""
        return _issue(
            self._call("GET", _path(repository, "issues", number), what=f"{repository}#{number}"), repository
        )

    def list_body_edits(self, repository: str, number: int) -> Sequence[types.BodyEdit]:
        """The edit history of an issue's body, oldest first. Revisions that somebody deleted are left out."""
        owner, _, name = repository.partition("/")
        about: JSON = {"owner": owner, "name": name, "number": number}
        what = f"{repository}#{number}"
        return _edits(
            lambda after: self._query(BODY_EDITS, {**about, "after": after}, what=what), "repository.issue"
        )

    def get_comment(self, repository: str, comment_id: int) -> types.Comment:
        """A comment under an issue."""
        return _comment(self._comment(repository, comment_id), repository)

    def list_comment_edits(self, repository: str, comment_id: int) -> Sequence[types.BodyEdit]:
        """The edit history of a comment, oldest first. Two requests: GraphQL knows comments by their node ids only."""
        node = payloads.field(self._comment(repository, comment_id), "node_id", str)
        return _edits(
            lambda after: self._query(COMMENT_EDITS, {"id": node, "after": after}, what=repository), "node"
        )

    def list_issue_comments(
        self, repository: str, number: int, *, since: datetime | None = None
    ) -> Iterator[types.Comment]:
        """Comments under an issue, oldest first."""
        parameters = {"since": f"{since.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"} if since else {}
        path = _path(repository, "issues", number, "comments")
        for data in self._pages(path, parameters, what=f"{repository}#{number}"):
            yield payloads.comment(data, repository, number)

    def list_pull_requests(self, repository: str, *, since: datetime) -> Iterator[types.PullRequest]:
        """Pull requests updated since then, most recently updated first."""
        parameters = {"state": "all", "sort": "updated", "direction": "desc"}
        for data in self._pages(_path(repository, "pulls"), parameters, what=repository):
            pull_request = payloads.pull_request(data)
            if pull_request.updated_at < since:
                return
            yield pull_request

    def get_pull_request(self, repository: str, number: int) -> types.PullRequest:
        """A pull request as it is now."""
        data = self._call("GET", _path(repository, "pulls", number), what=f"{repository}#{number}")
        return payloads.pull_request(data)

    def list_reviews(self, repository: str, number: int) -> Sequence[types.Review]:
        """The reviews of a pull request, oldest first, without what we may have begun and not submitted."""
        pages = self._pages(_path(repository, "pulls", number, "reviews"), {}, what=f"{repository}#{number}")
        submitted = [data for data in pages if data.get("submitted_at")]
        return [payloads.review(data, repository, number) for data in submitted]

    def list_pull_request_commits(self, repository: str, number: int) -> Sequence[types.Commit]:
        """The commits of a pull request, oldest first."""
        pages = self._pages(_path(repository, "pulls", number, "commits"), {}, what=f"{repository}#{number}")
        return [payloads.commit(data) for data in pages]

    def list_commits(
        self, repository: str, *, start: str, author: str = "", since: datetime | None = None
    ) -> Iterator[types.Commit]:
        """The commits that a branch or commit leads back to, newest first."""
        parameters = {"sha": start} | ({"author": author} if author else {})
        if since is not None:
            parameters["since"] = f"{since.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        try:
            for data in self._pages(_path(repository, "commits"), parameters, what=repository):
                yield payloads.commit(data)
        except GitHubRefused as error:
            if error.status != 409:  # a repository without any commit
                raise

    def write_issue_body(self, repository: str, number: int, body: str) -> types.Issue:
        """Replace an issue's body."""
        path, what = _path(repository, "issues", number), f"{repository}#{number}"
        return _issue(self._call("PATCH", path, content={"body": body}, what=what), repository)

    def create_comment(self, repository: str, number: int, body: str) -> types.Comment:
        """Write a comment under an issue."""
        path, what = _path(repository, "issues", number, "comments"), f"{repository}#{number}"
        return payloads.comment(
            self._call("POST", path, content={"body": body}, what=what), repository, number
        )

    def edit_comment(self, repository: str, comment_id: int, body: str) -> types.Comment:
        """Replace the text of a comment. Of other people's only where we may push."""
        path = _path(repository, "issues", "comments", comment_id)
        return _comment(self._call("PATCH", path, content={"body": body}, what=repository), repository)

    def react(self, repository: str, comment_id: int, reaction: str) -> None:
        """Put a reaction on a comment. Again is the same as once."""
        path = _path(repository, "issues", "comments", comment_id, "reactions")
        self._call("POST", path, content={"content": reaction}, what=repository)

    def list_reactions(self, repository: str, comment_id: int) -> Sequence[types.Reaction]:
        """Everybody's reactions to a comment, oldest first."""
        path = _path(repository, "issues", "comments", comment_id, "reactions")
        return [payloads.reaction(data) for data in self._pages(path, {}, what=repository)]

    def remove_reaction(self, repository: str, comment_id: int, reaction_id: int) -> None:
        """Take a reaction of ours back. One that is gone already is as it should be."""
        path = _path(repository, "issues", "comments", comment_id, "reactions", reaction_id)
        try:
            self._exchange("DELETE", path, what=repository)
        except GitHubRefused as error:
            if error.status != 404:
                raise

    def _comment(self, repository: str, comment_id: int) -> JSON:
        path = _path(repository, "issues", "comments", comment_id)
        return self._call("GET", path, what=f"{repository}#issuecomment-{comment_id}")

    def _pages(self, path: str, parameters: dict[str, Any], *, what: str) -> Iterator[JSON]:
        """The items of a list, page by page along `rel="next"`. A page that fails raises: it never ends the list."""
        url: str | None = path
        parameters = {"per_page": PER_PAGE, **parameters}
        while url:
            headers, items = self._exchange("GET", url, parameters=parameters, what=what)
            if not isinstance(items, list):
                raise PayloadInvalid(path)
            yield from items
            links = requests.utils.parse_header_links(headers.get("link", ""))
            url = next((link["url"] for link in links if link.get("rel") == "next"), None)
            parameters = {}  # the link carries them

    def _query(self, query: str, variables: JSON, *, what: str) -> JSON:
        """A GraphQL query. Errors come with status 200: https://docs.github.com/en/graphql/guides"""
        content = {"query": query, "variables": variables}
        headers, answer = self._exchange("POST", self._requester.graphql_url, content=content, what=what)
        errors = payloads.optional(answer, "errors", lambda data, name: payloads.field(data, name, list))
        if errors:
            raise _graphql_failure(errors, headers, what)
        return payloads.field(answer, "data", dict)

    def _call(self, verb: str, path: str, *, content: JSON | None = None, what: str = "GitHub") -> JSON:
        """One request that answers with an object."""
        _, data = self._exchange(verb, path, content=content, what=what)
        if not isinstance(data, dict):
            raise PayloadInvalid(path)
        return data

    def _is_own(self, url: str) -> bool:
        return url.startswith("/") or urlsplit(url).netloc == urlsplit(self._requester.base_url).netloc

    def _exchange(
        self,
        verb: str,
        url: str,
        *,
        what: str,
        parameters: JSON | None = None,
        content: JSON | None = None,
        may_follow: bool = True,
    ) -> tuple[dict[str, Any], Any]:
        """One request; headers and decoded answer. Every failure leaves here as one of our errors."""
        if transactions.is_open():
            raise RuntimeError(f"GitHub must not be called inside a transaction ({verb} {url}).")
        if not self._is_own(url):
            raise GitHubUnavailable(reason="an address of another host")  # the token must not go there
        try:
            status, headers, output = self._requester.requestJson(verb, url, parameters, None, content)
        except requests.RequestException as error:
            raise GitHubUnavailable(reason=type(error).__name__) from error
        # PyGithub follows 301; a renamed repository answers writes with 307, which keeps the verb.
        if status in (307, 308) and may_follow and "location" in headers:
            return self._exchange(verb, headers["location"], what=what, content=content, may_follow=False)
        data = _decode(output)
        if not 200 <= status < 300:
            raise _failure(status, headers, data, what)
        if output and data is None:
            raise GitHubUnavailable(reason="no JSON")  # a proxy's or a maintenance page
        return headers, data


def _path(repository: str, *rest: str | int) -> str:
    """The path of something in a repository. A name that GitHub cannot have is refused here."""
    if not REPOSITORY.fullmatch(repository) or {".", ".."} & set(repository.split("/")):
        raise GitHubRefused(status=404, what=repository)
    return "/".join(["/repos", repository, *map(str, rest)])


def _issue(data: JSON, asked: str) -> types.Issue:
    """An issue under the name that its repository has now, which after a renaming is not the one asked for."""
    url = data.get("repository_url")
    return payloads.issue(data, "/".join(url.split("/")[-2:]) if isinstance(url, str) else asked)


def _comment(data: JSON, asked: str) -> types.Comment:
    """A comment under the name that its repository has now, and the number that its issue has."""
    parts = payloads.field(data, "issue_url", str).split("/")
    repository = "/".join(parts[-4:-2]) if len(parts) > 4 and parts[-5] == "repos" else asked
    return payloads.comment(data, repository, payloads.issue_number(data))


def _edits(ask: Callable[[str | None], JSON], place: str) -> Sequence[types.BodyEdit]:
    """The steps of a history, page by page, oldest first."""
    nodes: list[JSON] = []
    after: str | None = None
    while True:
        edits = payloads.field(ask(after), f"{place}.userContentEdits", dict)
        nodes += payloads.field(edits, "nodes", list)
        if not payloads.field(edits, "pageInfo.hasNextPage", bool):
            break
        after = payloads.field(edits, "pageInfo.endCursor", str)
    # GitHub lists the newest first; several edits may share a second.
    steps = [payloads.body_edit(node) for node in reversed(nodes) if node.get("diff") is not None]
    return sorted(steps, key=lambda step: step.edited_at)


def _decode(output: str) -> Any:
    try:
        return texts.storable(json.loads(output))
    except ValueError:
        return None


def _failure(status: int, headers: dict[str, Any], data: Any, what: str) -> GitHubRefused | GitHubUnavailable:
    message = str(data.get("message", "")) if isinstance(data, dict) else ""
    is_limit = status == 429 or (status == 403 and _is_rate_limit(headers, message))
    if is_limit:
        return GitHubUnavailable(retry_after=_seconds_to_wait(headers), status=status)
    if status == 408 or status >= 500:
        return GitHubUnavailable(retry_after=_number(headers.get("retry-after")), status=status)
    return GitHubRefused(status=status, what=what, answer=_answer(message, data))


def _answer(message: str, data: Any) -> str:
    """What GitHub answered, with what it found wrong, in its own words."""
    errors = data.get("errors") if isinstance(data, dict) else None
    told = [str(error.get("message", "")) for error in errors or () if isinstance(error, dict)]
    return ": ".join([message, *filter(None, told)])[:200]


def _is_rate_limit(headers: dict[str, Any], message: str) -> bool:
    """A 403 for asking too much or too fast; a secondary limit may come without any header."""
    has_header = "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"
    return has_header or "rate limit" in message.lower()


def _seconds_to_wait(headers: dict[str, Any]) -> float:
    """As GitHub advises: Retry-After, else until the reset if nothing remains, else a minute."""
    told = _number(headers.get("retry-after"))
    if told is not None:
        return told
    reset = _number(headers.get("x-ratelimit-reset"))
    if headers.get("x-ratelimit-remaining") == "0" and reset is not None:
        return max(reset - clock.now().timestamp(), 1.0)
    return 60.0


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def _graphql_failure(
    errors: list[Any], headers: dict[str, Any], what: str
) -> GitHubRefused | GitHubUnavailable:
    kinds = {error.get("type") for error in errors if isinstance(error, dict)}
    if "NOT_FOUND" in kinds:
        return GitHubRefused(status=404, what=what)
    if "FORBIDDEN" in kinds:
        return GitHubRefused(status=403, what=what)
    retry_after = _seconds_to_wait(headers) if kinds & {"RATE_LIMITED", "RATE_LIMIT"} else None
    logger.warning("GraphQL about %s failed: %s", what, errors)
    return GitHubUnavailable(retry_after=retry_after, reason="GraphQL")
