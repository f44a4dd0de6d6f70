// Where an event's tabs do not fit, the one that is open is scrolled into sight.

export function startTabs() {
  const open = document.querySelector(".rg-tabs [aria-current]");
  const tabs = open?.closest(".rg-tabs");
  if (tabs) tabs.scrollLeft = open.offsetLeft - (tabs.clientWidth - open.offsetWidth) / 2;
}
