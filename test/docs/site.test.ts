// The documentation as it is built: all documents are pages, all links lead somewhere, and the search finds what people look for.
import "../support/once.ts";
import { beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import MiniSearch from "minisearch";
import { docsSite } from "../../scripts/release/docs-site.ts";
import type { SiteFile } from "../../site/assets.ts";
import { buildDocs } from "../../site/build.ts";
import { pages } from "../../site/nav.ts";
import { searchOptions } from "../../site/search-options.ts";
import { help } from "../../web/help.ts";
import { root } from "../support/program.ts";

let files: readonly SiteFile[];
let texts: ReadonlyMap<string, string>;
beforeAll(async () => {
  files = await buildDocs();
  texts = new Map(files.map(({ path, text }) => [path, text]));
});

const htmlFiles = () => files.filter(({ path }) => path.endsWith(".html"));
/** Where the service has the site. */
const address = "https://service.example/docs/";
/** The page's address: that of any page for the one that is shown at unknown addresses. */
const addressOf = (path: string): string =>
  address + (path === "404.html" ? "operate/unknown/" : path.replace(/index\.html$/, ""));
/** The file at an address of the site; undefined for an address elsewhere. */
const fileAt = (url: URL): string | undefined =>
  url.href.startsWith(address) ? url.pathname.slice("/docs/".length).replace(/(^|\/)$/, "$1index.html") : undefined;
const linksOf = ({ path, text }: SiteFile): URL[] =>
  [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = ""]) => new URL(link, addressOf(path)));
const idsOf = (text: string): string[] => [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);

test("every document in docs/ is a page, and every page lists all pages", () => {
  const documents = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  expect(documents.filter((name) => !pages.some(({ file }) => file === `docs/${name}`))).toEqual([]);
  const paths = pages.map(({ path }) => (path === "" ? "index.html" : `${path}/index.html`));
  for (const file of htmlFiles()) {
    const linked = new Set(linksOf(file).map(fileAt));
    expect([file.path, paths.filter((path) => !linked.has(path))]).toEqual([file.path, []]);
  }
  expect(htmlFiles()).toHaveLength(pages.length + 1);
});

test("every link leads to a page and a heading that exist, and every ID is there once", () => {
  let links = 0;
  for (const file of htmlFiles()) {
    const ids = idsOf(file.text);
    expect([file.path, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([file.path, []]);
    for (const url of linksOf(file)) {
      const target = fileAt(url);
      if (target === undefined) {
        expect([file.path, url.protocol]).toEqual([file.path, "https:"]);
        continue;
      }
      links += 1;
      const isOwn = new URL(addressOf(file.path)).pathname === url.pathname;
      const found = isOwn ? file.text : texts.get(target);
      const anchor = decodeURIComponent(url.hash.slice(1));
      const isThere = found !== undefined && (anchor === "" || idsOf(found).includes(anchor));
      expect([file.path, url.href, isThere]).toEqual([file.path, url.href, true]);
    }
  }
  expect(links).toBeGreaterThan(1_000);
});

test("the console leads to pages and headings that exist", () => {
  const lost = Object.values(help).filter((path) => {
    const [page = "", anchor] = path.split("#");
    const text = texts.get(`${page}index.html`);
    return text === undefined || (anchor !== undefined && !idsOf(text).includes(anchor));
  });
  expect(lost).toEqual([]);
});

test("no page has inline scripts or styles, or loads anything from elsewhere", () => {
  for (const { path, text } of htmlFiles()) {
    const html = text.replaceAll(/>[^<]*</g, "><");
    expect([
      path,
      html.match(/<style| style=| on\w+=|<script(?! [^>]*src=)|<(?:script|link|img)[^>]+"(?:https?:)?\/\//g),
    ]).toEqual([path, null]);
  }
  const loaded = files.filter(({ path }) => /\.(css|js|svg)$/.test(path)).map(({ text }) => text);
  expect(loaded.join("\n").match(/(?:url\(|@import|import\(|fetch\(")\s*["']?https?:[^"')]*/g)).toBeNull();
});

test("links to files that are no pages do not stay relative, and comments do not reach readers", () => {
  for (const { path, text } of htmlFiles()) {
    const wrong = [...text.matchAll(/href="(?!https:)[^"]*\.(?:md|ts|json)(?:#[^"]*)?"|<!--/g)].map(([found]) => found);
    expect([path, wrong]).toEqual([path, []]);
  }
});

test("is the same each time", async () => {
  expect(await buildDocs()).toEqual([...files]);
});

test("a release has it as an archive, with the same bytes each time", async () => {
  const source = { version: "1.2.3", date: 1_700_000_000 };
  const { name, bytes } = await docsSite(source);
  expect(name).toBe("commonplace-docs-1.2.3.tar.gz");
  const archive = new Bun.Archive(bytes);
  const unpacked = [...(await archive.files())];
  expect(await Promise.all(unpacked.map(async ([path, file]) => [path, await file.text()]))).toEqual(
    files
      .map(({ path, text }) => [`commonplace-docs-1.2.3/${path}`, text])
      .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1)),
  );
  expect((await docsSite(source)).bytes).toEqual(bytes);
});

test("the script names the license of what it contains", async () => {
  const script = files.find(({ path }) => path.startsWith("assets/main-"))?.text ?? "";
  const license = await Bun.file(join(root, "node_modules/minisearch/LICENSE.txt")).text();
  expect(script).toStartWith("/*! MiniSearch ");
  expect(script).toContain(license.trim());
});

test("the index is small enough for a phone", () => {
  const index = texts.get("search.json") ?? "";
  expect(index.length).toBeGreaterThan(100_000);
  expect(Bun.gzipSync(Buffer.from(index)).length).toBeLessThan(200_000);
});

test.each([
  ["backup", "operate/backup/"],
  ["rate limit", "build/guide/#rate-limit"],
  ["remove people", "administer/people/#remove-people"],
  ["COMMONPLACE_TRUSTED_PROXIES", "operate/"],
  ["patroni", "operate/high-availability/"],
  ["espanso", "use/"],
])("a search for %s finds %s", (query, found) => {
  const index = MiniSearch.loadJSON(texts.get("search.json") ?? "", searchOptions);
  const first = index.search(query).slice(0, 5);
  expect(first.map((result) => String(result.address))).toContainEqual(
    expect.stringMatching(new RegExp(`^${RegExp.escape(found)}`)),
  );
});
