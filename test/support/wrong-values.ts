// Invalid values for every kind of field, and field names that no request has.
import type { FieldKind } from "./case.ts";
import { text } from "./service.ts";

/** A well-formed ID. */
export const uuid = "01890000-0000-7000-8000-000000000000";
/** Texts that are not IDs. */
const noIds = [
  "x",
  "",
  " ",
  "null",
  uuid.slice(1),
  uuid.replaceAll("-", ""),
  `{${uuid}}`,
  ` ${uuid}`,
  `${uuid}\n`,
  "'; drop table snippets; --",
];

const variation = { variationName: "More", content: text("More") };

/** Every invalid value of a field, with the path that the refusal must start with. */
export function wrongValues(name: string, kind: FieldKind): (readonly [path: string, value: unknown])[] {
  const at = (path: string, values: readonly unknown[]) => values.map((value) => [path, value] as const);
  const noText: unknown[] = [
    true,
    false,
    0,
    5,
    -1.5,
    1e308,
    [],
    ["x"],
    [[]],
    {},
    { length: 1 },
    { toString: "x" },
    { "0": "a" },
  ];
  const noObject: unknown[] = ["", "x", true, 0, 5, [], ["x"], [{}], [null]];
  switch (kind) {
    case "text":
      return at(name, [null, ...noText]);
    case "nullable text":
      return at(name, noText);
    case "type":
      return at(name, [null, "", "a b", "é", ...noText]);
    case "id":
      return at(name, [null, ...noText, ...noIds, [uuid], { id: uuid }]);
    case "nullable id":
      return at(name, [...noText, ...noIds, [uuid], { id: uuid }]);
    case "ids":
      return [...at(name, [null]), ...wrongValues(name, "nullable ids")];
    case "different ids":
      return [
        // A hundred and one are allowed.
        ...wrongValues(name, "ids").slice(0, -1),
        ...at(name, [
          [],
          [uuid, uuid],
          [uuid, uuid.toUpperCase()],
          Array.from({ length: 102 }, () => Bun.randomUUIDv7()),
        ]),
      ];
    case "nullable ids":
      return [
        ...at(name, ["", "x", uuid, `["${uuid}"]`, true, 5, {}, { "0": uuid, length: 1 }, { length: 1e9 }]),
        ...[null, ...noText, ...noIds].flatMap((value) => [
          ...at(`${name}[0]`, [[value]]),
          ...at(`${name}[1]`, [[uuid, value, 5]]),
        ]),
        ...at(name, [Array.from({ length: 101 }, () => Bun.randomUUIDv7())]),
      ];
    case "flag":
      return at(name, [null, "true", "false", "", 0, 1, [], [true], {}]);
    case "content":
      return [
        ...at(name, [null, ...noObject]),
        ...at(`${name}.type`, [{}, { content: "x" }]),
        ...at(`${name}.content`, [{ type: "code" }]),
        ...wrongValues(`${name}.type`, "type").map(([path, value]) => [path, { type: value, content: "x" }] as const),
        ...wrongValues(`${name}.content`, "text").map(
          ([path, value]) => [path, { type: "code", content: value }] as const,
        ),
      ];
    case "variations": {
      const inItem = (wrong: readonly (readonly [string, unknown])[], item: (value: unknown) => object) =>
        wrong.map(([path, value]) => [path, [item(value)]] as const);
      return [
        ...at(name, ["", "x", true, 5, {}, { "0": variation, length: 1 }, Array(101).fill(variation)]),
        ...[null, "x", 5, true, []].map((value) => [`${name}[0]`, [value]] as const),
        ...at(`${name}[0].content`, [[{ variationName: "N" }]]),
        ...at(`${name}[0].variationName`, [[{ content: text("x") }]]),
        ...inItem(wrongValues(`${name}[0].variationName`, "text"), (variationName) => ({
          variationName,
          content: text("x"),
        })),
        ...inItem(wrongValues(`${name}[0].content`, "content"), (content) => ({ variationName: "N", content })),
        ...at(`${name}[1]`, [[variation, 5]]),
      ];
    }
  }
}

/** Names that occur in records, envelopes and prototypes, but in no request. */
export const fieldsNeverSent = [
  ...[
    "snippet_note",
    "folder_id",
    "team_id",
    "workspace_id",
    "is_archived",
    "created_at",
    "updated_at",
    "created_by",
    "tag_ids",
  ],
  ...[
    "variations",
    "snippet_id",
    "variant_order_index",
    "version_id",
    "changed_at",
    "folder_name",
    "folder_color",
    "parent_folder_id",
  ],
  ...[
    "tag_name",
    "tag_color",
    "parent_tag_id",
    "snippets ",
    "total_snippets",
    "workspaceId",
    "createdBy",
    "createdAt",
    "updatedAt",
  ],
  ...[
    "success",
    "data",
    "usage",
    "units",
    "balance",
    "is_all_teams",
    "teamIds",
    "Title",
    "title ",
    "TeamId",
    "",
    " ",
    "💥",
    "a.b",
    "$where",
    "' or 1=1 --",
  ],
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "valueOf",
    "toJSON",
    "hasOwnProperty",
    "__defineGetter__",
    "length",
  ],
];
/** Names that some requests have and others do not. */
export const outputFieldsThatAreInputsElsewhere = [
  "id",
  "title",
  "content",
  "shortcut",
  "name",
  "teamId",
  "folderId",
  "tagIds",
  "isArchived",
  "note",
  "type",
  "variationName",
  "tags",
  "folders",
  "snippets",
  "variationIds",
];
