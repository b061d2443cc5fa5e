// How the library is organized, decided without a browser: the rows of the tree, what a drop does, undo, colors, and what typing finds.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { ApiError } from "../../web/call.ts";
import type { Folder, Snippet, Tag, Team } from "../../web/library/data.ts";
import { findBest, firstWords } from "../../web/library/palette/rank.ts";
import { formatMarkdown } from "../../web/library/selection/export.ts";
import {
  addDone,
  describeOutcome,
  nothingDone,
  portionsOf,
  sayMoved,
  undoOf,
} from "../../web/library/selection/plan.ts";
import { progress, runPortions } from "../../web/library/selection/run.ts";
import { ChangedSince, offerUndo, undoLast, undoStepsMax } from "../../web/library/selection/undo.ts";
import { buildForest, keysAround, listRows, type TreeRow } from "../../web/library/tree/build-tree.ts";
import { palette } from "../../web/library/tree/colors.ts";
import { type Dragged, dropOn } from "../../web/library/tree/drop.ts";

const times = { workspace_id: "w", created_at: "", updated_at: "" };
const team = (id: string, changes: Partial<Team> = {}): Team => ({
  id,
  name: `Team ${id}`,
  visibility: "private",
  own_role: "admin",
  may_write: true,
  may_manage: true,
  snippet_count: 0,
  archived_count: 0,
  trashed_count: 0,
  has_examples: false,
  ...changes,
});
const folder = (id: string, parent: string | null = null, changes: Partial<Folder> = {}): Folder => ({
  id,
  folder_name: id,
  folder_color: "#777c86",
  parent_folder_id: parent,
  team_id: "a",
  snippet_count: 1,
  archived_count: 0,
  ...times,
  ...changes,
});
const tag = (id: string, parent: string | null = null, changes: Partial<Tag> = {}): Tag => ({
  id,
  tag_name: id,
  tag_color: "#777c86",
  parent_tag_id: parent,
  team_id: "a",
  snippet_count: 1,
  archived_count: 0,
  ...times,
  ...changes,
});

describe("the tree", () => {
  const tree = {
    teams: [team("b"), team("a", { snippet_count: 9, archived_count: 2 })],
    folders: [folder("f10"), folder("f2"), folder("inner", "f2"), folder("innermost", "inner"), folder("lost", "gone")],
    tags: [tag("t"), tag("nested", "t"), tag("of b", null, { team_id: "b" })],
  };
  const show = (toggled: readonly string[]) =>
    listRows(buildForest(tree), new Set(toggled)).map(
      ({ name, level, position, siblingCount, count, isOpen }) =>
        `${"  ".repeat(level - 1)}${name} ${position}/${siblingCount} (${count})${isOpen === undefined ? "" : isOpen ? " open" : " closed"}`,
    );

  test("shows teams with their outermost folders and tags, by name and number, with what is inside a folder counted", () => {
    expect(show([])).toEqual([
      "Team a 1/2 (7) open",
      "  f2 1/4 (3) closed",
      "  f10 2/4 (1)",
      "  lost 3/4 (1)",
      "  Tags 4/4 (1) open",
      "    t 1/1 (1) closed",
      "Team b 2/2 (0) open",
      "  Tags 1/1 (1) open",
      "    of b 1/1 (1)",
    ]);
  });

  test("opens and closes what was toggled; what has to be open for a folder or tag is known", () => {
    expect(keysAround(tree, "folder", "innermost")).toEqual(["folder-inner", "folder-f2", "team-a"]);
    expect(keysAround(tree, "tag", "nested")).toEqual(["tag-t", "tags-a", "team-a"]);
    expect(show(["folder-f2", "folder-inner", "tags-a", "team-b"])).toEqual([
      "Team a 1/2 (7) open",
      "  f2 1/4 (3) open",
      "    inner 1/1 (2) open",
      "      innermost 1/1 (1)",
      "  f10 2/4 (1)",
      "  lost 3/4 (1)",
      "  Tags 4/4 (1) closed",
      "Team b 2/2 (0) closed",
    ]);
  });

  test("counts what the list shows: in the library what is not archived, in the archive what is", () => {
    const folders = [
      folder("outer", null, { snippet_count: 5, archived_count: 1 }),
      folder("inner", "outer", { snippet_count: 3, archived_count: 2 }),
    ];
    const teams = [team("a", { snippet_count: 9, archived_count: 4 })];
    const counts = (isArchive: boolean) =>
      listRows(buildForest({ teams, folders, tags: [] }, isArchive), new Set()).map(({ count }) => count);
    expect(counts(false)).toEqual([5, 5]);
    expect(counts(true)).toEqual([4, 3]);
  });

  test("of ten thousand folders takes less than the time of a frame or two", () => {
    const folders = Array.from({ length: 10_000 }, (_, index) =>
      folder(`f${index}`, index < 100 ? null : `f${Math.floor(index / 100)}`),
    );
    const start = performance.now();
    const rows = listRows(buildForest({ teams: [team("a")], folders, tags: [] }), new Set(["folder-f1"]));
    // Generous: the machine of the tests does other things too.
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(rows).toHaveLength(1 + 100 + 100);
  });
});

describe("a drop", () => {
  const tree = {
    teams: [team("a"), team("b"), team("viewed", { may_write: false, may_manage: false })],
    folders: [folder("outer"), folder("inner", "outer"), folder("other", null, { team_id: "b" })],
    tags: [tag("t"), tag("u", "t")],
  };
  const rows = listRows(buildForest(tree), new Set(["folder-outer", "tag-t"]));
  const rowOf = (key: string): TreeRow => {
    const row = rows.find((candidate) => candidate.key === key);
    if (!row) throw new Error(`no row ${key}`);
    return row;
  };
  const around = (row: TreeRow): string[] => (row.parentKey ? [row.parentKey, ...around(rowOf(row.parentKey))] : []);
  const drop = (what: Dragged, key: string) => dropOn(what, rowOf(key), around(rowOf(key)));
  const snippet = (changes = {}) => ({
    id: "s",
    title: "S",
    team_id: "a",
    folder_id: "outer",
    tag_ids: ["t"],
    ...changes,
  });
  const snippets = (...some: ReturnType<typeof snippet>[]): Dragged => ({ kind: "snippets", snippets: some });

  test("of snippets moves, tags, or takes out of folders, within their team, and does nothing where nothing would change", () => {
    expect(drop(snippets(snippet()), "folder-inner")).toEqual({ act: "moveSnippets", folderId: "inner" });
    expect(drop(snippets(snippet()), "folder-outer")).toBeUndefined();
    expect(drop(snippets(snippet(), snippet({ folder_id: null })), "folder-outer")).toBeDefined();
    expect(drop(snippets(snippet()), "team-a")).toEqual({ act: "moveSnippets", folderId: null });
    expect(drop(snippets(snippet()), "tag-u")).toEqual({ act: "tagSnippets", tagId: "u" });
    expect(drop(snippets(snippet()), "tag-t")).toBeUndefined();
    expect(drop(snippets(snippet()), "tags-a")).toBeUndefined();
    expect(drop(snippets(snippet()), "folder-other")).toBeUndefined();
    expect(drop(snippets(snippet(), snippet({ team_id: "b" })), "folder-inner")).toBeUndefined();
    expect(drop(snippets(snippet({ team_id: "viewed" })), "team-viewed")).toBeUndefined();
  });

  test("of a folder or a tag nests it, never in itself or in what is inside it, and only where one may manage", () => {
    const [outer, inner] = tree.folders.map((one): Dragged => ({ kind: "folder", folder: one }));
    if (!outer || !inner) throw new Error("no folders");
    expect(drop(outer, "folder-inner")).toBeUndefined();
    expect(drop(outer, "folder-outer")).toBeUndefined();
    expect(drop(outer, "team-a")).toBeUndefined();
    expect(drop(inner, "team-a")).toEqual({ act: "nestFolder", parentId: null });
    expect(drop(inner, "folder-other")).toBeUndefined();
    expect(drop(inner, "tag-t")).toBeUndefined();
    const [t, u] = tree.tags.map((one): Dragged => ({ kind: "tag", tag: one }));
    if (!t || !u) throw new Error("no tags");
    expect(drop(t, "tag-u")).toBeUndefined();
    expect(drop(u, "tags-a")).toEqual({ act: "nestTag", parentId: null });
    const row = rowOf("folder-outer");
    const viewed = { ...row, team: { ...row.team, may_manage: false } };
    expect(dropOn(inner, viewed, [])).toBeUndefined();
  });
});

describe("a change of many snippets", () => {
  test("goes in portions of 100, and its undo is what the service says, the last first, without what had nothing to change", () => {
    expect(portionsOf(Array.from({ length: 201 }, (_, index) => index)).map(({ length }) => length)).toEqual([
      100, 100, 1,
    ]);
    expect(portionsOf([])).toEqual([]);
    const first = addDone(nothingDone(4), {
      ids: ["1", "2"],
      undo: [{ id: "1", folderId: "before" }, { id: "2" }],
      refusals: [],
    });
    const outcome = addDone(first, {
      ids: ["3"],
      undo: [{ id: "3", isArchived: false }],
      refusals: ["Snippet not found"],
    });
    expect(undoOf(outcome)).toEqual([
      { id: "3", isArchived: false },
      { id: "1", folderId: "before" },
    ]);
    const moved = sayMoved(4, "Replies");
    expect(describeOutcome(moved, outcome)).toBe("Moved 3 of 4 snippets to “Replies”. 1 failed: Snippet not found.");
    const single = { ...nothingDone(1), ids: ["1"] };
    expect(describeOutcome(moved, single, "Apology")).toBe("Moved “Apology” to “Replies”");
    expect(describeOutcome(sayMoved(1, undefined), single, "Apology")).toBe("Removed “Apology” from its folder");
    expect(describeOutcome(sayMoved(3, undefined), { ...nothingDone(3), ids: ["1", "2", "3"] })).toBe(
      "Removed 3 snippets from their folders",
    );
    expect(describeOutcome(moved, { ...single, ids: [], refusals: ["Snippet not found"] }, "Apology")).toBe(
      "Nothing was changed. Snippet not found.",
    );
    expect(describeOutcome(moved, { ...first, stop: new Error("No connection.") })).toBe(
      "Moved 2 of 4 snippets to “Replies”. No connection.",
    );
  });
});

test("long work shows how far it is, can be stopped after each portion, and waits where the service asks it to", async () => {
  const items = Array.from({ length: 250 }, (_, index) => String(index));
  const shown: (string | undefined)[] = [];
  const unsubscribe = progress.subscribe(() => {
    const state = progress.get();
    shown.push(state && `${state.label} ${state.done} of ${state.total}`);
  });
  let calls = 0;
  const outcome = await runPortions("Moving snippets", items, async (portion) => {
    calls += 1;
    if (calls === 2) throw new ApiError(429, "rate_limited", "Too many.", null, 0);
    if (calls === 3) progress.get()?.stop();
    return { ids: portion, refusals: [] };
  });
  unsubscribe();
  expect(outcome).toMatchObject({ requested: 250, ids: items.slice(0, 200), refusals: [], stop: "person" });
  expect(shown).toEqual([
    "Moving snippets 0 of 250",
    "Moving snippets 100 of 250",
    "Moving snippets 200 of 250",
    undefined,
  ]);

  const failed = await runPortions("Moving snippets", items.slice(0, 2), () =>
    Promise.reject(new ApiError(0, "", "No connection.")),
  );
  expect(failed).toMatchObject({ requested: 2, ids: [], stop: new ApiError(0, "", "No connection.") });
});

test("an export as Markdown has the note as a quotation, and each further text below its name", () => {
  const text = (name: string, content_type: string, content: string) => ({ name, content_type, content });
  const snippet = {
    title: "Count rows",
    snippet_note: "Read\nthis",
    variations: [text("Default", "sql", "select '```'"), text("Short", "plaintext", "Ask me")],
  };
  // Only what the export reads.
  expect(formatMarkdown(snippet as unknown as Snippet)).toBe(
    "# Count rows\n\n> Read\n> this\n\n````sql\nselect '```'\n````\n\n## Short\n\nAsk me\n",
  );
});

test("every color of the palette has a contrast of 3 to 1 against the backgrounds of both themes", async () => {
  const css = await Bun.file(new URL("../../web/colors.css", import.meta.url)).text();
  const backgrounds = [...css.matchAll(/--(?:ground|surface|hover|accent-soft): (#[0-9a-f]{6});/g)].map(
    ([, color = ""]) => color,
  );
  expect(backgrounds).toHaveLength(8);
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
      const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one: string, other: string) => {
    const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const weak = palette.flatMap(({ name, color }) =>
    backgrounds.filter((background) => contrast(color, background) < 3).map((background) => `${name} on ${background}`),
  );
  expect(weak).toEqual([]);
});

test("typing finds names that begin with it before words that do, and those before the rest; marks and case do not count", () => {
  const names = ["Not a refund", "prerefund", "Refunds", "refund", "Über refund", "Invoice"];
  expect(findBest(names, " REFUND ", (name) => name, 10)).toEqual([
    "refund",
    "Refunds",
    "Not a refund",
    "Über refund",
    "prerefund",
  ]);
  expect(findBest(names, "uber ref", (name) => name, 10)).toEqual(["Über refund"]);
  expect(findBest(names, "", (name) => name, 2)).toEqual(["Not a refund", "prerefund"]);
  expect(findBest(["Ångström"], "angstrom", (name) => name, 1)).toEqual(["Ångström"]);
});

test("the first line after the salutation distinguishes a reply from others", () => {
  expect(firstWords("Hi {{name}},\n\nyour order is late.")).toBe("your order is late.");
  expect(firstWords("\n  We are open until nine, seven days a week,\nalso on holidays.")).toBe(
    "We are open until nine, seven days a week,",
  );
  expect(firstWords("Hello,\n")).toBe("Hello,");
  expect(firstWords(" \n")).toBeUndefined();
});

describe("undo", () => {
  /** What was undone, in order. */
  const done: string[] = [];
  const workspaceId = "w";
  const offer = (name: string, run = async () => void done.push(name)) => offerUndo(name, workspaceId, run);
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  const undoAll = async () => {
    done.length = 0;
    for (let step = 0; step < 2 * undoStepsMax; step += 1) undoLast(workspaceId, true);
    await settled();
    return [...done];
  };

  test("goes back through the last ten changes, the last one first, each once", async () => {
    await undoAll();
    for (let number = 1; number <= 12; number += 1) offer(`${number}`);
    expect(await undoAll()).toEqual(["12", "11", "10", "9", "8", "7", "6", "5", "4", "3"]);
    expect(await undoAll()).toEqual([]);
  });

  test("undoes one change after another, and none of another workspace", async () => {
    await undoAll();
    const { promise, resolve } = Promise.withResolvers<void>();
    offer("first");
    offerUndo("elsewhere", "other", async () => void done.push("elsewhere"));
    offer("slow", async () => {
      await promise;
      done.push("slow");
    });
    done.length = 0;
    undoLast(workspaceId, true);
    undoLast(workspaceId, true);
    await settled();
    expect(done).toEqual([]);
    resolve();
    await settled();
    expect(done).toEqual(["slow", "first"]);
    undoLast("other", true);
    await settled();
    expect(done).toEqual(["slow", "first", "elsewhere"]);
  });

  test("can be tried again in its place where the service could not be reached; what was changed since is given up", async () => {
    await undoAll();
    let isReachable = false;
    offer("earlier");
    offer("unreachable", async () => {
      if (!isReachable) throw new ApiError(0, "unreachable", "Can’t reach the service.");
      done.push("reached");
    });
    offer("changed", async () => {
      throw new ChangedSince();
    });
    done.length = 0;
    undoLast(workspaceId, true);
    undoLast(workspaceId, true);
    await settled();
    expect(done).toEqual([]);
    isReachable = true;
    expect(await undoAll()).toEqual(["reached", "earlier"]);
  });
});
