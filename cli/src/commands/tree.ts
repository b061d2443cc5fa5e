// `cpl tree`: the teams that the key has access to, with their folders and tags.
import type { FolderInTree, TagInTree } from "../../../sdk/src/index.ts";
import type { Command } from "../command.ts";
import { findTeam } from "../references.ts";
import { formatCount, print, printJson } from "../terminal/print.ts";
import { bold, cyan, dim, oneLine } from "../terminal/style.ts";
import { teamOption } from "./get.ts";

export const tree: Command = {
  name: "tree",
  summary: "Show teams, folders, and tags, and how many snippets each has",
  arguments: [],
  options: { team: teamOption },
  isOfflineAllowed: true,
  run: async ({ options, isJson, connect }) => {
    const { client } = await connect();
    const teamId = await findTeam(client, options.text("team"));
    const [{ data }, { data: content }] = await Promise.all([client.getTeams(), client.getTree({ teamId })]);
    const teams = data.teams.filter(({ id }) => teamId === undefined || id === teamId.toLowerCase());
    if (isJson) return printJson({ teams, ...content });
    for (const team of teams) {
      const isOwn = (group: { readonly team_id: string }) => group.team_id === team.id;
      print(`${bold(oneLine(team.name))} ${dim(formatCount(team.snippet_count))}\n`);
      const folders = content.folders.filter(isOwn).map(toFolder);
      const tags = content.tags.filter(isOwn).map(toTag);
      print([...branches([...folders, ...tags], null, "")].map((line) => `${line}\n`).join(""));
    }
  },
};

interface Node {
  readonly id: string;
  readonly parentId: string | null;
  readonly label: string;
  readonly count: number;
}

const toFolder = (each: FolderInTree): Node => ({
  id: each.id,
  parentId: each.parent_folder_id,
  label: `${oneLine(each.folder_name)}/`,
  count: each.snippet_count,
});

const toTag = (each: TagInTree): Node => ({
  id: each.id,
  parentId: each.parent_tag_id,
  label: cyan(`#${oneLine(each.tag_name)}`),
  count: each.snippet_count,
});

/** The lines of everything below one node. */
function* branches(all: readonly Node[], parentId: string | null, indent: string): Generator<string, void> {
  const children = all.filter((each) => each.parentId === parentId);
  for (const [index, { id, label, count }] of children.entries()) {
    const isLast = index === children.length - 1;
    yield `${indent}${isLast ? "└── " : "├── "}${label} ${dim(formatCount(count))}`;
    yield* branches(all, id, `${indent}${isLast ? "    " : "│   "}`);
  }
}
