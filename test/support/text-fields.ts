// Every text field of the interface: its limits, how it is sent, and how it is read.
import { expect } from "bun:test";
import type { OperationName } from "../../src/contract/operations.ts";
import { type RawAnswer, type Started, text } from "./service.ts";
import type { Targets } from "./targets.ts";

/** A text field, and how to read it back. The limits are written by hand, never taken from the contract. */
export interface Place {
  readonly operation: OperationName;
  readonly field: string;
  readonly min: number;
  readonly max: number;
  readonly query: (targets: Targets) => Record<string, string>;
  readonly body: (targets: Targets, value: string) => unknown;
  readonly read: (started: Started, targets: Targets, answer: RawAnswer) => Promise<unknown>;
}

export type Detail = Awaited<ReturnType<Started["client"]["getSnippet"]>>["data"];

export const none = () => ({});

export const snippetFields: readonly [
  string,
  number,
  number,
  (value: string) => object,
  (snippet: Detail) => string | null,
][] = [
  ["title", 1, 200, (title) => ({ title }), (snippet) => snippet.title],
  ["note", 0, 5_000, (note) => ({ note }), (snippet) => snippet.snippet_note],
  ["shortcut", 0, 100, (shortcut) => ({ shortcut }), (snippet) => snippet.shortcut],
  ["content.content", 0, 1_000_000, (content) => ({ content: text(content) }), (snippet) => snippet.content.content],
];

export const snippetPlaces: Place[] = snippetFields.flatMap(([field, min, max, give, take]) => {
  const whole = (targets: Targets, value: string) => ({
    title: "T",
    content: text("x"),
    teamId: targets.teamId,
    ...give(value),
  });
  const read = async ({ client }: Started, id: string) => take((await client.getSnippet({ id })).data);
  return [
    {
      operation: "postSnippet",
      field,
      min,
      max,
      query: none,
      body: whole,
      read: (started, _, answer) => read(started, answer.body.data.snippetId),
    },
    {
      operation: "postSnippets",
      field,
      min,
      max,
      query: none,
      body: (targets, value) => ({ snippets: [whole(targets, value)] }),
      read: (started, _, answer) => read(started, answer.body.data.createdSnippets[0].snippetId),
    },
    {
      operation: "putSnippet",
      field,
      min,
      max,
      query: (targets) => ({ id: targets.snippetId }),
      body: (_, value) => give(value),
      read: (started, targets) => read(started, targets.snippetId),
    },
  ];
});

export const second = async ({ client }: Started, snippetId: string) => {
  const { variations } = (await client.getSnippet({ id: snippetId })).data;
  return (await client.getSnippetVariation({ snippetId, variationId: variations[1]?.id ?? "" })).data;
};

export const variationPlaces: Place[] = [
  ...(["variationName", "content.content"] as const).map(
    (field): Place => ({
      operation: "postSnippet",
      field: `additionalVariations[0].${field}`,
      min: field === "variationName" ? 1 : 0,
      max: field === "variationName" ? 100 : 1_000_000,
      query: none,
      body: (targets, value) => ({
        title: "T",
        content: text("x"),
        teamId: targets.teamId,
        additionalVariations: [
          field === "variationName"
            ? { variationName: value, content: text("x") }
            : { variationName: "N", content: text(value) },
        ],
      }),
      read: async (started, _, answer) => {
        const { name, content } = await second(started, answer.body.data.snippetId);
        return field === "variationName" ? name : content.content;
      },
    }),
  ),
  ...(["variationName", "content.content"] as const).map(
    (field): Place => ({
      operation: "postSnippetVariations",
      field,
      min: field === "variationName" ? 1 : 0,
      max: field === "variationName" ? 100 : 1_000_000,
      query: (targets) => ({ snippetId: targets.snippetId }),
      body: (_, value) => ({
        variations: [
          field === "variationName"
            ? { variationName: value, content: text("x") }
            : { variationName: "N", content: text(value) },
        ],
      }),
      read: async ({ client }, { snippetId }, answer) => {
        const variationId = answer.body.data.variations[0].id;
        const { name, content } = (await client.getSnippetVariation({ snippetId, variationId })).data;
        return field === "variationName" ? name : content.content;
      },
    }),
  ),
  ...(["name", "variationName", "content.content"] as const).map(
    (field): Place => ({
      operation: "putSnippetVariation",
      field,
      min: field === "content.content" ? 0 : 1,
      max: field === "content.content" ? 1_000_000 : 100,
      query: (targets) => ({ variationId: targets.secondVariationId }),
      body: (_, value) => (field === "content.content" ? { content: text(value) } : { [field]: value }),
      read: async (started, targets) => {
        const { name, content } = await second(started, targets.snippetId);
        return field === "content.content" ? content.content : name;
      },
    }),
  ),
];

export const folderAndTagPlaces: Place[] = (
  [
    ["folder", "folderName", 1_000],
    ["folder", "folderColor", 100],
    ["tag", "tagName", 1_000],
    ["tag", "tagColor", 100],
  ] as const
).flatMap(([noun, field, max]): Place[] => {
  const Noun = noun === "folder" ? "Folder" : "Tag";
  const column = `${noun}_${field.endsWith("Name") ? "name" : "color"}`;
  const whole = (targets: Targets, value: string) => ({
    [`${noun}Name`]: "N",
    [`${noun}Color`]: "c",
    teamId: targets.teamId,
    [field]: value,
  });
  const idOf = (targets: Targets) => (noun === "folder" ? targets.folderId : targets.tagId);
  const place = (
    operation: OperationName,
    query: Place["query"],
    body: Place["body"],
    shown: (data: Record<string, unknown>) => unknown,
  ): Place => ({
    operation,
    field,
    min: 1,
    max,
    query,
    body,
    read: async ({ rows, workspace }, _, answer) => {
      // The record in the response and the stored row must both equal what was sent.
      const record = shown(answer.body.data) as Record<string, string>;
      const [row] = await rows<Record<string, string>>(
        `select ${column} from ${noun}s where workspace_id = ? and id = ?`,
        workspace.id,
        record.id ?? "",
      );
      expect(row?.[column] === record[column]).toBeTrue();
      return record[column];
    },
  });
  const first = (name: string) => (data: Record<string, unknown>) => (data[name] as unknown[])[0];
  return [
    place(`post${Noun}`, none, whole, (data) => data[noun]),
    place(
      `post${Noun}s`,
      none,
      (targets, value) => ({ [`${noun}s`]: [whole(targets, value)] }),
      first(`created${Noun}s`),
    ),
    place(
      `put${Noun}`,
      (targets) => ({ [`${noun}Id`]: idOf(targets) }),
      (_, value) => ({ [field]: value }),
      (data) => data[noun],
    ),
    place(
      `put${Noun}s`,
      none,
      (targets, value) => ({ [`${noun}s`]: [{ id: idOf(targets), [field]: value }] }),
      first(`updated${Noun}s`),
    ),
  ];
});

export const places = [...snippetPlaces, ...variationPlaces, ...folderAndTagPlaces].map(
  (place) => [place.operation, place.field, place] as const,
);
