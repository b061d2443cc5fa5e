// The folders that the key has access to, by their paths, and new ones.
import type { Commonplace, FolderInTree } from "../../sdk/src/index.ts";
import { Failure } from "./failures.ts";
import { findNamed, isId, withPaths } from "./references.ts";

/** What a folder or tag gets that a person creates without a color. The import uses the same. */
export const colorDefault = "#777c86";

export type FolderAtPath = FolderInTree & { readonly path: string };

/** All folders, sorted by path. Costs 1 unit. @param teamId undefined for all teams */
export async function readFolders(client: Commonplace, teamId: string | undefined): Promise<FolderAtPath[]> {
  const { data } = await client.getTree({ teamId });
  return withPaths(data.folders).sort((one, other) => one.path.localeCompare(other.path, "en"));
}

/** The folder with this path, such as `Replies/Refunds`, or this ID. @throws Failure if several have the path */
export const findFolder = (folders: readonly FolderAtPath[], wanted: string): FolderAtPath | undefined =>
  isId(wanted)
    ? folders.find(({ id }) => id === wanted.toLowerCase())
    : findNamed(
        "folder",
        wanted,
        folders.map((folder) => ({ ...folder, name: folder.path })),
      );

/** @throws Failure if there is none, and how to find it */
export function chooseFolder(
  folders: readonly FolderAtPath[],
  wanted: string,
  advice = "Run cpl folder list to see all folders",
): FolderAtPath {
  const found = findFolder(folders, wanted);
  if (!found)
    throw new Failure(`there is no folder ${isId(wanted) ? `with the ID ${wanted}` : `"${wanted}"`}. ${advice}`);
  return found;
}

/** What a path is inside, and the name at its end. */
export function splitPath(path: string): { readonly around: string | undefined; readonly name: string } {
  const end = path.lastIndexOf("/");
  return { around: end < 0 ? undefined : path.slice(0, end), name: path.slice(end + 1) };
}

export interface NewFolder {
  readonly teamId: string;
  readonly path: string;
  readonly color?: string | undefined;
}

/** Creates the folder in an existing one, or with those around it that are missing. Each costs 1 unit. @returns its ID */
export async function createFolder(
  client: Commonplace,
  folders: readonly FolderAtPath[],
  { teamId, path, color = colorDefault }: NewFolder,
): Promise<string> {
  if (path.split("/").some((name) => name.trim() === "")) throw new Failure(`"${path}" is not a path of folders`);
  const { around, name } = splitPath(path);
  const parentFolderId =
    around === undefined
      ? undefined
      : (findFolder(folders, around)?.id ?? (await createFolder(client, folders, { teamId, path: around, color })));
  const { data } = await client.postFolder({ folderName: name, folderColor: color, teamId, parentFolderId });
  return data.folder.id;
}
