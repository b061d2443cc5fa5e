// What somebody did in the library, in words between their name and the name of what they did it to.
import { pluralize } from "../../components/format.ts";
import { type Act, describeFields } from "../read/act-verbs.ts";

const verbs: Readonly<Record<string, string>> = {
  "snippet.create": "created",
  "snippet.change": "changed",
  "snippet.move": "moved",
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
  "folder.delete": "deleted the folder",
  "tag.create": "created the tag",
  "tag.change": "changed the tag",
  "tag.delete": "deleted the tag",
  "tag.merge": "merged the tag",
  "import.run": "imported the file",
  "import.undo": "undid the import of",
  "examples.add": "loaded the examples",
  "examples.remove": "removed the examples",
};

export function verbOfAct({ action, details }: Pick<Act, "action" | "details">): string {
  if (action === "trash.empty")
    return `permanently deleted ${pluralize(Number(details?.deletedCount ?? 0), "snippet")}`;
  const changed = action === "snippet.change" ? describeFields(details) : undefined;
  return changed === undefined ? (verbs[action] ?? action) : `changed the ${changed} of`;
}
