// The secrets of a first start, which `serve` writes to files when nobody watches it in a terminal.
import { readFileSync } from "node:fs";

/** What the first start created, and the link to set up the console: read from the files that the announcement names. */
export interface FirstStart {
  readonly workspace_id?: string;
  readonly team_id?: string;
  readonly key?: string;
  readonly curl?: string;
  readonly first_administrator_link?: string;
  readonly sign_in_link?: string;
}

/** A path as a JSON value, or alone in its line. */
const filePattern =
  /"(\/[^"\n]+\/(?:first-api-key|setup-link|sign-in-link)\.txt)"|^ {2}(\/.+\/(?:first-api-key|setup-link|sign-in-link)\.txt)$/gm;

/** @param announcement of `serve` in a pipe, with or without --json */
export function readFirstStart(announcement: string): FirstStart {
  const paths = Array.from(announcement.matchAll(filePattern), ([, inJson, inLine]) => inJson ?? inLine ?? "");
  const text = paths.map((path) => readFileSync(path, "utf8")).join("\n");
  const json = announcement.startsWith("{") ? JSON.parse(announcement) : {};
  const found = {
    workspace_id: json.workspace_id,
    team_id: json.team_id ?? /Team ID +(\S+)/.exec(announcement)?.[1],
    key: /cpl_[0-9A-Za-z]{38}/.exec(text)?.[0],
    curl: /^curl (?:.*\\\n)*.*$/m.exec(text)?.[0],
    first_administrator_link: /^https:.*\/invitation#[\w-]{43}$/m.exec(text)?.[0],
    sign_in_link: /^https:.*\/enter#[\w-]{32}$/m.exec(text)?.[0],
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
