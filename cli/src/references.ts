// What people type for snippets, teams, folders, and tags, and the records that they mean.
import {
  type Commonplace,
  ConflictError,
  type FolderInTree,
  NotFoundError,
  type SnippetDetail,
  type Variation,
} from "../../sdk/src/index.ts";
import { Failure } from "./failures.ts";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const isId = (text: string): boolean => uuid.test(text);

/** The snippet with this ID or shortcut. Costs 1 unit. */
export const findSnippet = (client: Commonplace, reference: string, teamId?: string): Promise<SnippetDetail> =>
  withTeamNames(client, reference, async () => {
    const { data } = await (isId(reference)
      ? client.getSnippet({ id: reference })
      : client.getShortcut({ shortcut: reference, teamId }));
    return data;
  });

/** Names the teams to choose from if several have the shortcut, and the shortcut if there is none. */
export async function withTeamNames<Result>(
  client: Commonplace,
  reference: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotFoundError && error.code === "snippet_not_found")
      throw new Failure(
        isId(reference) ? `there is no snippet with the ID ${reference}` : `no snippet has the shortcut ${reference}`,
      );
    if (!(error instanceof ConflictError) || error.teamIds.length === 0) throw error;
    const { data } = await client.getMe();
    const names = data.teams.filter(({ id }) => error.teamIds.includes(id)).map(({ name }) => `"${name}"`);
    throw new Failure(
      `snippets in several teams have the shortcut ${reference}. Add --team with one of: ${names.join(", ")}`,
    );
  }
}

/** A variation as people name it: its number from 1 on, its name, or its ID. The first one if they do not. */
export function chooseVariation(
  { title, variations }: SnippetDetail,
  wanted: string | undefined,
): SnippetDetail["variations"][number] {
  const [first] = variations;
  if (first === undefined) throw new Failure(`"${title}" has no text`);
  if (wanted === undefined) return first;
  const found = isNumber(wanted)
    ? variations[Number(wanted) - 1]
    : (variations.find(({ id }) => id === wanted.toLowerCase()) ?? variations.find(({ name }) => name === wanted));
  if (found) return found;
  const names = variations.map(({ name }, index) => `${index + 1} (${name})`);
  throw new Failure(`"${title}" has no variation ${wanted}. It has: ${names.join(", ")}`);
}

export const isNumber = (text: string): boolean => /^\d{1,3}$/.test(text);

/** A variation with its text. The first one comes with the snippet, another costs 1 unit. */
export async function readVariation(
  client: Commonplace,
  snippet: SnippetDetail,
  wanted: string | undefined,
): Promise<Pick<Variation, "id" | "name" | "content">> {
  const variation = chooseVariation(snippet, wanted);
  if (variation.id === snippet.variations[0]?.id) return { ...variation, content: snippet.content };
  return (await client.getSnippetVariation({ snippetId: snippet.id, variationId: variation.id })).data;
}

/** The team with this name or ID. A name costs 1 unit. @param wanted undefined for all teams */
export async function findTeam(client: Commonplace, wanted: string | undefined): Promise<string | undefined> {
  if (wanted === undefined || isId(wanted)) return wanted;
  const { data } = await client.getMe();
  return choose("team", wanted, data.teams).id;
}

/** The team that something is created in. @throws Failure if the key has access to several and none is named */
export async function requireTeam(client: Commonplace, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined && isId(wanted)) return wanted;
  const { teams } = (await client.getMe()).data;
  if (wanted !== undefined) return choose("team", wanted, teams).id;
  const [only, second] = teams;
  if (only && !second) return only.id;
  throw new Failure(
    only
      ? `choose a team with --team: ${teams.map(({ name }) => `"${name}"`).join(", ")}`
      : "your key does not have access to any team",
  );
}

export interface Groups {
  readonly folderId: string | undefined;
  readonly tagIds: readonly string[] | undefined;
}

const treeAdvice = "Run cpl tree to see all folders and tags";

/**
 * The folder, by its path such as `Replies/Refunds`, and the tags, by name. IDs cost nothing, names 1 unit together.
 * @param advice what to do if there is no such folder or tag
 */
export async function findGroups(
  client: Commonplace,
  { teamId, folder, tags }: { teamId: string | undefined; folder: string | undefined; tags: readonly string[] },
  advice = treeAdvice,
): Promise<Groups> {
  const hasNames = [...(folder === undefined ? [] : [folder]), ...tags].some((name) => !isId(name));
  const tree = hasNames ? (await client.getTree({ teamId })).data : { folders: [], tags: [] };
  const folders = withPaths(tree.folders).map(({ id, path }) => ({ id, name: path }));
  const named = tree.tags.map(({ id, tag_name: name }) => ({ id, name }));
  const missing = `${teamId === undefined ? notAccessible : "in the team"}. ${advice}`;
  return {
    folderId: folder === undefined || isId(folder) ? folder : choose("folder", folder, folders, missing).id,
    tagIds:
      tags.length === 0 ? undefined : tags.map((tag) => (isId(tag) ? tag : choose("tag", tag, named, missing).id)),
  };
}

type PartOfPath = Pick<FolderInTree, "id" | "folder_name" | "parent_folder_id">;

/** Each folder with its path: its name after those of the folders it is in, from the outside in. */
export function withPaths<Folder extends PartOfPath>(all: readonly Folder[]): (Folder & { readonly path: string })[] {
  const folders = new Map(all.map((each) => [each.id, each]));
  const paths = new Map<string, string>();
  const pathOf = ({ id, folder_name, parent_folder_id }: PartOfPath): string => {
    const known = paths.get(id);
    if (known !== undefined) return known;
    const parent = parent_folder_id === null ? undefined : folders.get(parent_folder_id);
    const path = parent ? `${pathOf(parent)}/${folder_name}` : folder_name;
    paths.set(id, path);
    return path;
  };
  return all.map((each) => ({ ...each, path: pathOf(each) }));
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const notAccessible = "that your key has access to";

/** The one with this name. @throws Failure which says where it is `missing` */
function choose<Each extends Named>(kind: string, wanted: string, all: readonly Each[], missing = notAccessible): Each {
  const found = findNamed(kind, wanted, all);
  if (!found) throw new Failure(`there is no ${kind} "${wanted}" ${missing}`);
  return found;
}

/** By name, or by name without regard to case if that is the only one. @throws Failure if several have the name */
export function findNamed<Each extends Named>(kind: string, wanted: string, all: readonly Each[]): Each | undefined {
  const exact = all.filter(({ name }) => name === wanted);
  const found = exact.length > 0 ? exact : all.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (found.length > 1)
    throw new Failure(
      `${found.length} ${kind}s are named "${wanted}". Use an ID: ${found.map(({ id }) => id).join(", ")}`,
    );
  return found[0];
}
