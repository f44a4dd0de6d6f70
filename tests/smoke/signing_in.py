"""The ways to sign in: from the demo's list, or through GitHub, which the stand-in plays."""

from collections.abc import Callable

from tests.smoke.browser import Browser, Page

SignIn = Callable[[Browser, str], Page]


def from_the_demo_list(browser: Browser, login: str) -> Page:
    """Choose somebody on the sign-in page; only the demo offers it."""
    page = browser.get("/sign-in/")
    return browser.submit(page, *page.find_button("/sign-in/as/", login))


def through_github(browser: Browser, login: str) -> Page:
    """Ask to sign in with GitHub, say there who one is, come back."""
    page = browser.get("/sign-in/")
    page = browser.submit(page, *page.find_button("/accounts/github/login/", "GitHub"))
    return browser.submit(page, *page.find_button("/login/oauth/authorize", login))
