"""The demo: portal and stand-in for GitHub started together on loopback, with an event to try things on."""
