// Folders and tags for shared tests: the names of each noun's operations, fields and records.
import type { Commonplace } from "../../sdk/src/index.ts";
import { type Started, text } from "./service.ts";

/** The fields of a folder or tag, without its noun. `null` removes the parent. */
export interface GroupFields {
  readonly name?: string;
  readonly color?: string;
  readonly parentId?: string | null;
}

type Verb = "get" | "post" | "put" | "delete";
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and asserts on it.
type Answer = any;

/** A noun of the interface, and the names derived from it. */
interface Group {
  readonly noun: "folder" | "tag";
  readonly Noun: "Folder" | "Tag";
  /** The fields with which a request puts a snippet into this one alone. */
  readonly inside: (id: string) => { folderId: string } | { tagIds: string[] };
  /** What the response to a new one contains besides the record. */
  readonly createdMetadata: (record: { id: string; name: string; createdAt: string }) => Record<string, unknown>;
}

/** For `describe.each`: the folders' row and the tags' row. */
export const groups = [
  describeGroup({
    noun: "folder",
    Noun: "Folder",
    inside: (id) => ({ folderId: id }),
    createdMetadata: ({ id, name, createdAt }) => ({ metadata: { folderId: id, folderName: name, createdAt } }),
  }),
  describeGroup({ noun: "tag", Noun: "Tag", inside: (id) => ({ tagIds: [id] }), createdMetadata: () => ({}) }),
];

function describeGroup({ noun, Noun, inside, createdMetadata }: Group) {
  const nouns = `${noun}s` as const;
  /** The client's method of this name, such as `postFolder`; the names of its parameters depend on the noun. */
  const method = (client: Commonplace, verb: Verb, name: string) =>
    (client as unknown as Record<string, (input: Record<string, unknown>) => Promise<Answer>>)[`${verb}${name}`]?.bind(
      client,
    ) ?? fail(`${verb}${name}`);
  const fields = ({ name, color, parentId, ...others }: GroupFields & Record<string, unknown>) => ({
    ...others,
    ...(name !== undefined && { [`${noun}Name`]: name }),
    ...(color !== undefined && { [`${noun}Color`]: color }),
    ...(parentId !== undefined && { [`parent${Noun}Id`]: parentId }),
  });
  /** The same fields as they are called in records. */
  const record = ({ name, color, parentId, ...others }: GroupFields & Record<string, unknown>) => ({
    ...others,
    ...(name !== undefined && { [`${noun}_name`]: name }),
    ...(color !== undefined && { [`${noun}_color`]: color }),
    ...(parentId !== undefined && { [`parent_${noun}_id`]: parentId }),
  });
  return {
    noun,
    nouns,
    Noun,
    inside,
    createdMetadata,
    fields,
    record,
    names: { name: `${noun}Name`, color: `${noun}Color`, parentId: `parent${Noun}Id` },
    parentOf: (made: Answer): string | null => made[`parent_${noun}_id`],
    id: (id: string) => ({ [`${noun}Id`]: id }),
    ids: (list: readonly string[]) => ({ [`${noun}Ids`]: list }),
    get: (client: Commonplace, id: string, page: { limit?: number; offset?: number } = {}): Promise<Answer> =>
      method(client, "get", Noun)({ [`${noun}Id`]: id, ...page }),
    /** @returns the record alone */
    read: async (client: Commonplace, id: string): Promise<Answer> =>
      (await method(client, "get", Noun)({ [`${noun}Id`]: id })).data[noun],
    post: (client: Commonplace, given: GroupFields & { teamId: string }): Promise<Answer> =>
      method(client, "post", Noun)(fields({ ...given })),
    put: (client: Commonplace, id: string, given: GroupFields): Promise<Answer> =>
      method(client, "put", Noun)({ [`${noun}Id`]: id, ...fields({ ...given }) }),
    postMany: (client: Commonplace, items: readonly (GroupFields & { teamId: string })[]): Promise<Answer> =>
      method(client, "post", `${Noun}s`)({ [nouns]: items.map((item) => fields({ ...item })) }),
    putMany: (client: Commonplace, items: readonly (GroupFields & { id: string })[]): Promise<Answer> =>
      method(client, "put", `${Noun}s`)({ [nouns]: items.map((item) => fields({ ...item })) }),
    deleteMany: (client: Commonplace, list: readonly string[]): Promise<Answer> =>
      method(client, "delete", `${Noun}s`)({ [`${noun}Ids`]: list }),
    /** Creates one, by default in the own team and without a parent. */
    make: (given: Started["given"], overrides: GroupFields & { teamId?: string } = {}): Promise<Answer> =>
      given[noun](fields({ ...overrides })),
  };
}

function fail(method: string): never {
  throw new Error(`the client has no method ${method}`);
}

/** Creates this many snippets in folders or with tags; their titles are numbered in order of creation. */
export async function createSnippets(
  { client, team }: Pick<Started, "client" | "team">,
  where: { folderId: string } | { tagIds: string[] },
  count: number,
): Promise<void> {
  for (let made = 0; made < count; made += 100)
    await client.postSnippets({
      snippets: Array.from({ length: Math.min(100, count - made) }, (_, index) => ({
        title: `${made + index}`,
        content: text("x"),
        teamId: team.id,
        ...where,
      })),
    });
}

export const titles = (snippets: readonly { title: string }[]): string[] => snippets.map((snippet) => snippet.title);

/** `count` titles from this number down. */
export const countdown = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${from - index}`);
