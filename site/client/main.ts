// What needs a script: the search, and copying code. Without it, everything can be read.
import { addCopyButtons } from "./copy.ts";
import { offerSearch } from "./search.ts";

/** The address in the documents, where a service is by default. */
const exampleOrigin = "https://localhost:8443";

offerSearch();
addCopyButtons();
if (location.pathname.startsWith("/docs/")) leadToThisService();

// The list of all pages shows where this one is.
document.querySelector("#site-pages [aria-current]")?.scrollIntoView({ block: "nearest" });
// A link to a heading of the same page leaves the list of headings open.
for (const list of document.querySelectorAll<HTMLElement>("[popover]"))
  list.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLAnchorElement && list.matches(":popover-open")) list.hidePopover();
  });

/** A service has the pages at /docs/: links to the address in the documents lead to that service. */
function leadToThisService(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(`article a[href^="${exampleOrigin}"]`)) {
    const isAddress = link.textContent === link.getAttribute("href");
    link.href = link.href.replace(exampleOrigin, location.origin);
    if (isAddress) link.textContent = link.href;
  }
}
