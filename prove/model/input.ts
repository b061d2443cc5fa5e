// What a request may contain, for the reference model: tables written from the specification, without the service's own schemas.
import { capital, type Fields, type Texts } from "./state.ts";

/** A refusal as a client sees it. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly more: Fields = {},
  ) {
    super(message);
  }
}
export const invalid = (message: string) => new Refused(400, "invalid_request", message);
export const cursorInvalid = () => invalid("cursor must be the nextCursor of a response to the same request");
export const sinceInvalid = () => invalid("since must be the cursor of a response to the same request");
export const quotaExceeded = (requiredRequests: number, remainingRequests: number) =>
  new Refused(
    403,
    "quota_exceeded",
    `Insufficient API requests: ${requiredRequests} required, ${remainingRequests} remaining`,
    { usage: { requiredRequests, remainingRequests } },
  );
export const idRequired = (noun: string) => new Refused(400, "id_required", `${noun} ID is required`);

/** Takes a value as it was sent, and its place. @returns what the service understands @throws Refused naming the place and the rule */
type Check = (value: unknown, place: string) => unknown;
type Table = Readonly<Record<string, Check>>;

// biome-ignore lint/suspicious/noExplicitAny: each rule is for a value of some type, which a rule before it has checked
const rule = (phrase: string, isKept: (value: any) => boolean, read = (value: any): unknown => value): Check => {
  return (value, place) => {
    if (value === undefined) throw invalid(`${place} is required`);
    if (!isKept(value)) throw invalid(`${place} must ${phrase}`);
    return read(value);
  };
};
const all = (...checks: Check[]): Check => {
  return (value, place) => checks.reduce((read, check) => check(read, place), value);
};
const orNull = (check: Check): Check => {
  return (value, place) => (value === null ? null : check(value, place));
};
/** The model writes its IDs as `~000012`. One with a `^` at the end stands for the same ID in capitals. */
const uuid = /^(~\d{6}\^?|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$/;
export const sameId = (value: string): string => value.replace("^", "").toLowerCase();
const id = rule("be a UUID", (value) => typeof value === "string" && uuid.test(value), sameId);
const string = rule("be a string", (value) => typeof value === "string");
const within = (min: number, max: number, of: { readonly length: number }) => of.length >= min && of.length <= max;
const text = (min: number, max: number): Check =>
  all(
    string,
    rule(min === 0 ? `be at most ${max} characters` : `be ${min} to ${max} characters`, (value) =>
      within(min, max, [...value]),
    ),
    rule("not contain a NUL character", (value) => !value.includes("\0")),
    rule("not contain a lone surrogate", (value) => value.isWellFormed()),
  );
const oneOf = (...choices: unknown[]): Check =>
  rule(`be ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`, (value) => choices.includes(value));
const oneWordOf = (...words: string[]): Check => {
  const quoted = words.map((word) => `"${word}"`);
  return rule(`be ${quoted.slice(0, -1).join(", ")}, or ${quoted.at(-1)}`, (value) => words.includes(value));
};
const list = (item: Check, min: number, max: number, change = (items: unknown[]) => items): Check =>
  all(
    rule("be an array", Array.isArray, change),
    rule(`have ${min === 0 ? `at most ${max}` : `${min} to ${max}`} items`, (value) => within(min, max, value)),
    (value, place) => (value as unknown[]).map((each, index) => item(each, `${place}[${index}]`)),
  );
/** Different IDs: one that is repeated counts once. */
const idSet = (min: number, max: number): Check =>
  list(id, min, max, (items) => [...new Set(items.map((each) => (typeof each === "string" ? sameId(each) : each)))]);

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const [wholeBody, wholeItem] = ["The request body", "The item"];
/** Fields with a `?` may be absent. */
function object(table: Table, kind = "an object"): Check {
  const known = Object.entries(table).map(([field, check]) => ({ name: field.replace("?", ""), field, check }));
  return all(rule(`be ${kind}`, isObject), (value, place) => {
    const sent = value as Fields;
    const placeOf = (name: string) => (place === wholeBody || place === wholeItem ? name : `${place}.${name}`);
    const unknown = Object.keys(sent).find((sentName) => !known.some(({ name }) => name === sentName));
    if (unknown !== undefined) throw invalid(`${placeOf(unknown)} is not a known field`);
    const read = known.filter(({ name, field }) => name in sent || name === field);
    return Object.fromEntries(read.map(({ name, check }) => [name, check(sent[name], placeOf(name))]));
  });
}
/** Fields of which each may be absent, but not all. */
function changes(fields: Table, more: Table = {}): Check {
  const names = Object.keys(fields);
  const optional = Object.fromEntries(Object.entries(fields).map(([name, check]) => [`${name}?`, check]));
  return all(object({ ...more, ...optional }), (read) => {
    if (names.some((name) => name in (read as Fields))) return read;
    throw invalid(`at least one of these fields is required: ${names.join(", ")}`);
  });
}
/** An item of a batch: understood, or refused. `id` is its ID as it was sent. */
export interface Item {
  readonly index: number;
  readonly id?: string;
  readonly value?: Fields;
  readonly refused?: unknown;
}
/** 1 to 100 items that stand alone. */
const items = (check: Check): Check =>
  all(
    list((each) => each, 1, 100),
    (value) => {
      const seen = new Set<string>();
      return (value as Fields[]).map((each, index): Item => {
        const known = { index, ...(isObject(each) && typeof each.id === "string" && { id: each.id }) };
        const isRepeated = known.id !== undefined && seen.has(sameId(known.id));
        if (known.id !== undefined) seen.add(sameId(known.id));
        try {
          const read = check(each, wholeItem) as Fields;
          if (isRepeated) throw invalid("id must not appear twice in one request");
          return { ...known, value: read };
        } catch (refused) {
          return { ...known, refused };
        }
      });
    },
  );

const [title, note, shortcut, name] = [text(1, 200), orNull(text(0, 5_000)), orNull(text(0, 100)), text(1, 100)];
const [folderId, tagIds, isArchived] = [orNull(id), idSet(0, 100), oneOf(true, false)];
const typeRule = '1 to 50 characters: letters, digits, ".", "_", "+", "/", "-"';
const type = all(
  string,
  rule(`be ${typeRule}`, (value) => /^[A-Za-z0-9._+/-]{1,50}$/.test(value)),
);
const content = object({ type, content: text(0, 1_000_000) }, "an object with type and content");
const variation = object({ content, variationName: name });
const optional = { "note?": note, "shortcut?": shortcut, "folderId?": folderId, "tagIds?": orNull(tagIds) };
const snippet = { ...optional, "additionalVariations?": orNull(list(variation, 0, 100)) };
const newSnippet = object({ title, content, teamId: id, ...snippet });
const differs = ({ name, variationName = name }: Fields) => name !== undefined && name !== variationName;
const oneName: Check = (value) => {
  if (differs(value as Fields)) throw invalid("name and variationName must be the same");
  return value;
};
const eachOnce = rule("contain each ID only once", (value) => new Set(value).size === value.length);
function groupBodies(noun: string): Table {
  const [fields, parent] = [{ [`${noun}Name`]: text(1, 1_000), [`${noun}Color`]: name }, `parent${capital(noun)}Id`];
  const [made, changed] = [
    { ...fields, [`${parent}?`]: orNull(id), teamId: id },
    { ...fields, [parent]: orNull(id) },
  ];
  return {
    [`post${capital(noun)}`]: object(made),
    [`put${capital(noun)}`]: changes(changed),
    [`post${capital(noun)}s`]: object({ [`${noun}s`]: items(object(made)) }),
    [`put${capital(noun)}s`]: object({ [`${noun}s`]: items(changes(changed, { id })) }),
  };
}
const bodies: Table = {
  ...groupBodies("folder"),
  ...groupBodies("tag"),
  postSnippet: newSnippet,
  postSnippets: object({ snippets: items(newSnippet) }),
  putSnippet: changes({ title, content, note, shortcut, folderId, tagIds, isArchived }),
  putSnippetVariation: all(changes({ name, variationName: name, content }), oneName),
  deleteSnippetVariation: object({ variationIds: idSet(1, 100) }),
  postSnippetVariations: object({ variations: items(variation) }),
  putSnippetVariationsOrder: object({ variationIds: all(list(id, 1, 101), eachOnce) }),
  postSnippetsRestore: object({ snippetIds: idSet(1, 100) }),
};
/** Reads a body as it was sent: text. */
export function readBody(operation: string, sent: string | undefined): Fields {
  if (operation === "postImport") return JSON.parse(sent ?? "");
  const check = bodies[operation];
  if (!check || (operation === "deleteSnippetVariation" && sent === undefined)) return {};
  if (sent === undefined) throw new Refused(400, "body_required", "A JSON body is required");
  let value: unknown;
  try {
    value = JSON.parse(sent);
  } catch {
    throw new Refused(400, "invalid_json", "The request body is not valid JSON");
  }
  return check(value, wholeBody) as Fields;
}

// Parameters, all of which are sent as text.
const split = (value: string): string[] => (value.startsWith("[") ? JSON.parse(value) : value.split(","));
const eachOf = (check: Check, name: string): Check => {
  return (value, place) => split(String(value)).map((each) => check(each.trim(), `each ${name} ${place}`));
};
const some = rule("contain 1 to 100 unique IDs", ({ size }) => size <= 100, Array.from);
const ids = all(eachOf(id, "ID in"), (value) => new Set(value as string[]), some);
const integer = (min: number, max = Number.POSITIVE_INFINITY): Check => {
  const range = max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`;
  return rule(`be an integer ${range}`, (value) => /^\d+$/.test(value) && value >= min && value <= max, Number);
};
const timeRule = "be an ISO 8601 timestamp with a UTC offset, such as 2026-01-31T09:30:00Z";
const time = rule(
  timeRule,
  (value) => /^\d{4}-\d\d-\d\dT/.test(value),
  (value) => new Date(value).toISOString(),
);
const flag = all(oneOf("true", "false"), (value) => value === "true");
const nextCursor: Check = (value) => {
  if (value === "") throw cursorInvalid();
  return value;
};

const since: Check = (value) => {
  if (value === "") throw sinceInvalid();
  return value;
};

/** How it is read, what it is when it is absent, and its names: the documented one, then others. */
const parameter = (check: Check, absent?: unknown, ...names: string[]) => ({ check, absent, names });
const idOf = (noun: string, ...names: string[]) => parameter(id, idRequired(noun), ...names);
const idsOf = (noun: string, ...names: string[]) =>
  parameter(ids, new Refused(400, "ids_required", `${noun} IDs are required`), ...names);
const paged = (usual: number) => ({ limit: parameter(integer(1, 100), usual), offset: parameter(integer(0), 0) });

type Query = Readonly<Record<string, ReturnType<typeof parameter>>>;
function queriesOf(noun: string, one: Query, all: Query, pages: readonly Query[] = []): Record<string, Query> {
  const changed = { [`put${noun}`]: one, [`delete${noun}`]: one, [`delete${noun}s`]: all };
  return { ...changed, [`get${noun}`]: { ...one, ...pages[0] }, [`get${noun}s`]: { ...all, ...pages[1] } };
}
const ofSnippet = { id: idOf("Snippet", "snippetId", "id") };
const variationId = idOf("Variation");
const [teamId, limit, cursor] = [parameter(id), parameter(integer(1, 100), 50), parameter(nextCursor)];
export const searchedFields = ["title", "shortcut", "tags", "note", "content"];
const queries: Readonly<Record<string, Query>> = {
  ...queriesOf("Snippet", { id: idOf("Snippet", "id", "snippetId") }, { ids: idsOf("Snippet", "ids", "snippetIds") }),
  ...queriesOf("Folder", { id: idOf("Folder", "folderId", "id") }, { ids: idsOf("Folder", "folderIds", "ids") }, [
    paged(50),
    paged(20),
  ]),
  ...queriesOf("Tag", { id: idOf("Tag", "tagId", "id") }, { ids: idsOf("Tag", "tagIds", "ids") }, [paged(50)]),
  getSnippetVariations: ofSnippet,
  postSnippetVariations: ofSnippet,
  putSnippetVariationsOrder: ofSnippet,
  getSnippetVariation: { id: idOf("Snippet", "snippetId"), variationId },
  putSnippetVariation: { variationId },
  deleteSnippetVariation: { variationId: parameter(id) },
  getSnippetVariationHistory: { variationId, limit, fromDate: parameter(time, "0"), toDate: parameter(time, "9") },
  getTree: { teamId },
  getShortcut: { shortcut: parameter(text(1, 100), invalid("shortcut is required")), teamId },
  getText: {
    id: parameter(id, undefined, "id", "snippetId"),
    shortcut: parameter(text(1, 100)),
    teamId,
    variation: parameter(text(1, 100)),
  },
  getSearch: {
    ...{ query: parameter(text(1, 500)), teamId, folderId: parameter(id), inside: parameter(flag, false) },
    ...{ tagIds: parameter(ids, []), contentType: parameter(text(1, 50)), createdBy: parameter(id) },
    ...{ isArchived: parameter(flag, false), updatedSince: parameter(time, "0"), createdSince: parameter(time, "0") },
    sort: parameter(oneWordOf("relevance", "updated", "created", "title")),
    ...{ in: parameter(eachOf(oneWordOf(...searchedFields), "value of"), searchedFields), limit, cursor },
  },
  getTrash: { teamId, limit, cursor },
  postImport: {
    ...{ teamId: idOf("Team"), folderId: parameter(id), fileName: parameter(text(1, 200)) },
    onDuplicate: parameter(
      rule('be "skip", "replace", or "keep"', (value) => ["skip", "replace", "keep"].includes(value)),
      "skip",
    ),
    ...{ allOrNothing: parameter(flag, false), dryRun: parameter(flag, false) },
  },
  getChanges: { since: parameter(since), teamId, limit, wait: parameter(integer(0, 25), 0) },
};
/** These read as prepositions in a message, so they are quoted. */
const inSentence = (name: string): string => (name === "in" || name === "inside" ? `"${name}"` : name);
export const readQuery = (operation: string, sent: Texts): Fields =>
  Object.fromEntries(
    Object.entries(queries[operation] ?? {}).map(([name, { check, absent, names }]) => {
      const found = (names.length > 0 ? names : [name]).find((each) => each in sent);
      if (found === undefined && absent instanceof Refused) throw absent;
      return [name, found === undefined ? absent : check(sent[found], inSentence(found))];
    }),
  );
