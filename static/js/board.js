// The board: J and K move, Enter opens (it is a link), C claims; the verdict opens beside the button that asked for it.
import { isTyping } from "./search.js";

const links = () => [...document.querySelectorAll("[data-board] tr[data-row] th a")];

function move(step) {
  const all = links();
  if (all.length === 0) return;
  const row = document.activeElement?.closest("tr[data-row]");
  const at = all.findIndex((link) => link.closest("tr") === row);
  const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1);
  all[next].focus();
  all[next].scrollIntoView({ block: "nearest" });
}

async function openVerdict(button) {
  const popover = document.getElementById("verdict");
  if (!popover?.showPopover) {
    window.location.assign(button.href);
    return;
  }
  try {
    const answer = await fetch(button.dataset.verdict, { headers: { "X-Requested-With": "fetch" } });
    if (!answer.ok) throw new Error(answer.status);
    popover.innerHTML = await answer.text();
  } catch {
    window.location.assign(button.href);
    return;
  }
  window.htmx?.process(popover);
  if (popover.matches(":popover-open")) popover.hidePopover();
  popover.showPopover({ source: button });
  popover.querySelector("form button, a.btn")?.focus();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (document.querySelector("#verdict:popover-open")) return;
  const key = event.key.toLowerCase();
  if (key === "j" || key === "k") {
    event.preventDefault();
    move(key === "j" ? 1 : -1);
  } else if (key === "c") {
    const button = document.activeElement?.closest("tr[data-row]")?.querySelector("[data-verdict]");
    if (button) {
      event.preventDefault();
      openVerdict(button);
    }
  }
}

function showKeys() {
  document.querySelector("[data-keys]")?.removeAttribute("hidden");
}

function announce() {
  const shown = document.querySelector("[data-board]")?.dataset.shown;
  const place = document.getElementById("announce");
  if (shown && place) place.textContent = shown;
}

export function startBoard() {
  if (!document.querySelector("[data-board]")) return;
  showKeys();
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-verdict]");
    if (!button || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    openVerdict(button);
  });
  document.body.addEventListener("htmx:afterSwap", (event) => {
    showKeys();
    if (event.detail.target?.id === "board") announce();
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    // A refusal comes as the row with its message; any other failure is a whole page, which belongs into no row.
    const { xhr } = event.detail;
    if (xhr.status >= 400 && !xhr.getResponseHeader("X-Regatta-Partial")) {
      event.detail.shouldSwap = false;
      window.location.reload();
    }
  });
  document.body.addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.elt.closest?.("#verdict form");
    if (!form) return;
    document.getElementById("verdict").hidePopover();
    document.querySelector(`${form.getAttribute("hx-target")} th a`)?.focus();
  });
}
