// Where the links of a document lead on the site: in the repository, they lead to files.
import { join } from "node:path/posix";
import manifest from "../package.json" with { type: "json" };
import { type PageSource, pages } from "./nav.ts";

/** The part of an address that leads to a heading, as GitHub makes it: the same links work there. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** @returns where a link leads; undefined if the site has no such page */
export type ResolveLink = (href: string) => string | undefined;

/** The way from a page to the site's address, such as `../../`. */
export const rootOf = ({ path }: PageSource): string => (path === "" ? "./" : "../".repeat(path.split("/").length));

/** The address of a page. @param root the way to the site's address */
export const addressOf = (root: string, { path }: PageSource): string => (path === "" ? root : `${root}${path}/`);

/**
 * To other pages, relative to the address of this one. A file that is no page is in the repository; where the project does not say where
 * that is, the link becomes plain text.
 */
export const linkResolver =
  (source: PageSource): ResolveLink =>
  (href) => {
    if (/^(?:[a-z]+:|#)/.test(href)) return href;
    const [target = "", anchor] = href.split("#");
    const named = join(source.file, "..", target).replace(/\/$/, "");
    const page = pages.find((candidate) => [named, `${named}/README.md`].includes(candidate.file));
    const address = page ? addressOf(rootOf(source), page) : inRepository(named);
    return address === undefined || anchor === undefined ? address : `${address}#${anchor}`;
  };

function inRepository(file: string): string | undefined {
  // Not every checkout names its repository.
  const { version, repository } = manifest as {
    readonly version: string;
    readonly repository?: { readonly url: string };
  };
  return repository && `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/v${version}/${file}`;
}
