// A page that the browser kept whole while one was elsewhere is as it was then: the part that changes is asked for again.

const PARTS = ["#board", "#desk"];

function renew(event) {
  if (!event.persisted) return;
  const part = PARTS.find((selector) => document.querySelector(selector));
  if (part) window.htmx?.ajax("GET", window.location.href, { target: part, swap: "outerHTML" });
}

export function startBack() {
  window.addEventListener("pageshow", renew);
}
