// What somebody did in the library, in words around the name of what they did it to.
import { pluralize, quote } from "../../components/format.ts";
import { type Act, describeFields, describeMove } from "../read/act-verbs.ts";

type Described = Pick<Act, "action" | "details">;

const verbs: Readonly<Record<string, string>> = {
  "snippet.create": "created",
  "snippet.change": "changed",
  "snippet.move": "moved",
  "snippet.leave": "moved",
  "snippet.arrive": "moved",
  "snippet.tag": "changed the tags of",
  "snippet.archive": "archived",
  "snippet.unarchive": "unarchived",
  "snippet.delete": "deleted",
  "snippet.restore": "restored",
  "variation.create": "added a variation to",
  "variation.change": "changed text in",
  "variation.rename": "renamed a variation of",
  "variation.reorder": "reordered the variations of",
  "variation.delete": "deleted a variation of",
  "folder.create": "created the folder",
  "folder.change": "changed the folder",
  "folder.move": "moved the folder",
  "folder.delete": "deleted the folder",
  "tag.create": "created the tag",
  "tag.change": "changed the tag",
  "tag.move": "moved the tag",
  "tag.delete": "deleted the tag",
  "tag.merge": "merged the tag",
  "import.run": "imported the file",
  "import.undo": "undid the import of",
  "examples.add": "loaded the examples",
  "examples.remove": "removed the examples",
};

/** What one request did many times. */
const countedVerbs: Readonly<Record<string, string>> = {
  create: "created",
  change: "changed",
  rename: "renamed",
  move: "moved",
  delete: "deleted",
  restore: "restored",
};

/** What comes before the name. */
export function verbOfAct({ action, details }: Described): string {
  const counted = describeCount({ action, details });
  if (counted !== undefined) return counted;
  if (action === "import.run") return describeImport(details);
  if (action.endsWith(".rename") && typeof details?.from === "string")
    return `renamed the ${action.replace(".rename", "")} ${quote(details.from)} to`;
  const changed = action === "snippet.change" ? describeFields(details) : undefined;
  return changed === undefined ? (verbs[action] ?? action) : `changed the ${changed} of`;
}

/** What comes after the name, with a space before it: ` from “Support” to “Billing”`; often nothing. */
export function endOfAct({ action, details }: Described, nameOfTeam: (id: string) => string | undefined): string {
  const team = (id: unknown) => (typeof id === "string" && nameOfTeam(id)) || "another team";
  if (action === "snippet.leave") return ` to ${team(details?.toTeamId)}`;
  if (action === "snippet.arrive") return ` here from ${team(details?.fromTeamId)}`;
  if (action === "snippet.move") return describeMove(details);
  return typeof details?.into === "string" ? ` into ${quote(details.into)}` : "";
}

function describeCount({ action, details }: Described): string | undefined {
  if (action === "trash.empty")
    return `permanently deleted ${pluralize(Number(details?.deletedCount ?? 0), "snippet")}`;
  if (typeof details?.count !== "number") return undefined;
  const [noun = "", what = ""] = action.split(".");
  if (noun === "variation") return `${countedVerbs[what] ?? what} variations of ${pluralize(details.count, "snippet")}`;
  return `${countedVerbs[what] ?? what} ${pluralize(details.count, noun)}`;
}

function describeImport(details: Act["details"]): string {
  const [created, replaced] = [Number(details?.created ?? 0), Number(details?.replaced ?? 0)];
  if (created > 0) return `imported ${pluralize(created, "snippet")} from`;
  return replaced > 0 ? `replaced ${pluralize(replaced, "snippet")} from` : "imported the file";
}
