// `cpl move`: moves snippets to a folder of their team, or out of all folders.
import type { Commonplace } from "../../../sdk/src/index.ts";
import type { Command, ParsedOptions } from "../command.ts";
import { UsageError } from "../failures.ts";
import { chooseFolder, createFolder, findFolder, readFolders } from "../folder-tree.ts";
import { findTeam, isId } from "../references.ts";
import { changeEach, findSnippets, nameAll, teamOf } from "../several-snippets.ts";
import { printJson, statusLine } from "../terminal/print.ts";
import { snippetArgument, teamOption } from "./get.ts";

export const move: Command = {
  name: "move",
  summary: "Move snippets to a folder",
  arguments: [{ ...snippetArgument, isRepeatable: true }],
  options: {
    folder: { value: "FOLDER", meaning: "the folder of the same team, by path (such as Replies/Refunds) or ID" },
    create: { meaning: "create the folder if it does not exist" },
    top: { meaning: "move them out of their folders, to the top level" },
    team: teamOption,
  },
  notes: [
    "Nothing moves unless all snippets and the folder are found. Each snippet costs 2",
    "units, the list of folders 1, and each new folder 1.",
  ],
  run: async ({ words, options, isJson, connect }) => {
    checkTarget(options);
    const { client } = await connect();
    const snippets = await findSnippets(client, words, await findTeam(client, options.text("team")));
    const wanted = options.text("folder");
    const target = wanted === undefined ? topLevel : await targetAt(client, teamOf(snippets), wanted, options);
    const moved = snippets.filter(({ folder_id }) => folder_id !== target.id);
    await changeEach(moved, "moved", async ({ id }) => void (await client.putSnippet({ id, folderId: target.id })));
    if (isJson)
      return printJson({
        folder_id: target.id,
        folder: target.path,
        snippets: snippets.map((each) => ({ id: each.id, title: each.title, moved: moved.includes(each) })),
      });
    const place = target.path === null ? "the top level" : `“${target.path}”`;
    const stayed = snippets.filter((each) => !moved.includes(each));
    if (moved.length > 0) statusLine(`Moved ${nameAll(moved)} to ${place}.`);
    if (stayed.length > 0)
      statusLine(
        `${nameAll(stayed)} ${stayed.length === 1 ? "is" : "are"} already ${target.path === null ? "at" : "in"} ${place}.`,
      );
  },
};

interface Target {
  readonly id: string | null;
  readonly path: string | null;
}

const topLevel: Target = { id: null, path: null };

function checkTarget(options: ParsedOptions): void {
  const folder = options.text("folder");
  if (folder === "") throw new UsageError("--folder must not be empty. To move to the top level, use --top", "move");
  if ((folder === undefined) !== options.isSet("top"))
    throw new UsageError(
      folder === undefined ? "--folder or --top is required" : "use either --folder or --top",
      "move",
    );
  if (options.isSet("create") && (folder === undefined || isId(folder)))
    throw new UsageError("--create needs --folder with the path of a folder", "move");
}

async function targetAt(client: Commonplace, teamId: string, wanted: string, options: ParsedOptions): Promise<Target> {
  const folders = await readFolders(client, teamId);
  if (!options.isSet("create") || findFolder(folders, wanted))
    return chooseFolder(folders, wanted, "Use --create to create it, or run cpl folder list to see all folders");
  const id = await createFolder(client, folders, { teamId, path: wanted });
  statusLine(`Created the folder “${wanted}”.`);
  return { id, path: wanted };
}
