// What is open to everyone without a key: the description of the interface, for machines and for people.
import { openApi } from "../contract/openapi.ts";
import { referencePage } from "../reference/page.ts";
import css from "../reference/reference.css" with { type: "text" };
import script from "../reference/reference.js" with { type: "text" };

export interface Page {
  readonly path: string;
  readonly contentType: string;
  readonly content: string;
}

/** The pages below the base path. What must be made is made when it is first asked for, so that the start does not wait for it. */
export const pages = (basePath: string): readonly Page[] => [
  madeOnce(`${basePath}/openapi.json`, "application/json; charset=utf-8", () => JSON.stringify(openApi(basePath))),
  madeOnce(`${basePath}/docs`, "text/html; charset=utf-8", () => referencePage(openApi(basePath))),
  { path: `${basePath}/docs/reference.css`, contentType: "text/css; charset=utf-8", content: css },
  { path: `${basePath}/docs/reference.js`, contentType: "text/javascript; charset=utf-8", content: script },
];

function madeOnce(path: string, contentType: string, make: () => string): Page {
  let made: string | undefined;
  return {
    path,
    contentType,
    get content() {
      made ??= make();
      return made;
    },
  };
}
