// What is open to everyone without a key: the description of the interface.
import { openApi } from "../contract/openapi.ts";

export interface Page {
  readonly path: string;
  readonly contentType: string;
  readonly content: string;
}

/** The pages below the base path. */
export const pages = (basePath: string): readonly Page[] => [
  {
    path: `${basePath}/openapi.json`,
    contentType: "application/json; charset=utf-8",
    content: JSON.stringify(openApi(basePath)),
  },
];
