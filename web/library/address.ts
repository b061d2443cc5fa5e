// What the library page shows, as the query of its address: a link opens the same for a colleague, and the back button works.

export const sorts = ["relevance", "updated", "created", "title"] as const;
export type Sort = (typeof sorts)[number];

export const shelves = ["current", "archived", "all", "trash", "activity"] as const;
/** Where the listed snippets are, or the activity in place of a list. `all` is the library with its archive. */
export type Shelf = (typeof shelves)[number];

/** True where snippets are listed; trash and activity are lists of their own. */
export const listsSnippets = (shelf: Shelf): boolean => shelf !== "trash" && shelf !== "activity";

export const modes = ["read", "edit", "new", "history"] as const;
/** What the right pane does with the open snippet. */
export type Mode = (typeof modes)[number];

export interface View {
  readonly shelf: Shelf;
  readonly query: string;
  readonly teamId: string | undefined;
  readonly folderId: string | undefined;
  /** With a folder: what is in the folders inside it is listed too. */
  readonly isInside: boolean;
  readonly tagIds: readonly string[];
  readonly contentType: string | undefined;
  /** The id of a person or a key. */
  readonly authorId: string | undefined;
  /** A date, such as `2026-11-21`. */
  readonly since: string | undefined;
  /** Undefined: by relevance with a query, otherwise by the last change. */
  readonly sort: Sort | undefined;
  readonly snippetId: string | undefined;
  /** Undefined: the first. */
  readonly variationId: string | undefined;
  readonly mode: Mode;
  /** Where not all panes fit: the left one is shown. */
  readonly isBrowsing: boolean;
}

export const emptyView: View = {
  shelf: "current",
  query: "",
  teamId: undefined,
  folderId: undefined,
  isInside: true,
  tagIds: [],
  contentType: undefined,
  authorId: undefined,
  since: undefined,
  sort: undefined,
  snippetId: undefined,
  variationId: undefined,
  mode: "read",
  isBrowsing: false,
};

/** Reads the query of an address. What it does not know, it ignores. */
export function parseView(search: string): View {
  const parameters = new URLSearchParams(search);
  const text = (name: string) => parameters.get(name) || undefined;
  const oneOf = <Value extends string>(values: readonly Value[], name: string) =>
    values.find((value) => value === parameters.get(name));
  return {
    shelf: oneOf(shelves, "in") ?? emptyView.shelf,
    query: parameters.get("q") ?? "",
    teamId: text("team"),
    folderId: text("folder"),
    isInside: parameters.get("inside") !== "no",
    tagIds: text("tags")?.split(",").filter(Boolean) ?? [],
    contentType: text("type"),
    authorId: text("by"),
    since: text("since"),
    sort: oneOf(sorts, "sort"),
    snippetId: text("snippet"),
    variationId: text("variation"),
    mode: oneOf(modes, "do") ?? emptyView.mode,
    isBrowsing: parameters.has("browse"),
  };
}

/** The query of the address that shows this, with its question mark; empty for the page without any choice. */
export function formatView(view: View): string {
  const parameters = new URLSearchParams();
  const set = (name: string, value: string | undefined | false) => {
    if (value) parameters.set(name, value);
  };
  set("in", view.shelf !== emptyView.shelf && view.shelf);
  set("q", view.query);
  set("team", view.teamId);
  set("folder", view.folderId);
  set("inside", view.folderId !== undefined && !view.isInside && "no");
  set("tags", view.tagIds.join(","));
  set("type", view.contentType);
  set("by", view.authorId);
  set("since", view.since);
  set("sort", view.sort);
  set("snippet", view.snippetId);
  set("variation", view.snippetId !== undefined && view.variationId);
  set("do", view.mode !== emptyView.mode && view.mode);
  set("browse", view.isBrowsing && "yes");
  return parameters.size > 0 ? `?${parameters}` : "";
}

/** What narrows the list; the rest of a view says how it is shown. */
export const noFilters = {
  teamId: undefined,
  folderId: undefined,
  isInside: true,
  tagIds: [],
  contentType: undefined,
  authorId: undefined,
  since: undefined,
} as const satisfies Partial<View>;

/** True where anything narrows the list. */
export const isNarrowed = (view: View): boolean =>
  view.query !== "" ||
  view.tagIds.length > 0 ||
  [view.teamId, view.folderId, view.contentType, view.authorId, view.since].some((value) => value !== undefined);
