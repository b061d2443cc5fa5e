// `cpl get` and `cpl copy`: the text of a snippet.
import { type Commonplace, ConnectionError } from "../../../sdk/src/index.ts";
import { inert } from "../../../src/contract/printable.ts";
import { cachedSnippets } from "../cached-snippets.ts";
import type { Command, Context } from "../command.ts";
import type { Connection } from "../connection.ts";
import { fillPlaceholders, readValues } from "../placeholders.ts";
import { chooseVariation, findSnippet, findTeam, isId, isNumber, withTeamNames } from "../references.ts";
import { readRecord, type SnippetRecord, textOnly } from "../snippet-record.ts";
import { copyText } from "../terminal/clipboard.ts";
import { formatAge, notice, print, printJson, status } from "../terminal/print.ts";

export const snippetArgument = { value: "SHORTCUT|ID", meaning: "the shortcut or the ID of a snippet" } as const;
export const teamOption = { value: "TEAM", meaning: "only this team, by name or ID" } as const;
export const variationOption = {
  value: "N",
  meaning: "a variation, by number (from 1), name, or ID; the first one by default",
} as const;

const options = {
  variation: variationOption,
  set: { value: "NAME=VALUE", meaning: "fill in the placeholder {{NAME}}", isRepeatable: true },
  team: teamOption,
} as const;

export const get: Command = {
  name: "get",
  summary: "Print the text of a snippet",
  arguments: [snippetArgument],
  options,
  notes: [
    "Prints the text and nothing else. Text that has not changed since you last",
    "fetched it costs nothing. If the service cannot be reached, prints the text that",
    "you last fetched.",
    "",
    "With --json, also prints the ID, title, shortcut, team, folder, tags, variation,",
    "content type, version, and ETag, for 2 to 4 units.",
  ],
  isOfflineAllowed: true,
  run: async (context) => {
    if (context.isJson) return printJson(await readJson(context));
    const text = await readFilled(context, "get", false);
    // A terminal gets an end of line for its prompt, and no control characters.
    if (process.stdout.isTTY) print(inert(text.endsWith("\n") ? text : `${text}\n`));
    else print(text);
  },
};

export const copy: Command = {
  name: "copy",
  summary: "Copy the text of a snippet to the clipboard",
  arguments: [snippetArgument],
  options,
  notes: ["Asks for the values of placeholders that --set does not fill in."],
  isOfflineAllowed: true,
  run: async (context) => {
    const text = await readFilled(context, "copy", true);
    await copyText(text);
    if (context.isJson) printJson({ copied: true });
    else status(`Copied ${context.words[0]}.`);
  },
};

/** The text with what belongs to it. */
async function readJson({ words: [reference = ""], options, connect }: Context): Promise<SnippetRecord> {
  const values = readValues(options.texts("set"), "get");
  const connection = await connect();
  const teamId = await findTeam(connection.client, options.text("team"));
  const wanted = options.text("variation");
  const record = await readRecord(connection.client, reference, teamId, wanted).catch(async (error) => {
    if (!isUnreachable(error)) throw error;
    // The text alone may have been fetched.
    return textOnly(await readText(connection, reference, teamId, wanted));
  });
  return { ...record, text: await fillPlaceholders(record.text, values, false) };
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError && error.code !== "certificate_not_trusted";

async function readFilled({ words, options, connect }: Context, command: string, asks: boolean): Promise<string> {
  const [reference = ""] = words;
  const values = readValues(options.texts("set"), command);
  const connection = await connect();
  const teamId = await findTeam(connection.client, options.text("team"));
  const text = await readText(connection, reference, teamId, options.text("variation"));
  return fillPlaceholders(text, values, asks);
}

/** One request, or two for a variation by its number. */
async function readText(
  { client, cache }: Connection,
  reference: string,
  teamId: string | undefined,
  wanted: string | undefined,
): Promise<string> {
  try {
    return await withTeamNames(client, reference, async () => {
      const variation =
        wanted !== undefined && isNumber(wanted) ? await idOf(client, reference, teamId, wanted) : wanted;
      const which = isId(reference) ? { id: reference } : { shortcut: reference, teamId };
      return (await client.getText({ ...which, variation })).data;
    });
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    // It may have come with a list or a search.
    const found = cachedSnippets(cache).find(
      ({ id, shortcut, team_id, is_archived }) =>
        id === reference.toLowerCase() ||
        (shortcut === reference && !is_archived && (teamId === undefined || team_id === teamId)),
    );
    if (!found || (wanted !== undefined && wanted !== "1")) throw error;
    notice(`The service cannot be reached. This was fetched ${formatAge(found.ageMilliseconds)} ago.`);
    return found.content.content;
  }
}

async function idOf(client: Commonplace, reference: string, teamId: string | undefined, wanted: string) {
  return chooseVariation(await findSnippet(client, reference, teamId), wanted).id;
}
