// Builds the documentation as a site that any web server can serve: pages, the index of the search, scripts, and styles.
import { join, relative } from "node:path";
import Eleventy from "@11ty/eleventy";
import MiniSearch from "minisearch";
import { bundleAssets, type SiteFile } from "./assets.ts";
import { layout, type Site } from "./layout.ts";
import { linkResolver, rootOf } from "./links.ts";
import { type Document, renderDocument } from "./markdown.ts";
import { type PageSource, pages } from "./nav.ts";
import { type SearchEntry, searchOptions } from "./search-options.ts";

const projectRoot = join(import.meta.dir, "..");
/** Where the service has the site. Only the page for unknown addresses depends on it. */
const servedAt = "/docs/";
const excerptLengthMax = 140;

/** The whole site: the same bytes each time. */
export async function buildDocs(): Promise<readonly SiteFile[]> {
  const { assets, files } = await bundleAssets();
  const sources = await Promise.all(pages.map(readSource));
  const site = { titles: new Map(sources.map(({ path, title }) => [path, title])), assets };
  const documents = new Map<string, Document>();
  const rendered = await renderPages(sources, site, documents);
  const index = indexOf(sources, documents);
  return [...rendered, notFoundPage(site), { path: "search.json", text: JSON.stringify(index) }, ...files];
}

interface Source extends PageSource {
  readonly title: string;
  readonly text: string;
}

async function readSource({ file, path }: PageSource): Promise<Source> {
  const text = await Bun.file(join(projectRoot, file)).text();
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`${file} has no title: a line that begins with #`);
  return { file, path, title, text };
}

/** @param documents receives what is on each page, by its path */
async function renderPages(
  sources: readonly Source[],
  site: Site,
  documents: Map<string, Document>,
): Promise<SiteFile[]> {
  const render = (text: string, source: Source): string => {
    const document = renderDocument(text, linkResolver(source));
    documents.set(source.path, document);
    return layout({ ...source, ...document }, site, rootOf(source));
  };
  // The directory has no templates: the pages are files of the whole project, at the addresses that nav.ts gives them.
  const eleventy = new Eleventy<Source>(relative(process.cwd(), import.meta.dir), "dist/docs", {
    quietMode: true,
    configPath: false,
    config: (configuration) => {
      configuration.setTemplateFormats("md");
      configuration.setLibrary("md", { render });
      for (const source of sources)
        configuration.addTemplate(`${source.path || "index"}.md`, source.text, {
          ...source,
          permalink: filePathOf(source),
          templateEngineOverride: "md",
        });
    },
  });
  const made = new Map((await eleventy.toJSON()).map(({ url, content }) => [url, content]));
  return sources.map((source) => {
    const path = filePathOf(source);
    const text = made.get(`/${path.replace(/index\.html$/, "")}`);
    if (text === undefined) throw new Error(`${source.file} was not built`);
    return { path, text };
  });
}

const filePathOf = ({ path }: PageSource): string => (path === "" ? "index.html" : `${path}/index.html`);

/** For addresses that no page has: a server sends it from any of them, so its links are not relative. */
const notFoundPage = (site: Site): SiteFile => ({
  path: "404.html",
  text: layout(
    {
      path: undefined,
      title: "Page not found",
      html: `<h1>Page not found</h1>\n<p>Search the documentation, or start at its <a href="${servedAt}">first page</a>.</p>\n`,
      passages: [],
    },
    site,
    servedAt,
  ),
});

/** In the order of the pages, so that it is the same each time. */
function indexOf(sources: readonly Source[], documents: ReadonlyMap<string, Document>): MiniSearch<SearchEntry> {
  const index = new MiniSearch<SearchEntry>(searchOptions);
  // Reports are tables of numbers, which would only crowd the results.
  for (const { path, title } of sources.filter((source) => !source.path.startsWith("reports/")))
    for (const { level, heading, anchor, content } of documents.get(path)?.passages ?? [])
      index.add({
        id: index.documentCount,
        heading,
        page: title,
        content,
        address: `${path === "" ? "" : `${path}/`}${level === 1 ? "" : `#${anchor}`}`,
        excerpt: content.length > excerptLengthMax ? `${content.slice(0, excerptLengthMax)}…` : content,
      });
  return index;
}
