// A test case for each operation, written by hand and never taken from the table under test.
import type { Targets } from "./targets.ts";

export interface Request {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Case {
  /** The cost of the request with targets of the caller's own team. */
  readonly units: number;
  /** Round trips to PostgreSQL, as docs/how/benchmarks.md states them; each may become less. */
  readonly roundTripsMax: number;
  readonly request: (on: Targets) => Request;
  /** Every position in the query or body of a request that contains an ID. */
  readonly places: readonly Place[];
  /** Query parameters with an ID that only narrows down a list. */
  readonly filters?: readonly Place[];
  /** The query parameters that are neither places nor what a request is about. */
  readonly otherParameters?: readonly string[];
  readonly body?: BodyCase;
}

export type Noun = "Snippet" | "Variation" | "Folder" | "Tag" | "Team" | "Import";

/**
 * A place that carries an ID. A target decides about the call (404, 403). A list leaves out what it cannot access. A reference is checked
 * after the target (400 naming the field). A pair is two IDs that must belong together (404 where they do not). A part is looked for in
 * the target, once that is found (404).
 */
export interface Place {
  readonly at: string;
  readonly role: "target" | "list" | "reference" | "pair" | "part";
  readonly noun: Noun;
  /** A request in which only this place has an ID of `on`; the others have IDs of `own`. */
  readonly request: (own: Targets, on: Targets) => Request;
  /** The resource that a reference is checked against. */
  readonly targetNoun?: Noun;
  /** For a query parameter: its documented name, then its aliases. */
  readonly names?: readonly string[];
  /** True for a query parameter that can be left out. */
  readonly isOptional?: true;
  /** For a query parameter: the target that it names. */
  readonly target?: keyof Targets;
  /** For a reference: it names parts of the target itself, and this is what it is refused with where it does not. */
  readonly rule?: string;
  /** True where a request that is carried out changes nothing. */
  readonly changesNothing?: true;
}

/** Every position that contains an ID. */
export const allPlaces = ({ places, filters = [] }: Case): readonly Place[] => [...places, ...filters];

/** Whether a request needs an import of the test's own. */
export const needsImport = (example: Case): boolean => allPlaces(example).some(({ at }) => at === "query importId");

/** The resource without which the call is refused; undefined for a list, which leaves it out, and for a call without IDs. */
export const requiredNoun = ({ places }: Case): Noun | undefined => places.find(({ role }) => role === "target")?.noun;

/** A query parameter with an ID in it. */
export type QueryPlace = Place & Required<Pick<Place, "names" | "target">>;
export const isInQuery = (place: Place): place is QueryPlace => place.names !== undefined;

/** A query parameter with the ID of the resource that the call is about. */
export const idInQuery = (noun: Noun, target: keyof Targets, names: readonly string[], body?: object): QueryPlace => ({
  at: `query ${names[0]}`,
  role: "target",
  noun,
  names,
  target,
  request: (_, on) => ({ query: { [names[0] ?? ""]: on[target] }, ...(body && { body }) }),
});

/** A query parameter with a list of IDs. */
export const idsInQuery = (noun: Noun, target: keyof Targets, names: readonly string[]): QueryPlace => ({
  ...idInQuery(noun, target, names),
  role: "list",
});

/** A field of the body with the ID of the resource that the call is about. */
export const idInBody = (field: string, noun: Noun, request: (on: Targets) => Request): Place => ({
  at: `body ${field}`,
  role: "target",
  noun,
  request: (_, on) => request(on),
});

/** A field of the body that refers to a folder or tag, which must be of the target's team. */
export const reference = (
  field: string,
  noun: "Folder" | "Tag",
  targetNoun: Noun,
  request: Place["request"],
): Place => ({ at: `body ${field}`, role: "reference", noun, targetNoun, request });

/** What a field of a body accepts. */
export type FieldKind =
  | "text"
  | "nullable text"
  | "type"
  | "id"
  | "nullable id"
  | "ids"
  | "nullable ids"
  | "different ids"
  | "flag"
  | "content"
  | "variations";

export interface BodyCase {
  /** The array that the items are in, where the body is a batch. */
  readonly batch?: string;
  /** True for a body that is sent instead of the IDs in the query. */
  readonly isInsteadOfQuery?: true;
  readonly fields: Readonly<Record<string, FieldKind>>;
  readonly required: readonly string[];
  /** A body with every field. */
  readonly whole: (on: Targets) => Record<string, unknown>;
}
