// The operations of the public API that people may use too: same query and body, same rule, under /library, and not charged.

import { type OperationName, operations } from "../../operations.ts";
import type { Action } from "../actions.ts";
import { textQuery, workspaceQuery } from "../fields.ts";
import { defaultsOf } from "./defaults.ts";

/** What each of them asks of a person. */
export const libraryAccess = {
  postSnippet: "library.write",
  putSnippet: "library.write",
  deleteSnippet: "library.write",
  postSnippets: "library.write",
  deleteSnippets: "library.write",
  putSnippetVariation: "library.write",
  deleteSnippetVariation: "library.write",
  postSnippetVariations: "library.write",
  putSnippetVariationsOrder: "library.write",
  postSnippetsRestore: "library.write",
  postFolder: "library.write",
  putFolder: "library.manage",
  deleteFolder: "library.manage",
  postFolders: "library.write",
  putFolders: "library.manage",
  deleteFolders: "library.manage",
  postTag: "library.write",
  putTag: "library.manage",
  deleteTag: "library.manage",
  postTags: "library.write",
  putTags: "library.manage",
  deleteTags: "library.manage",
} as const satisfies { readonly [Name in OperationName]?: Action };

/** An operation of the public API that people may use too. */
export type SharedName = keyof typeof libraryAccess;
// Object.keys is typed as string[]; the keys of this constant are exactly its names.
export const sharedNames = Object.keys(libraryAccess) as SharedName[];

type MethodOf<Name extends SharedName> = Name extends `post${string}`
  ? "POST"
  : Name extends `put${string}`
    ? "PUT"
    : "DELETE";
/** `postSnippet` → `postLibrarySnippet` */
export type LibraryName<Name extends SharedName> = Name extends `${Lowercase<MethodOf<Name>>}${infer Rest}`
  ? `${Lowercase<MethodOf<Name>>}Library${Rest}`
  : never;
export const libraryName = (name: SharedName): LibraryName<SharedName> =>
  // The type says the same.
  name.replace(/^(post|put|delete)/, "$1Library") as LibraryName<SharedName>;

/** Refuses an update of something that somebody has changed since it was read. */
const ifState = {
  ifState: textQuery(
    "The `state` from your last read. If something has changed since then, the request fails with status 409 and returns the `current` snippet.",
    100,
  ),
};
type Guarded = "putSnippet" | "putSnippetVariation";
const isGuarded = (name: SharedName): boolean => name === "putSnippet" || name === "putSnippetVariation";

const { change } = defaultsOf("Library");

const derive = (name: SharedName) => {
  const { method, path, summary, description, query, body, data, metadata } = operations[name];
  return {
    ...change,
    confirmation: "never",
    isAudited: false,
    isLarge: true,
    access: libraryAccess[name],
    method,
    path: `/library${path}`,
    summary,
    ...(description !== undefined && { description }),
    query: { ...workspaceQuery, ...query, ...(isGuarded(name) && ifState) },
    body,
    data,
    metadata,
  };
};

type Row<Name extends SharedName> = Omit<typeof change, "isAudited" | "query" | "body"> & {
  readonly confirmation: "never";
  readonly isAudited: false;
  readonly isLarge: true;
  readonly access: (typeof libraryAccess)[Name];
  readonly method: MethodOf<Name>;
  readonly path: string;
  readonly summary: string;
  readonly query: typeof workspaceQuery &
    (typeof operations)[Name]["query"] &
    (Name extends Guarded ? typeof ifState : unknown);
  readonly body: (typeof operations)[Name]["body"];
  readonly data: (typeof operations)[Name]["data"];
  readonly metadata: (typeof operations)[Name]["metadata"];
};

export const libraryWrites =
  // What `derive` makes of each name is what `Row` says of it.
  Object.fromEntries(sharedNames.map((name) => [libraryName(name), derive(name)])) as unknown as {
    readonly [Name in SharedName as LibraryName<Name>]: Row<Name>;
  };
