// The search: a window with a field and the passages that it finds. The index is one file, and the browser searches it.
import MiniSearch from "minisearch";
import { type SearchEntry, searchOptions } from "../search-options.ts";

const resultsMax = 20;

/** What the index keeps of a passage. */
type Found = Pick<SearchEntry, "heading" | "page" | "address" | "excerpt">;

/** Shows the button, and opens the window by it or by its keys. */
export function offerSearch(): void {
  const dialog = element("dialog", "site-search");
  const button = element("button", "site-open-search");
  const input = element("input", "site-query");
  const open = () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    // What fails here is tried again with the first letter.
    void loadIndex().catch(() => undefined);
  };
  const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
  for (const keys of button.querySelectorAll("kbd")) keys.textContent = isApple ? "⌘K" : "Ctrl K";
  button.hidden = false;
  button.addEventListener("click", open);
  element("button", "site-close-search").addEventListener("click", () => dialog.close());
  // A click beside the window.
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "k" || !(isApple ? event.metaKey : event.ctrlKey)) return;
    event.preventDefault();
    open();
  });
  input.addEventListener("input", () => void show(input.value));
  dialog.addEventListener("keydown", handleKey);
}

let index: Promise<MiniSearch<SearchEntry>> | undefined;

function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  index ??= fetchIndex().catch((cause: unknown) => {
    index = undefined;
    throw cause;
  });
  return index;
}

async function fetchIndex(): Promise<MiniSearch<SearchEntry>> {
  const response = await fetch(`${siteRoot()}search.json`);
  if (!response.ok) throw new Error(`the index was not sent: ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), searchOptions);
}

async function show(query: string): Promise<void> {
  const status = element("p", "site-found");
  const isCurrent = () => element("input", "site-query").value === query;
  try {
    const found = search(await loadIndex(), query);
    if (!isCurrent()) return;
    element("ul", "site-results").replaceChildren(...found.slice(0, resultsMax).map(resultItem));
    status.textContent = query.trim() === "" ? "" : countOf(found.length);
  } catch {
    if (isCurrent()) status.textContent = "The search could not be loaded. Check your connection, and type again.";
  }
}

/** Passages with all the words, or, if there are none, with some. */
function search(all: MiniSearch<SearchEntry>, query: string): readonly Found[] {
  const withAll = all.search(query);
  const found = withAll.length > 0 ? withAll : all.search(query, { combineWith: "OR" });
  // A result has the fields that the options name.
  return found as unknown as Found[];
}

function countOf(count: number): string {
  if (count === 0) return "Nothing found. Try other words.";
  if (count > resultsMax) return `The first ${resultsMax} of ${count} results`;
  return count === 1 ? "1 result" : `${count} results`;
}

function resultItem({ heading, page, address, excerpt }: Found): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = siteRoot() + address;
  link.append(textElement("strong", heading));
  if (page !== heading) link.append(textElement("span", page));
  if (excerpt !== "") link.append(textElement("small", excerpt));
  // The address may be on the same page.
  link.addEventListener("click", () => element("dialog", "site-search").close());
  item.append(link);
  return item;
}

function textElement(name: "strong" | "span" | "small", text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** The arrow keys move between the field and the results; Enter in the field opens the first, and Escape closes the window. */
function handleKey(event: KeyboardEvent): void {
  const input = element("input", "site-query");
  const links = [...element("ul", "site-results").querySelectorAll("a")];
  const stops = [input, ...links];
  const position = stops.findIndex((stop) => stop.matches(":focus"));
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : undefined;
  if (step !== undefined) {
    event.preventDefault();
    stops[position + step]?.focus();
  } else if (event.key === "Enter" && position === 0) links[0]?.click();
  // Browsers would only clear the field.
  else if (event.key === "Escape") element("dialog", "site-search").close();
}

/** The way from this page to the site's address. */
const siteRoot = (): string => element("dialog", "site-search").dataset.root ?? "";

/** An element that every page has. */
function element<Name extends keyof HTMLElementTagNameMap>(name: Name, id: string): HTMLElementTagNameMap[Name] {
  const found = document.querySelector<HTMLElementTagNameMap[Name]>(`${name}#${id}`);
  if (!found) throw new Error(`the page has no ${name} with the ID ${id}`);
  return found;
}
