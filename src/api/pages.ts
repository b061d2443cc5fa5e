// The pages of the public API that need no key: its description for machines, and the reference for people.
import { openApi } from "../contract/openapi.ts";
import { type Page, page } from "../platform/http/static-page.ts";
import { referencePage } from "./reference/page.ts";
import css from "./reference/reference.css" with { type: "text" };
import script from "./reference/reference.js" with { type: "text" };

/** The pages below the base path. */
export const publicPages = (basePath: string): readonly Page[] => [
  page(`${basePath}/openapi.json`, "application/json", () => JSON.stringify(openApi(basePath))),
  page(`${basePath}/docs`, "text/html", () => referencePage(openApi(basePath))),
  page(`${basePath}/docs/reference.css`, "text/css", () => css),
  page(`${basePath}/docs/reference.js`, "text/javascript", () => script),
];
