// Folders and tags as the same tests see them: what each noun calls its operations, fields and records.
import type { Commonplace } from "../../sdk/src/index.ts";
import { type Started, text } from "./service.ts";

/** What a folder or tag is made of, without its noun. `null` takes the parent away. */
export interface GroupFields {
  readonly name?: string;
  readonly color?: string;
  readonly parentId?: string | null;
}

type Verb = "get" | "post" | "put" | "delete";
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and asserts on it.
type Answer = any;

/** A noun of the interface, and everything that it names. */
interface Group {
  readonly noun: "folder" | "tag";
  readonly Noun: "Folder" | "Tag";
  /** How a request to create or change a snippet puts it in this one alone. */
  readonly inside: (id: string) => { folderId: string } | { tagIds: string[] };
  /** What the answer to a new one says of it beside the record. */
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
    /** A new one in the own team, or in the team and under the parent that is named. */
    make: (given: Started["given"], overrides: GroupFields & { teamId?: string } = {}): Promise<Answer> =>
      given[noun](fields({ ...overrides })),
  };
}

function fail(method: string): never {
  throw new Error(`the client has no method ${method}`);
}

/** This many snippets in folders or under tags; their titles count up in the order in which they are created. */
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
