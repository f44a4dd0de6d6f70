// Menus are <details>; a click elsewhere, going on with Tab or Escape closes them, so only one is open at a time.

const openMenus = () => document.querySelectorAll("details[data-menu][open]");

export function startMenus() {
  const closeOthers = (event) => {
    for (const menu of openMenus()) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  };
  document.addEventListener("click", closeOthers);
  document.addEventListener("focusin", closeOthers);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
}
