// What a request may contain, for the reference model: written from the specification, without the service's own schemas.

/** A refusal as a client sees it. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

export const invalid = (message: string): Refused => new Refused(400, "invalid_request", message);
export const cursorInvalid = (): Refused => invalid("cursor must be the nextCursor of a response to the same request");
export const idIsRequired = (noun: string): Refused => new Refused(400, "id_required", `${noun} ID is required`);

/** A value that was sent, and where. Returns it as the service understands it. @throws Refused naming the place and the rule */
export type Check = (value: unknown, place: string) => unknown;
export type Fields = Readonly<Record<string, unknown>>;

/** The model writes its IDs as `~000012`. One with a `^` at the end stands for the same ID in capitals. */
const idPattern = /^(~\d{6}\^?|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$/;
const isId = (value: string): boolean => idPattern.test(value);
export const sameId = (value: string): string => value.replace("^", "").toLowerCase();

function refuse(value: unknown, place: string, rule: string): never {
  throw invalid(`${place} ${value === undefined ? "is required" : `must be ${rule}`}`);
}

const text =
  (min: number, max: number): Check =>
  (value, place) => {
    if (typeof value !== "string") return refuse(value, place, "a string");
    const length = [...value].length;
    if (length < min || length > max) return refuse(value, place, `${min} to ${max} characters`);
    if (value.includes("\0")) throw invalid(`${place} must not contain a NUL character`);
    if (/\p{Surrogate}/u.test(value)) throw invalid(`${place} must not contain a lone surrogate`);
    return value;
  };
const id: Check = (value, place) => {
  if (typeof value !== "string" || !isId(value)) return refuse(value, place, "a UUID");
  return sameId(value);
};
const flag: Check = (value, place) => (typeof value === "boolean" ? value : refuse(value, place, "true or false"));
const orNull =
  (check: Check): Check =>
  (value, place) =>
    value === null ? null : check(value, place);
/** A field that may be absent. */
const optional = (check: Check): Check & { optional?: true } =>
  Object.assign((value: unknown, place: string) => check(value, place), { optional: true as const });

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const inside = (place: string, name: string): string => (place === "" ? name : `${place}.${name}`);

function object(
  fields: Readonly<Record<string, Check & { optional?: true }>>,
  root: string,
  rule = "an object",
): Check {
  return (value, place) => {
    if (!isObject(value)) return refuse(value, place || root, rule);
    for (const name of Object.keys(value))
      if (!(name in fields)) throw invalid(`${inside(place, name)} is not a known field`);
    const read: Record<string, unknown> = {};
    for (const [name, check] of Object.entries(fields))
      if (name in value || !check.optional) read[name] = check(value[name], inside(place, name));
    return read;
  };
}
const list =
  (item: Check, min: number, max: number, isSet = false): Check =>
  (value, place) => {
    if (!Array.isArray(value)) return refuse(value, place, "an array");
    const items = isSet ? [...new Set(value.map((each) => (typeof each === "string" ? sameId(each) : each)))] : value;
    if (items.length < min || items.length > max)
      throw invalid(`${place} must have ${min === 0 ? `at most ${max}` : `${min} to ${max}`} items`);
    return items.map((each, index) => item(each, `${place}[${index}]`));
  };
const someFieldOf =
  (check: Check, names: readonly string[]): Check =>
  (value, place) => {
    const read = check(value, place) as Fields;
    if (!names.some((name) => name in read))
      throw invalid(`at least one of these fields is required: ${names.join(", ")}`);
    return read;
  };

const contentType: Check = (value, place) => {
  if (typeof value !== "string") return refuse(value, place, "a string");
  if (/^[A-Za-z0-9._+/-]{1,50}$/.test(value)) return value;
  return refuse(value, place, '1 to 50 characters: letters, digits, ".", "_", "+", "/", "-"');
};
const content = object({ type: contentType, content: text(0, 1_000_000) }, "", "an object with type and content");
const variation = (root: string) => object({ content, variationName: text(1, 100) }, root);

const snippet = (root: string) =>
  object(
    {
      title: text(1, 200),
      content,
      teamId: id,
      note: optional(orNull(text(0, 5_000))),
      shortcut: optional(orNull(text(0, 100))),
      folderId: optional(orNull(id)),
      tagIds: optional(orNull(list(id, 0, 100, true))),
      additionalVariations: optional(orNull(list(variation(""), 0, 100))),
    },
    root,
  );
const changedSnippet = {
  title: optional(text(1, 200)),
  content: optional(content),
  note: optional(orNull(text(0, 5_000))),
  shortcut: optional(orNull(text(0, 100))),
  folderId: optional(orNull(id)),
  tagIds: optional(list(id, 0, 100, true)),
  isArchived: optional(flag),
};
const whole = "The request body";
const groupNames = (noun: string) => [
  `${noun}Name`,
  `${noun}Color`,
  `parent${noun[0]?.toUpperCase()}${noun.slice(1)}Id`,
];
const group = (noun: string, root: string) => {
  const [name = "", color = "", parent = ""] = groupNames(noun);
  return object({ [name]: text(1, 1_000), [color]: text(1, 100), [parent]: optional(orNull(id)), teamId: id }, root);
};
const changedGroup = (noun: string, root: string) => {
  const [name = "", color = "", parent = ""] = groupNames(noun);
  const known = {
    [name]: optional(text(1, 1_000)),
    [color]: optional(text(1, 100)),
    [parent]: optional(orNull(id)),
  };
  return someFieldOf(object(root === whole ? known : { id, ...known }, root), groupNames(noun));
};
const differing: Check = (value, place) => {
  const names = ["name", "variationName", "content"];
  const read = someFieldOf(
    object({ name: optional(text(1, 100)), variationName: optional(text(1, 100)), content: optional(content) }, whole),
    names,
  )(value, place) as Fields;
  if (read.name !== undefined && read.variationName !== undefined && read.name !== read.variationName)
    throw invalid("name and variationName must not differ");
  return read;
};
const eachOnce: Check = (value, place) => {
  const ids = list(id, 1, 101)(value, place) as string[];
  if (new Set(ids).size < ids.length) throw invalid(`${place} must contain each ID only once`);
  return ids;
};

/** An item of a batch: understood, or refused. `sentId` is its ID as it was sent. */
export interface Item {
  readonly index: number;
  readonly sentId: string | undefined;
  readonly value?: Fields;
  readonly refused?: Refused;
}

/** An array of 1 to 100 items that stand alone. */
const batch =
  (field: string, item: Check): Check =>
  (value) => {
    if (!isObject(value)) throw invalid(`${whole} must be an object`);
    const unknown = Object.keys(value).find((name) => name !== field);
    if (unknown !== undefined) throw invalid(`${unknown} is not a known field`);
    const items = list((each) => each, 1, 100)(value[field], field) as unknown[];
    const seen = new Set<string>();
    return items.map((each, index): Item => {
      const sentId = isObject(each) && typeof each.id === "string" ? each.id : undefined;
      const isRepeated = sentId !== undefined && seen.has(sameId(sentId));
      if (sentId !== undefined) seen.add(sameId(sentId));
      try {
        const read = item(each, "") as Fields;
        if (isRepeated) throw invalid("id must not appear twice in one request");
        return { index, sentId, value: read };
      } catch (error) {
        if (error instanceof Refused) return { index, sentId, refused: error };
        throw error;
      }
    });
  };

/** The bodies, by operation. */
export const bodies: Readonly<Record<string, Check>> = {
  postSnippet: snippet(whole),
  putSnippet: someFieldOf(object(changedSnippet, whole), Object.keys(changedSnippet)),
  postSnippets: batch("snippets", snippet("The item")),
  putSnippetVariation: differing,
  deleteSnippetVariation: object({ variationIds: list(id, 1, 100, true) }, whole),
  postFolder: group("folder", whole),
  putFolder: changedGroup("folder", whole),
  postFolders: batch("folders", group("folder", "The item")),
  putFolders: batch("folders", changedGroup("folder", "The item")),
  postTag: group("tag", whole),
  putTag: changedGroup("tag", whole),
  postTags: batch("tags", group("tag", "The item")),
  putTags: batch("tags", changedGroup("tag", "The item")),
  postSnippetVariations: batch("variations", variation("The item")),
  putSnippetVariationsOrder: object({ variationIds: eachOnce }, whole),
  postSnippetsRestore: object({ snippetIds: list(id, 1, 100, true) }, whole),
};

/** Reads a body as it was sent: text. */
export function readBody(operation: string, sent: string | undefined): unknown {
  const check = bodies[operation];
  if (!check || (operation === "deleteSnippetVariation" && sent === undefined)) return undefined;
  if (sent === undefined) throw new Refused(400, "body_required", "A JSON body is required");
  let value: unknown;
  try {
    value = JSON.parse(sent);
  } catch {
    throw new Refused(400, "invalid_json", "The request body is not valid JSON");
  }
  return check(value, "");
}

/** The parameters of a request, each read when an operation asks for it. The first name is the documented one, the others are aliases. */
export class Parameters {
  constructor(private readonly sent: Readonly<Record<string, string>>) {}

  /** @returns the value as it was sent, and the name that it was sent under */
  private find(names: readonly string[]): { value: string; name: string } | undefined {
    const name = names.find((each) => each in this.sent);
    return name === undefined ? undefined : { value: this.sent[name] ?? "", name };
  }
  id(...names: string[]): string | undefined {
    const found = this.find(names);
    if (found && !isId(found.value)) throw invalid(`${found.name} must be a UUID`);
    return found && sameId(found.value);
  }
  requiredId(noun: string, ...names: string[]): string {
    const found = this.id(...names);
    if (found === undefined) throw idIsRequired(noun);
    return found;
  }
  ids(...names: string[]): string[] | undefined {
    const found = this.find(names);
    if (!found) return undefined;
    const { value, name } = found;
    const parts = value.startsWith("[") ? (JSON.parse(value) as string[]) : value.split(",");
    const ids = new Set(
      parts.map((part) => {
        if (!isId(part.trim())) throw invalid(`each of ${name} must be a UUID`);
        return sameId(part.trim());
      }),
    );
    if (ids.size > 100) throw invalid(`${name} must contain 1 to 100 different IDs`);
    return [...ids];
  }
  requiredIds(noun: string, ...names: string[]): string[] {
    const found = this.ids(...names);
    if (!found) throw new Refused(400, "ids_required", `${noun} IDs are required`);
    return found;
  }
  integer(name: string, min: number, max: number | undefined, whenAbsent: number): number {
    const found = this.find([name]);
    if (!found) return whenAbsent;
    const value = /^\d+$/.test(found.value) ? Number(found.value) : -1;
    if (value < min || (max !== undefined && value > max))
      throw invalid(`${name} must be an integer ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}`);
    return value;
  }
  time(name: string): string | undefined {
    const found = this.find([name]);
    if (found && !/^\d{4}-\d\d-\d\dT/.test(found.value))
      throw invalid(`${name} must be an ISO 8601 timestamp with a UTC offset, such as 2026-01-31T09:30:00Z`);
    return found && new Date(found.value).toISOString();
  }
  text(name: string, max: number): string | undefined {
    const found = this.find([name]);
    if (found && (found.value === "" || [...found.value].length > max))
      throw invalid(`${name} must be 1 to ${max} characters`);
    return found?.value;
  }
  /** One of a few words. */
  word(name: string, words: readonly string[]): string | undefined {
    return this.find([name]) && this.words(name, words, name)?.[0];
  }
  /** Some of a few words. */
  words(name: string, words: readonly string[], place = `each of ${name}`): string[] | undefined {
    const found = this.find([name])?.value.split(",");
    if (found && !found.every((each) => words.includes(each)))
      throw invalid(`${place} must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`);
    return found;
  }
  flag = (name: string): boolean => this.word(name, ["true", "false"]) === "true";
  cursor(): string | undefined {
    const found = this.find(["cursor"])?.value;
    if (found === "") throw cursorInvalid();
    return found;
  }
}
