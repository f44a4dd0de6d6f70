// A notice whose link is followed is seen; without this file its own button says so.

function see(event) {
  const link = event.target.closest?.("[data-notice]");
  const form = link?.closest("li").querySelector("form[data-seen]");
  if (!form) return;
  const sent = fetch(form.action, { method: "POST", body: new FormData(form), keepalive: true, redirect: "manual" });
  const opensElsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (opensElsewhere) return;
  // The next page counts what is new: it is asked for once this one is told.
  event.preventDefault();
  sent.catch(() => undefined).finally(() => window.location.assign(link.href));
}

export function startNotices() {
  const list = document.querySelector("[data-notices]");
  list?.addEventListener("click", see);
  list?.addEventListener("auxclick", see);
}
