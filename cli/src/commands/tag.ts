// `cpl tag`: adds tags of the team to snippets, and removes them.
import type { Commonplace } from "../../../sdk/src/index.ts";
import { changeTags, type TagChange } from "../change-tags.ts";
import type { Command } from "../command.ts";
import { Failure, UsageError } from "../failures.ts";
import { colorDefault } from "../folder-tree.ts";
import { findNamed, findTeam, isId } from "../references.ts";
import { changeEach, findSnippets, nameAll, teamOf } from "../several-snippets.ts";
import { printJson, statusLine } from "../terminal/print.ts";
import { snippetArgument, teamOption } from "./get.ts";

export const tag: Command = {
  name: "tag",
  summary: "Add tags to snippets, or remove them",
  arguments: [{ ...snippetArgument, isRepeatable: true }],
  options: {
    add: { value: "TAG", meaning: "a tag of the team to add, by name or ID", isRepeatable: true },
    remove: { value: "TAG", meaning: "a tag of the team to remove, by name or ID", isRepeatable: true },
    create: { meaning: "create the tags to add that do not exist" },
    team: teamOption,
  },
  notes: [
    "All other tags of the snippets stay. Nothing changes unless all snippets and tags",
    "are found. Each snippet costs up to 3 units, the list of tags 1, and each new tag",
    "1. cpl reads the tags of a snippet directly before it changes them. If someone else",
    "changes them in the same moment, their change is lost.",
  ],
  run: async ({ words, options, isJson, connect }) => {
    const [added, removed] = [options.texts("add"), options.texts("remove")];
    if (added.length + removed.length === 0) throw new UsageError("--add or --remove is required", "tag");
    const { client } = await connect();
    const snippets = await findSnippets(client, words, await findTeam(client, options.text("team")));
    const change = await findTags(client, teamOf(snippets), { added, removed, isCreating: options.isSet("create") });
    const results: { id: string; title: string; tag_ids: readonly string[]; changed: boolean }[] = [];
    await changeEach(snippets, "changed", async ({ id, title }) => {
      results.push({ id, title, ...(await changeTags(client, id, change)) });
    });
    if (isJson) return printJson({ snippets: results });
    const [changed, same] = [results.filter((each) => each.changed), results.filter((each) => !each.changed)];
    if (changed.length > 0) statusLine(`Changed the tags of ${nameAll(changed)}.`);
    if (same.length > 0) statusLine(`The tags of ${nameAll(same)} are already like this.`);
  },
};

/** The IDs of the tags. New ones are created once all others are found. */
async function findTags(
  client: Commonplace,
  teamId: string,
  { added, removed, isCreating }: TagChange & { readonly isCreating: boolean },
): Promise<TagChange> {
  const { tags } = (await client.getTree({ teamId })).data;
  const named = tags.map(({ id, tag_name: name }) => ({ id, name }));
  const find = (wanted: string) =>
    isId(wanted) ? named.find(({ id }) => id === wanted.toLowerCase()) : findNamed("tag", wanted, named);
  const missing = (wanted: string, advice: string) => new Failure(`there is no tag "${wanted}" in the team. ${advice}`);
  const toRemove = removed.map((wanted) => {
    const found = find(wanted);
    if (!found) throw missing(wanted, "Run cpl tree to see all tags");
    return found.id;
  });
  const toAdd = [...new Set(added)].map((wanted) => {
    const found = find(wanted);
    if (!found && (!isCreating || isId(wanted) || wanted.trim() === ""))
      throw missing(wanted, "Use --create to create it, or run cpl tree to see all tags");
    return { name: wanted, id: found?.id };
  });
  const both = toAdd.find(({ id }) => id !== undefined && toRemove.includes(id));
  if (both) throw new UsageError(`the tag "${both.name}" cannot be both added and removed`, "tag");
  const ids: string[] = [];
  for (const { name, id } of toAdd) ids.push(id ?? (await createTag(client, teamId, name)));
  return { added: ids, removed: toRemove };
}

async function createTag(client: Commonplace, teamId: string, name: string): Promise<string> {
  const { data } = await client.postTag({ tagName: name, tagColor: colorDefault, teamId });
  statusLine(`Created the tag “${name}”.`);
  return data.tag.id;
}
