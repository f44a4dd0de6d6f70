"""Sign-in: https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps"""

import base64
import hashlib
import secrets
import time
import urllib.parse
from dataclasses import dataclass, field

from tests.github_stand_in.errors import Refusal
from tests.github_stand_in.pages.html import fill, join
from tests.github_stand_in.pages.layout import Page, living
from tests.github_stand_in.web.messages import Request, Response, json_response, redirect

_CODE_SECONDS = 600
_PAGE = """<h1>Sign in as …</h1>
<p>An application at <code>{host}</code> asks who you are. Choose somebody; there are no passwords here.</p>
<form method="post" action="/login/oauth/authorize?{query}"><ul class="people">{people}</ul>
<p><button name="login" value="">Cancel</button></p></form>"""
_PERSON = """<li><button class="as" name="login" value="{login}">
<img src="/avatars/u/{id}" alt="" width="24" height="24"> {login}</button></li>"""


@dataclass
class Grant:
    user_id: int
    client_id: str
    redirect_uri: str
    challenge: str
    made_at: float = field(default_factory=time.monotonic)


@dataclass
class OAuth:
    grants: dict[str, Grant] = field(default_factory=dict)

    def ask(self, page: Page) -> Response:
        query = page.request.query
        target = _redirect_uri(query)
        people = sorted(living(page.world), key=lambda user: user.login.lower())
        content = fill(
            _PAGE,
            host=urllib.parse.urlsplit(target).netloc,
            query=urllib.parse.urlencode(query),
            people=join(fill(_PERSON, login=user.login, id=user.id) for user in people),
        )
        return page.render("Sign in", content)

    def decide(self, page: Page) -> Response:
        query = page.request.query
        target = _redirect_uri(query)
        user = page.world.store.find_user(page.request.form.get("login", ""))
        if user is None:
            answer = {
                "error": "access_denied",
                "error_description": "The user has denied your application access.",
            }
        else:
            code = secrets.token_hex(10)
            challenge = query.get("code_challenge", "")
            self.grants[code] = Grant(user.id, query.get("client_id", ""), target, challenge)
            answer = {"code": code}
        if "state" in query:
            answer["state"] = query["state"]
        joint = "&" if urllib.parse.urlsplit(target).query else "?"
        return redirect(f"{target}{joint}{urllib.parse.urlencode(answer)}", status=302)

    def exchange(self, page: Page) -> Response:
        """Code for token; GitHub answers errors with 200 too."""
        given = _parameters(page.request)
        grant = self.grants.pop(given.get("code", ""), None)
        if grant is None or not _is_good(grant, given):
            message = "The code passed is incorrect or expired."
            return _answer(page.request, {"error": "bad_verification_code", "error_description": message})
        token = f"gho_{secrets.token_hex(18)}"
        page.world.store.tokens[token] = grant.user_id
        granted = {"access_token": token, "scope": "read:user,user:email", "token_type": "bearer"}
        return _answer(page.request, granted)


def _redirect_uri(query: dict[str, str]) -> str:
    target = query.get("redirect_uri", "")
    parts = urllib.parse.urlsplit(target)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise Refusal(422, "redirect_uri is missing or no web address")
    return target


def _parameters(request: Request) -> dict[str, str]:
    if request.header("content-type").startswith("application/json"):
        return {name: str(value) for name, value in request.json.items()}
    return {**request.query, **request.form}


def _is_good(grant: Grant, given: dict[str, str]) -> bool:
    if grant.client_id != given.get("client_id") or time.monotonic() - grant.made_at > _CODE_SECONDS:
        return False
    if given.get("redirect_uri", grant.redirect_uri) != grant.redirect_uri:
        return False
    digest = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
    expected = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    return not grant.challenge or secrets.compare_digest(expected, grant.challenge)


def _answer(request: Request, values: dict[str, str]) -> Response:
    if "json" in request.header("accept"):
        return json_response(values)
    body = urllib.parse.urlencode(values).encode()
    return Response(200, body, {"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"})
