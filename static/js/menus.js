// Menus are <details>; a click elsewhere or Escape closes them, and only one is open at a time.

const openMenus = () => document.querySelectorAll("details[data-menu][open]");

export function startMenus() {
  document.addEventListener("click", (event) => {
    for (const menu of openMenus()) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
}
