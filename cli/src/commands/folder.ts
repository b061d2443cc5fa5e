// `cpl folder …`: lists and changes folders. Snippets stay when their folder is deleted.
import type { Command, ParsedOptions } from "../command.ts";
import type { Connection } from "../connection.ts";
import { Failure, UsageError } from "../failures.ts";
import { chooseFolder, createFolder, type FolderAtPath, readFolders, splitPath } from "../folder-tree.ts";
import { findTeam, requireTeam } from "../references.ts";
import { confirm, isInteractive } from "../terminal/ask.ts";
import { formatCount, notice, pluralize, print, printJson, printTable, statusLine } from "../terminal/print.ts";
import { oneLine } from "../terminal/style.ts";
import { teamOption } from "./get.ts";

const group = { name: "folder", summary: "List, create, rename, move, and delete folders" } as const;
const folderArgument = { value: "FOLDER", meaning: "the folder, by path (such as Replies/Refunds) or ID" } as const;

const list: Command = {
  name: "folder list",
  group,
  summary: "List folders, and how many snippets each has",
  arguments: [],
  options: { team: teamOption },
  notes: [
    "In a pipe, each line contains the ID, the path, and the number of snippets,",
    "separated by tabs. Archived snippets are counted too; those in subfolders are not.",
  ],
  isOfflineAllowed: true,
  run: async ({ options, isJson, connect }) => {
    const { client } = await connect();
    const folders = await readFolders(client, await findTeam(client, options.text("team")));
    if (isJson) return printJson(folders);
    if (process.stdout.isTTY && folders.length === 0) return statusLine("No folders found.");
    const isSeveral = new Set(folders.map(({ team_id }) => team_id)).size > 1 && process.stdout.isTTY;
    const teams = isSeveral ? (await client.getMe()).data.teams : [];
    const nameOf = ({ team_id }: FolderAtPath) => teams.find(({ id }) => id === team_id)?.name ?? "";
    printTable(
      ["path", ...(isSeveral ? ["team"] : []), "snippets"],
      folders.map((each) => [each.path, ...(isSeveral ? [nameOf(each)] : []), formatCount(each.snippet_count)]),
      {
        programRows: folders.map(({ id, path, snippet_count }) => [id, path, String(snippet_count)]),
        shortened: "path",
      },
    );
  },
};

const create: Command = {
  name: "folder create",
  group,
  summary: "Create a folder",
  arguments: [{ value: "PATH", meaning: "the path of the new folder, such as Replies/Refunds" }],
  options: {
    parents: { meaning: "also create the folders around it that do not exist" },
    color: { value: "COLOR", meaning: "the color, such as #336699; gray by default" },
    team: { value: "TEAM", meaning: "the team, by name or ID; not needed if your key has access to only one" },
  },
  notes: ["Prints the ID of the new folder."],
  run: async ({ words: [path = ""], options, isJson, connect }) => {
    const { client } = await connect();
    const teamId = await requireTeam(client, options.text("team"));
    const folders = await readFolders(client, teamId);
    requireFree(folders, path);
    const { around } = splitPath(path);
    if (around !== undefined && !options.isSet("parents"))
      chooseFolder(folders, around, "Use --parents to create it too");
    const id = await createFolder(client, folders, { teamId, path, color: options.text("color") });
    if (isJson) printJson({ id, path });
    else print(`${id}\n`);
  },
};

const rename: Command = {
  name: "folder rename",
  group,
  summary: "Change the name of a folder",
  arguments: [folderArgument, { value: "NAME", meaning: "the new name, without the path" }],
  options: { team: teamOption },
  run: async ({ words: [wanted = "", name = ""], options, isJson, connect }) => {
    if (name.trim() === "") throw new UsageError("NAME must not be empty", "folder rename");
    if (name.includes("/"))
      throw new UsageError(`NAME must not contain "/". To move a folder, use cpl folder move`, "folder rename");
    const connection = await connect();
    const { folder, folders } = await find(connection, wanted, options);
    // The name itself may contain a slash.
    const path = folder.path.slice(0, -folder.folder_name.length) + name;
    const isChanged = name !== folder.folder_name;
    if (isChanged) {
      requireFree(folders, path, folder);
      await connection.client.putFolder({ folderId: folder.id, folderName: name });
    }
    if (isJson) printJson({ id: folder.id, path, renamed: isChanged });
    else statusLine(isChanged ? `Renamed “${folder.path}” to “${path}”.` : `The name is already “${name}”.`);
  },
};

const move: Command = {
  name: "folder move",
  group,
  summary: "Move a folder, with everything in it",
  arguments: [folderArgument],
  options: {
    into: { value: "FOLDER", meaning: "the folder of the same team to move it into, by path or ID" },
    top: { meaning: "move it to the top level" },
    team: teamOption,
  },
  run: async ({ words: [wanted = ""], options, isJson, connect }) => {
    const into = options.text("into");
    if ((into === undefined) !== options.isSet("top"))
      throw new UsageError(
        into === undefined ? "--into or --top is required" : "use either --into or --top",
        "folder move",
      );
    const connection = await connect();
    const { folder, folders } = await find(connection, wanted, options);
    const target = into === undefined ? undefined : chooseFolder(folders, into);
    if (target && isIn(folders, target, folder)) throw new Failure(`“${folder.path}” cannot be moved into itself`);
    const path = target ? `${target.path}/${folder.folder_name}` : folder.folder_name;
    const isChanged = folder.parent_folder_id !== (target?.id ?? null);
    if (isChanged) {
      requireFree(folders, path, folder);
      await connection.client.putFolder({ folderId: folder.id, parentFolderId: target?.id ?? null });
    }
    if (isJson) printJson({ id: folder.id, path, moved: isChanged });
    else statusLine(isChanged ? `Moved “${folder.path}” to “${path}”.` : `“${folder.path}” is already there.`);
  },
};

const remove: Command = {
  name: "folder delete",
  group,
  summary: "Delete a folder and keep its snippets",
  arguments: [folderArgument],
  options: { team: teamOption, yes: { meaning: "delete without asking" } },
  notes: [
    "Shows what the folder contains, and asks before it deletes anything. The snippets",
    "and folders in it move to the top level. A deleted folder cannot be restored.",
  ],
  run: async ({ words: [wanted = ""], options, isJson, connect }) => {
    const connection = await connect();
    const { folder, folders } = await find(connection, wanted, options);
    const inside = folders.filter(({ parent_folder_id }) => parent_folder_id === folder.id).length;
    if (!options.isSet("yes")) {
      const contents = nameContents(folder.snippet_count, inside);
      if (isInteractive() && contents !== "")
        notice(oneLine(`“${folder.path}” contains ${contents}. Everything in it moves to the top level.`));
      await confirm(`Delete the folder “${folder.path}”?`);
    }
    const { metadata } = await connection.client.deleteFolder({ folderId: folder.id });
    const snippets = metadata.snippetsOrphaned;
    if (isJson) return printJson({ deleted: true, id: folder.id, moved_snippets: snippets, moved_folders: inside });
    const kept = nameContents(snippets, inside);
    statusLine(`Deleted the folder “${folder.path}”.${kept === "" ? "" : ` Moved ${kept} to the top level.`}`);
  },
};

/** Such as `3 snippets and 1 folder`; empty for nothing. */
const nameContents = (snippets: number, folders: number): string =>
  [
    ...(snippets > 0 ? [pluralize(snippets, "snippet")] : []),
    ...(folders > 0 ? [pluralize(folders, "folder")] : []),
  ].join(" and ");

/** The folder that the command line means, and all folders of its team. Costs 1 unit. */
async function find({ client }: Connection, wanted: string, options: ParsedOptions) {
  const all = await readFolders(client, await findTeam(client, options.text("team")));
  const folder = chooseFolder(all, wanted);
  return { folder, folders: all.filter(({ team_id }) => team_id === folder.team_id) };
}

/** Two folders with one path could not be told apart. */
function requireFree(folders: readonly FolderAtPath[], path: string, own?: FolderAtPath): void {
  const taken = folders.find((each) => each.id !== own?.id && each.path.toLowerCase() === path.toLowerCase());
  if (taken) throw new Failure(`there is already a folder "${taken.path}"`);
}

/** Whether a folder is another one, or somewhere inside it. */
function isIn(folders: readonly FolderAtPath[], folder: FolderAtPath, outer: FolderAtPath): boolean {
  if (folder.id === outer.id) return true;
  const parent = folders.find(({ id }) => id === folder.parent_folder_id);
  return parent !== undefined && isIn(folders, parent, outer);
}

export const folderCommands: readonly Command[] = [list, create, rename, move, remove];
