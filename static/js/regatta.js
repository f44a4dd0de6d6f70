// Everything works without this file: it adds keys, menus that close, and the verdict beside its button.
import { startBoard } from "./board.js";
import { startDesk } from "./desk.js";
import { startMenus } from "./menus.js";
import { startNotices } from "./notices.js";
import { startSearchKey } from "./search.js";
import { startTabs } from "./tabs.js";

startMenus();
startSearchKey();
startTabs();
startBoard();
startDesk();
startNotices();
