// `cpl list` and `cpl search`: many snippets, as a table, as lines for programs, or as a list to choose from.
import { type Commonplace, CommonplaceError, type FoundSnippet } from "../../../sdk/src/index.ts";
import { inert } from "../../../src/contract/printable.ts";
import type { Command, Context } from "../command.ts";
import { Canceled, UsageError } from "../failures.ts";
import { fillPlaceholders } from "../placeholders.ts";
import { findGroups, findTeam } from "../references.ts";
import { copyText } from "../terminal/clipboard.ts";
import { pick, teamColumnsMax } from "../terminal/picker.ts";
import { formatCount, formatMoment, print, printJson, printTable, status } from "../terminal/print.ts";
import { fit, oneLine } from "../terminal/style.ts";
import { teamOption } from "./get.ts";

const countDefault = 50;
const countMax = 10_000;
/** As many as one request returns. */
const pageItemsMax = 100;

const filters = {
  team: teamOption,
  folder: {
    value: "FOLDER",
    meaning: "only this folder and its subfolders, by path (such as Replies/Refunds) or ID",
  },
  tag: { value: "TAG", meaning: "only snippets with this tag, by name or ID", isRepeatable: true },
  archived: { meaning: "only archived snippets" },
  limit: { value: "N", meaning: `maximum number of snippets (default: ${countDefault}); each costs 1 unit` },
} as const;

export const list: Command = {
  name: "list",
  summary: "List snippets, most recently changed first",
  arguments: [],
  options: filters,
  notes: [
    "In a terminal, snippets of several teams are listed with the names of the teams,",
    "for 1 more unit. In a pipe, each line contains the ID, the shortcut, and the",
    "title, separated by tabs.",
  ],
  isOfflineAllowed: true,
  run: async (context) => printFound(context, await find(context, undefined)),
};

export const search: Command = {
  name: "search",
  summary: "Find snippets by words in the title, shortcut, tags, note, or text",
  arguments: [
    {
      value: "WORDS",
      meaning: `words to find; '"exact phrase"' finds a phrase, and -- -word excludes a word`,
      isRepeatable: true,
    },
  ],
  options: { ...filters, plain: { meaning: "print lines, even in a terminal" } },
  notes: [
    "In a terminal, choose from the list: type to narrow it down; press Enter to",
    "print the text, Ctrl+Y to copy it, or Esc to cancel. Snippets of several teams",
    "are listed with the names of the teams, for 1 more unit. In a pipe, each line",
    "contains the ID, the shortcut, and the title, separated by tabs. Put options",
    "before the --.",
  ],
  isOfflineAllowed: true,
  run: async (context) => {
    const query = context.words.join(" ");
    if (query.trim() === "") throw new UsageError("WORDS is required", "search");
    const found = await find(context, query);
    const isChoosing =
      process.stdin.isTTY && process.stdout.isTTY && !context.isJson && !context.options.isSet("plain");
    if (!isChoosing || found.snippets.length === 0) return printFound(context, found);
    const choice = await pick(found.snippets, found.teamNames);
    if (!choice) throw new Canceled();
    const text = await fillPlaceholders(choice.snippet.content.content, new Map(), true);
    if (choice.isCopied) {
      await copyText(text);
      status(`Copied ${choice.snippet.shortcut ?? choice.snippet.title}.`);
    } else print(inert(text.endsWith("\n") ? text : `${text}\n`));
  },
};

interface Found {
  readonly snippets: readonly FoundSnippet[];
  /** Undefined if there are too many to be counted. */
  readonly total: number | undefined;
  /** By ID; empty if the teams are not shown. */
  readonly teamNames: ReadonlyMap<string, string>;
}

async function find({ options, isJson, connect }: Context, query: string | undefined): Promise<Found> {
  const limit = options.count("limit", countMax) ?? countDefault;
  const { client } = await connect();
  const teamId = await findTeam(client, options.text("team"));
  const groups = await findGroups(client, { teamId, folder: options.text("folder"), tags: options.texts("tag") });
  const pages = client.getSearchPages({
    query,
    teamId,
    ...groups,
    inside: groups.folderId === undefined ? undefined : true,
    isArchived: options.isSet("archived") ? true : undefined,
    limit: Math.min(limit, pageItemsMax),
  });
  const snippets: FoundSnippet[] = [];
  let total: number | undefined;
  for await (const page of pages) {
    snippets.push(...page.data.snippets);
    total = page.metadata.totalCount;
    if (snippets.length >= limit) break;
  }
  const found = snippets.slice(0, limit);
  const isForPerson = process.stdout.isTTY && !isJson;
  return { snippets: found, total, teamNames: isForPerson ? await namesOfTeams(client, found) : new Map() };
}

/** The teams of the snippets, if there are several: their shortcuts can be the same. Costs 1 unit then. */
async function namesOfTeams(
  client: Commonplace,
  snippets: readonly FoundSnippet[],
): Promise<ReadonlyMap<string, string>> {
  const [first] = snippets;
  if (snippets.every(({ team_id }) => team_id === first?.team_id)) return new Map();
  try {
    const { data } = await client.getMe();
    return new Map(data.teams.map(({ id, name }) => [id, name]));
  } catch (error) {
    // The list is useful without the names.
    if (error instanceof CommonplaceError) return new Map();
    throw error;
  }
}

function printFound({ isJson }: Context, { snippets, total, teamNames }: Found): void {
  const hasTeams = teamNames.size > 0;
  if (isJson) printJson(snippets);
  else if (snippets.length === 0) status("No snippets found.");
  else {
    printTable(
      ["shortcut", ...(hasTeams ? ["team"] : []), "title", "changed"],
      snippets.map(({ shortcut, team_id, title, updated_at }) => [
        shortcut ?? "",
        ...(hasTeams ? [fit(oneLine(teamNames.get(team_id) ?? ""), teamColumnsMax)] : []),
        title,
        formatMoment(updated_at),
      ]),
      { programRows: snippets.map(({ id, shortcut, title }) => [id, shortcut ?? "", title]), shortened: "title" },
    );
    const all = total === undefined ? "more than 1,000" : formatCount(total);
    if (total !== snippets.length)
      status(`Showing ${formatCount(snippets.length)} of ${all} snippets. Use --limit to show more.`);
  }
}
