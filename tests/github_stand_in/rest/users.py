"""/user, /users, /rate_limit"""

from tests.github_stand_in.errors import not_found
from tests.github_stand_in.rest.context import Context, RestRoutes
from tests.github_stand_in.shapes.users import full_user, private_user
from tests.github_stand_in.web.messages import Response, json_response

routes = RestRoutes()


@routes.on("GET", "/user")
def viewer(context: Context) -> Response:
    return json_response(
        private_user(context.view, context.require_actor()),
        headers={"X-OAuth-Scopes": "repo, read:user, user:email"},
    )


@routes.on("GET", "/user/emails")
def viewer_emails(context: Context) -> Response:
    actor = context.require_actor()
    email = {"email": actor.email, "primary": True, "verified": True, "visibility": "private"}
    return json_response([email] if actor.email else [])


@routes.on("GET", "/users/{login}")
def user_by_login(context: Context, login: str) -> Response:
    return json_response(full_user(context.view, context.user(login)))


@routes.on("GET", "/user/{id}")
def user_by_id(context: Context, id: str) -> Response:
    user = context.world.store.data.users.get(int(id))
    if user is None or user.deleted:
        raise not_found()
    return json_response(full_user(context.view, user))
