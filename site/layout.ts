// The page around a document: the header with the search, all pages, the headings of this page, and the way to the next one.
import manifest from "../package.json" with { type: "json" };
import { escapeHtml } from "./highlight.ts";
import { addressOf } from "./links.ts";
import type { Document } from "./markdown.ts";
import { home, type PageSource, pages, type Section, sections } from "./nav.ts";

export interface Site {
  /** The title of each page, by its path. */
  readonly titles: ReadonlyMap<string, string>;
  readonly assets: Assets;
}

/** The paths of the files that every page loads. */
export interface Assets {
  readonly styles: string;
  readonly theme: string;
  readonly script: string;
  readonly icon: string;
}

export interface Page extends Document {
  /** Undefined for the page that is shown where there is none. */
  readonly path: string | undefined;
  readonly title: string;
}

/**
 * The page as HTML. It has no inline scripts and styles, and its addresses are relative: it works wherever the site is. The IDs of its
 * elements begin with `site-`; all others are those of headings.
 * @param root leads from the page to the site's address, such as `../../`
 */
export function layout(page: Page, { titles, assets }: Site, root: string): string {
  const titleOf: TitleOf = ({ path }) => titles.get(path) ?? "";
  const contents = contentsOf(page);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.path === home.path ? "" : `${escapeHtml(page.title)} · `}Commonplace documentation</title>
<link rel="icon" href="${root}${assets.icon}">
<link rel="stylesheet" href="${root}${assets.styles}">
<script src="${root}${assets.theme}"></script>
<script type="module" src="${root}${assets.script}"></script>
</head>
<body>
<a class="skip" href="#site-content">Skip to content</a>
<header>
<a class="brand" href="${addressOf(root, home)}"><img src="${root}${assets.icon}" alt="" width="24" height="24">Commonplace <span>docs</span></a>
<button id="site-open-search" type="button" hidden>Search <kbd></kbd></button>
<button class="opens-pages" type="button" popovertarget="site-pages">Pages</button>
</header>
<div class="columns">
<nav id="site-pages" popover aria-label="Pages">
${sections.map((section) => listOf(section, page, titleOf, root)).join("\n")}
<label class="theme" hidden>Theme <select id="site-theme"><option value="system">System</option><option value="light">Light</option><option value="dark">Dark</option></select></label>
<p class="version">Version ${manifest.version}</p>
</nav>
<main id="site-content" tabindex="-1">
${contents === "" ? "" : '<button class="opens-contents" type="button" popovertarget="site-contents">On this page</button>\n'}<article>
${page.html}</article>
${neighborsOf(page, titleOf, root)}
</main>
${contents}
</div>
<dialog id="site-search" aria-label="Search" data-root="${root}">
<div class="query"><input id="site-query" type="search" aria-label="Search the documentation" placeholder="Search the documentation" autocomplete="off" spellcheck="false"><button id="site-close-search" type="button">Close</button></div>
<p id="site-found" role="status"></p>
<ul id="site-results"></ul>
</dialog>
</body>
</html>
`;
}

type TitleOf = (source: PageSource) => string;

function listOf({ title, pages: listed }: Section, page: Page, titleOf: TitleOf, root: string): string {
  const id = `site-${title.toLowerCase().replaceAll(" ", "-")}`;
  const items = listed.map((source) => {
    const current = source.path === page.path ? ' aria-current="page"' : "";
    return `<li><a href="${addressOf(root, source)}"${current}>${escapeHtml(titleOf(source))}</a></li>`;
  });
  return `<p class="title" id="${id}">${escapeHtml(title)}</p>
<ul aria-labelledby="${id}">
${items.join("\n")}
</ul>`;
}

const contentsLevelMax = 3;

/** The headings below the title; empty if there are none. */
function contentsOf({ passages }: Page): string {
  const items = passages
    .filter(({ level }) => level > 1 && level <= contentsLevelMax)
    .map(
      ({ level, heading, anchor }) =>
        `<li class="level-${level}"><a href="#${escapeHtml(anchor)}">${escapeHtml(heading)}</a></li>`,
    );
  if (items.length === 0) return "";
  return `<nav id="site-contents" popover aria-labelledby="site-contents-title">
<p class="title" id="site-contents-title">On this page</p>
<ul>
${items.join("\n")}
</ul>
</nav>`;
}

/** The way to the page before and the page after this one. */
function neighborsOf({ path }: Page, titleOf: TitleOf, root: string): string {
  const index = pages.findIndex((candidate) => candidate.path === path);
  if (index < 0) return "";
  const [before, after] = [pages[index - 1], pages[index + 1]];
  const link = (to: PageSource | undefined, word: string) =>
    to ? `<a href="${addressOf(root, to)}"><span>${word}</span> ${escapeHtml(titleOf(to))}</a>` : "";
  return `<nav class="neighbors" aria-label="Previous and next page">
${link(before, "Previous")}
${link(after, "Next")}
</nav>`;
}
