// Everything works without this file: it adds keys, menus that close, and the verdict beside its button.
import { startBack } from "./back.js";
import { startBoard } from "./board.js";
import { startDesk } from "./desk.js";
import { startMenus } from "./menus.js";
import { startNotices } from "./notices.js";
import { startSearchKey } from "./search.js";
import { startTabs } from "./tabs.js";

// The page of a refused form stands at the form's address until one reloads it; that is not where it lives.
const { page } = document.body.dataset;
if (page) history.replaceState(history.state, "", page);

startMenus();
startSearchKey();
startTabs();
startBoard();
startDesk();
startNotices();
startBack();
