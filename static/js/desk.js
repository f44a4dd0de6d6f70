// The desk: J and K move, letters press the button that bears them; what htmx replaces keeps the place of the cursor.
import { isTyping } from "./search.js";

const desk = () => document.getElementById("desk");
const items = () => [...document.querySelectorAll("#desk [data-desk-item]")];
const opened = () => document.querySelector("#desk [data-desk-item][aria-current]");
const isNarrow = matchMedia("(max-width: 999.98px)");
let keepsFocus = false;
let showsItem = false;
let ticked = [];

const boxes = () => [...document.querySelectorAll("#desk input[name=chosen]")];

function move(step) {
  const all = items();
  const next = all[all.indexOf(opened()) + step];
  if (!next) return;
  next.focus();
  next.click();
}

function press(key) {
  const button = document.querySelector(`[data-key="${key}"]:not([disabled])`);
  if (!button) return false;
  if (button.matches("textarea")) button.focus();
  else button.click();
  return true;
}

function select() {
  opened()?.closest("li").querySelector("input[type=checkbox]")?.click();
}

function showHelp() {
  document.getElementById("desk-keys")?.togglePopover?.();
}

function onKey(event) {
  // A key that is held down presses once: by its next beat another thing is open.
  const isHeld = event.repeat && !/^(j|k|Arrow)/i.test(event.key);
  if (!desk() || isHeld || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp";
  if (isArrow && !event.target.closest?.("[data-desk-item]")) return;
  const key = event.shiftKey && event.key.length === 1 ? event.key : event.key.toLowerCase();
  if (key === "?") showHelp();
  else if (event.key === "Escape" || document.querySelector("#desk-keys:popover-open")) return;
  else if (key === "j" || event.key === "ArrowDown") move(1);
  else if (key === "k" || event.key === "ArrowUp") move(-1);
  else if (key === "x") select();
  else if (!/^[aA]$|^[delnopru]$/.test(key) || !press(key)) return;
  event.preventDefault();
}

function afterSwap() {
  for (const box of boxes()) if (ticked.includes(box.value)) box.checked = true;
  ticked = [];
  document.querySelector("#desk [data-keys]")?.removeAttribute("hidden");
  const refused = document.querySelector("#desk [aria-invalid]");
  const link = refused ?? opened();
  if ((keepsFocus || refused) && link) {
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: "nearest" });
  }
  // Where the item stands below the list, whoever chose it wants to see it.
  if (showsItem && isNarrow.matches) document.getElementById("item")?.scrollIntoView();
  showsItem = false;
}

export function startDesk() {
  if (!desk()) return;
  afterSwap();
  document.addEventListener("keydown", onKey);
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    showsItem = event.detail.elt?.matches?.("[data-desk-item]") ?? false;
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, target } = event.detail;
    if (target?.id !== "desk") return;
    // What is ticked stays so while one looks at other things; what was settled together, or put down, does not.
    const by = event.detail.requestConfig?.elt;
    const keeps = xhr.status < 400 && !by?.matches("#desk-bulk, [data-tick=none]");
    ticked = keeps ? boxes().filter((box) => box.checked).map((box) => box.value) : [];
    keepsFocus = !by?.matches("[data-tick]");
    keepsFocus &&= !isTyping(document.activeElement) || document.activeElement.closest("#item") != null;
    // Anything but the desk (a page that says why not) belongs into no part of it.
    if (xhr.status >= 400 && !xhr.getResponseHeader("X-Regatta-Partial")) {
      event.detail.shouldSwap = false;
      window.location.reload();
    }
  });
  document.body.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id === "desk" || event.detail.elt?.id === "desk") afterSwap();
  });
}
