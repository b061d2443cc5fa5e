// What somebody did to a snippet, in words that follow their name.
import type { RowOf } from "../../api.ts";
import { pluralize, quote } from "../../components/format.ts";

export type Act = RowOf<"getLibraryActivity">;

const verbs: Readonly<Record<string, string>> = {
  "snippet.create": "created the snippet",
  "snippet.change": "changed the snippet",
  "snippet.leave": "moved it to another team",
  "snippet.arrive": "moved it here from another team",
  "snippet.tag": "changed the tags",
  "snippet.archive": "archived it",
  "snippet.unarchive": "unarchived it",
  "snippet.delete": "moved it to the trash",
  "snippet.restore": "restored it from the trash",
  "variation.create": "added a variation",
  "variation.change": "changed the text of a variation",
  "variation.rename": "renamed a variation",
  "variation.reorder": "reordered the variations",
  "variation.delete": "deleted a variation",
};

/** Fields of an update that have a word. */
const fields: Readonly<Record<string, string>> = {
  title: "title",
  content: "text",
  note: "note",
  shortcut: "shortcut",
  folderId: "folder",
  tagIds: "tags",
};

const listFormat = new Intl.ListFormat("en-US");

/** The fields that an update changed, such as `title and tags`; undefined where they have no words. */
export function describeFields(details: Act["details"]): string | undefined {
  const changed = Array.isArray(details?.fields) ? details.fields.flatMap((field) => fields[String(field)] ?? []) : [];
  return changed.length > 0 ? listFormat.format(changed) : undefined;
}

/** From which folder to which, with a space before it: ` from “Support” to “Billing”` */
export function describeMove(details: Act["details"]): string {
  const [from, to] = [details?.from, details?.to];
  if (typeof to !== "string") return typeof from === "string" ? ` out of ${quote(from)}` : "";
  return `${typeof from === "string" ? ` from ${quote(from)}` : ""} to ${quote(to)}`;
}

export function verbOf({ action, details }: Pick<Act, "action" | "details">): string {
  if (action === "snippet.move") return `moved it${describeMove(details)}`;
  const changed = action === "snippet.change" ? describeFields(details) : undefined;
  if (changed !== undefined) return `changed the ${changed}`;
  const count = Number(details?.variations ?? 1);
  if (action === "variation.delete" && count > 1) return `deleted ${pluralize(count, "variation")}`;
  return verbs[action] ?? action;
}
