// What the reference page can do only with a script: its own address in the examples, copying, the filter, the current section.

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const navigation = document.querySelector("#navigation");
const told = document.querySelector("#told");

for (const place of all(".origin")) place.textContent = location.origin;

// Copying.
for (const panel of all("figure.code")) {
  const code = panel.querySelector("pre");
  if (!code) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  let reset;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent.trim());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
    told.textContent = button.textContent;
    clearTimeout(reset);
    reset = setTimeout(() => {
      button.textContent = "Copy";
      told.textContent = "";
    }, 2_000);
  });
  panel.querySelector("figcaption").append(button);
}

// The filter: every word typed must be in the method, the path, the name or the summary.
const filter = document.querySelector("#filter");
const links = all("li a", navigation);
const groups = all(".entries", navigation);
const textOf = new Map(links.map((link) => [link, `${link.textContent} ${link.dataset.words ?? ""}`.toLowerCase()]));
// The method and the path stand in elements of their own, without a space between.
for (const link of all("a.call", navigation))
  textOf.set(
    link,
    [...link.children, { textContent: link.dataset.words }]
      .map((part) => part.textContent)
      .join(" ")
      .toLowerCase(),
  );

const isShown = (link) => !link.parentElement.hidden;

function showMatches() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const link of links) link.parentElement.hidden = !words.every((word) => textOf.get(link).includes(word));
  for (const group of groups) group.hidden = !all("li", group).some((entry) => !entry.hidden);
  const count = links.filter(isShown).length;
  navigation.querySelector(".none").hidden = count > 0;
  told.textContent = words.length === 0 ? "" : count === 1 ? "1 entry matches" : `${count} entries match`;
}

filter.parentElement.hidden = false;
filter.addEventListener("input", showMatches);
filter.addEventListener("keydown", (event) => {
  if (event.key === "Enter") links.find(isShown)?.click();
  else if (event.key === "Escape" && filter.value !== "") {
    event.preventDefault();
    filter.value = "";
    showMatches();
  }
});

const isWide = matchMedia("(min-width: 56rem)");

document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (!isWide.matches) navigation.showPopover();
  filter.focus();
  filter.select();
});

navigation.addEventListener("click", (event) => {
  if (event.target.closest("a") && navigation.matches(":popover-open")) navigation.hidePopover();
});

// The current section: the last one that begins above the upper third of the window.
const entries = links
  .map((link) => ({ link, section: document.querySelector(link.hash) }))
  .filter(({ section }) => section);
let current;

function markCurrent() {
  const line = innerHeight / 3;
  const above = entries.filter(({ section }) => section.getBoundingClientRect().top <= line).at(-1)?.link;
  if (above === current) return;
  current?.removeAttribute("aria-current");
  above?.setAttribute("aria-current", "location");
  current = above;
  if (!above || !isWide.matches) return;
  const [entry, frame] = [above.getBoundingClientRect(), navigation.getBoundingClientRect()];
  if (entry.top < frame.top + 80 || entry.bottom > frame.bottom - 40)
    navigation.scrollTop += entry.top - frame.top - frame.height / 3;
}

let isAsked = false;
addEventListener(
  "scroll",
  () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      markCurrent();
    });
  },
  { passive: true },
);
markCurrent();
