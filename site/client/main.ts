// What needs a script: the search, and copying code. Without it, everything can be read.
import { addCopyButtons } from "./copy.ts";
import { offerSearch } from "./search.ts";

offerSearch();
addCopyButtons();

// The list of all pages shows where this one is.
document.querySelector("#site-pages [aria-current]")?.scrollIntoView({ block: "nearest" });
// A link to a heading of the same page leaves the list of headings open.
for (const list of document.querySelectorAll<HTMLElement>("[popover]"))
  list.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLAnchorElement && list.matches(":popover-open")) list.hidePopover();
  });
