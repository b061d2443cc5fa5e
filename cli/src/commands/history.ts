// `cpl history`, `cpl diff`, and `cpl revert`: the versions of a text.
import type { Commonplace, HistoryRecord } from "../../../sdk/src/index.ts";
import type { Command, Context } from "../command.ts";
import { Failure, UsageError } from "../failures.ts";
import { chooseVariation, findSnippet, findTeam } from "../references.ts";
import { confirm, isInteractive } from "../terminal/ask.ts";
import { diffOf, inColors, printDiff } from "../terminal/diff.ts";
import { formatCount, formatMoment, notice, printJson, printTable, status } from "../terminal/print.ts";
import { snippetArgument, teamOption, variationOption } from "./get.ts";

const countDefault = 20;
/** As many as one request returns. */
const pageItemsMax = 100;
const which = { variation: variationOption, team: teamOption } as const;
const versionArgument = { value: "VERSION", meaning: "the number of a version, as shown by cpl history" } as const;

export const history: Command = {
  name: "history",
  summary: "List the versions of a variation, the current one first",
  arguments: [snippetArgument],
  options: {
    ...which,
    limit: { value: "N", meaning: `maximum number of versions (default: ${countDefault}); each costs 1 unit` },
  },
  isOfflineAllowed: true,
  run: async (context) => {
    const limit = context.options.count("limit", pageItemsMax) ?? countDefault;
    const { client, variationId } = await findVariation(context);
    const { data, metadata } = await client.getSnippetVariationHistory({ variationId, limit });
    const versions = data.map((record, index) => ({ ...record, version: metadata.totalRecords - index }));
    if (context.isJson) return printJson(versions);
    printTable(
      ["version", "saved", "text"],
      versions.map(({ version, changed_at, content }) => [
        String(version),
        formatMoment(changed_at),
        content.content.slice(0, 200),
      ]),
    );
    if (metadata.hasMore)
      notice(
        `Showing ${formatCount(versions.length)} of ${formatCount(metadata.totalRecords)} versions. Use --limit to show more.`,
      );
  },
};

export const diff: Command = {
  name: "diff",
  summary: "Compare two versions of a variation",
  arguments: [
    snippetArgument,
    { ...versionArgument, value: "FROM", meaning: "a version; the previous one by default", isOptional: true },
    { ...versionArgument, value: "TO", meaning: "a version; the current one by default", isOptional: true },
  ],
  options: which,
  notes: ["Use the version numbers that cpl history shows. Prints a unified diff."],
  isOfflineAllowed: true,
  run: async (context) => {
    const [, from, to] = context.words;
    const versions = await readVersions(context, [from, to], "diff");
    const current = versions.total;
    const [before, after] = [versions.of(from ?? current - 1), versions.of(to ?? current)];
    const patch = diffOf(
      { name: `version ${from ?? current - 1}`, text: before.content.content },
      { name: `version ${to ?? current}`, text: after.content.content },
    );
    if (context.isJson) return printJson({ from: before, to: after, patch });
    if (patch === "") status("The two versions are the same.");
    else printDiff(patch);
  },
};

export const revert: Command = {
  name: "revert",
  summary: "Go back to an earlier version of a variation",
  arguments: [snippetArgument, versionArgument],
  options: { ...which, yes: { meaning: "revert without asking" } },
  notes: [
    "Shows what would change, and asks before it changes anything. The earlier text",
    "becomes a new version, so nothing is lost.",
  ],
  run: async (context) => {
    const [, wanted = ""] = context.words;
    const versions = await readVersions(context, [wanted], "revert");
    const [chosen, current] = [versions.of(wanted), versions.of(versions.total)];
    const patch = diffOf(
      { name: "current version", text: current.content.content },
      { name: `version ${wanted}`, text: chosen.content.content },
    );
    if (patch === "")
      return context.isJson
        ? printJson({ reverted: false })
        : status(`The current text is already the same as version ${wanted}.`);
    if (!context.options.isSet("yes") && !context.isJson) {
      if (isInteractive()) process.stderr.write(inColors(patch));
      await confirm("Revert to this version?");
    }
    await versions.client.putSnippetVariation({ variationId: versions.variationId, content: chosen.content });
    if (context.isJson) printJson({ reverted: true });
    else status(`Reverted to version ${wanted}, saved as version ${versions.total + 1}.`);
  },
};

/** Which variation the command line means. Costs 1 unit. */
async function findVariation({ words: [reference = ""], options, connect }: Context) {
  const { client } = await connect();
  const snippet = await findSnippet(client, reference, await findTeam(client, options.text("team")));
  return { client, variationId: chooseVariation(snippet, options.text("variation")).id };
}

/** The versions from the current one to the oldest that is needed. Each costs 1 unit. */
async function readVersions(context: Context, wanted: readonly (string | undefined)[], command: string) {
  const numbers = wanted.flatMap((text) => (text === undefined ? [] : [readNumber(text, command)]));
  const { client, variationId } = await findVariation(context);
  const newest = await client.getSnippetVariationHistory({ variationId, limit: 2 });
  const total = newest.metadata.totalRecords;
  const impossible = numbers.find((number) => number > total);
  if (impossible !== undefined) throw new Failure(`there is no version ${impossible}. The current version is ${total}`);
  const count = total - Math.min(...numbers, total) + 1;
  const records = count <= newest.data.length ? newest.data : await readRecords(client, variationId, count);
  return {
    client,
    variationId,
    total,
    of: (version: string | number): HistoryRecord => {
      const record = records[total - Number(version)];
      if (record) return record;
      throw new Failure(Number(version) < 1 ? "this text has only one version" : `there is no version ${version}`);
    },
  };
}

/** The newest so many records. A page begins with the time of the last record, which comes again. */
async function readRecords(client: Commonplace, variationId: string, count: number): Promise<HistoryRecord[]> {
  const found = new Map<string, HistoryRecord>();
  for (let toDate: string | undefined; ; ) {
    const limit = Math.min(pageItemsMax, count - found.size + (toDate === undefined ? 0 : 1));
    const { data } = await client.getSnippetVariationHistory({ variationId, limit, toDate });
    const before = found.size;
    for (const record of data) found.set(record.id, record);
    toDate = data.at(-1)?.changed_at;
    if (found.size >= count || found.size === before) return [...found.values()];
  }
}

function readNumber(text: string, command: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`"${text}" is not a version number`, command);
  return Number(text);
}
