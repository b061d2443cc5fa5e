// P11: what is stored is what comes back, byte for byte, on both engines. Records with texts from all of Unicode are created and changed, read
// in every way, and compared with what was sent and with the bytes in the tables. On PostgreSQL, SQLite gets the same requests, and both
// must answer the same.
import { join } from "node:path";
import { makeWorkspace } from "../test/support/nodes.ts";
import { type RawAnswer, type Started, startService, temporaryDirectory } from "../test/support/service.ts";
import type { Prove, Run } from "./proof.ts";
import { Random } from "./random.ts";
import {
  contentLengthMax,
  type Field,
  fieldNames,
  fields,
  type Ids,
  proveBytes,
  type Texts,
} from "./round-trip-texts.ts";
import { anyText, refusedText, textOf } from "./unicode.ts";

const recordsOf = { long: 50_000, short: 150, control: 400 };
const recordsInRound = 25;
/** Then in a new workspace: `GET /tree` lists all folders of one, and must not take longer and longer. */
const roundsInWorkspace = 4;
/** Rounds at a time, each on services of its own. On SQLite, one round takes all of a processor. */
const lanesOf = { sqlite: 1, postgres: 3 };
const lookedAtInRound = 4;
/** Rounds with a text of the greatest length. */
const longTextShare = 0.02;
const contentLengthUsual = 300;

/** A service with the IDs that it gave. */
interface Side {
  started: Started;
  ids: Map<string, string>;
  answers: string[];
}

export const prove: Prove = async (run) => {
  const records = recordsOf[run.form];
  let rounds = 0;
  const lives = Array.from({ length: lanesOf[run.engine] }, async () => {
    const sides = [await startSide()];
    if (run.engine === "postgres")
      sides.push(await startSide({ engine: "sqlite", path: join(temporaryDirectory(), "other.db") }));
    for (let round = 0; rounds * recordsInRound < records && !run.isOver(); round += 1) {
      const seed = run.seed + rounds;
      rounds += 1;
      if (round % roundsInWorkspace === 0) await Promise.all(sides.map(enterWorkspace));
      await proveOnSides(run, sides, seed);
      run.made.runs += recordsInRound;
      run.made.inputs += recordsInRound * fieldNames.length * 2;
      run.show(`${run.made.runs.toLocaleString("en-US")} records`, run.made.runs / records);
    }
  });
  await Promise.all(lives);
  return run.engine === "postgres" ? ["every response was the same on SQLite"] : [];
};

async function proveOnSides(run: Run, sides: readonly Side[], seed: number): Promise<void> {
  // Each side gets the same choices.
  await Promise.all(sides.map((side, index) => proveRound(run, side, new Random(seed), index === 0)));
  const [one, two] = sides;
  const difference = two && one?.answers.findIndex((answer, index) => answer !== two.answers[index]);
  if (one && two && difference !== undefined && difference >= 0)
    throw new Error(
      `the engines differ:\n${one.answers[difference]?.slice(0, 2_000)}\n${two.answers[difference]?.slice(0, 2_000)}`,
    );
  for (const side of sides) side.answers = [];
}

async function startSide(database?: { readonly engine: "sqlite"; readonly path: string }): Promise<Side> {
  const started = await startService({ ...(database && { config: { database } }) });
  return { started, ids: new Map(), answers: [] };
}

/** Goes on in a new workspace of the same service. */
async function enterWorkspace(side: Side): Promise<void> {
  const { started } = side;
  const { id, teamId, key } = await makeWorkspace(started.service.database, { allowance: 1_000_000_000 });
  side.started = {
    ...started,
    workspace: { ...started.workspace, id },
    team: { ...started.team, id: teamId },
    key: { ...started.key, secret: key },
  };
  side.ids = new Map();
}

async function proveRound(run: Run, side: Side, random: Random, isWatched: boolean): Promise<void> {
  const isLong = random.isTrue(longTextShare);
  const writeJson = isLong || random.isTrue() ? JSON.stringify : escaped;
  const ask = async (method: string, path: string, more: { body?: unknown; query?: Record<string, string> } = {}) => {
    const { started } = side;
    const answer = await started.call(method, path, {
      key: started.key.secret,
      ...more,
      ...(more.body !== undefined && { body: writeJson(more.body) }),
    });
    side.answers.push(`${method} ${path}: ${shown(side, answer)}`);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
    return answer;
  };
  const texts = Array.from({ length: recordsInRound }, () => anyTexts(random, isLong && random.isTrue(0.05)));
  const ids = await create(side, ask, texts);
  await proveRead(side, ask, ids, texts, random);
  if (isWatched) await proveBytes(side.started, ids, texts);
  const changed = await change(ask, ids, texts, random);
  await proveRead(side, ask, ids, changed, random);
  if (isWatched) await proveBytes(side.started, ids, changed);
  await proveRefused(run, side, ask, random);
}

type Ask = (
  method: string,
  path: string,
  more?: { body?: unknown; query?: Record<string, string> },
) => Promise<RawAnswer>;

const anyTexts = (random: Random, isLong = false): Texts =>
  Object.fromEntries(
    fieldNames.map((name) => {
      const [min, max] = fields[name];
      if (max === contentLengthMax)
        return [name, isLong ? textOf(random, contentLengthMax) : anyText(random, min, contentLengthUsual)];
      return [name, anyText(random, min, max)];
    }),
  ) as Texts;

const folderOf = ({ folderName, folderColor }: Texts) => ({ folderName, folderColor });
const tagOf = ({ tagName, tagColor }: Texts) => ({ tagName, tagColor });
const contentOf = (content: string) => ({ type: "plaintext", content });
const snippetOf = ({ title, note, shortcut, content, variationName, variationContent }: Texts) => ({
  title,
  note,
  shortcut,
  content: contentOf(content),
  additionalVariations: [{ variationName, content: contentOf(variationContent) }],
});

async function create({ started }: Side, ask: Ask, texts: readonly Texts[]): Promise<Ids> {
  const teamId = started.team.id;
  const inTeam = (records: readonly object[]) => records.map((record) => ({ ...record, teamId }));
  const folders = await ask("POST", "/folders", { body: { folders: inTeam(texts.map(folderOf)) } });
  const tags = await ask("POST", "/tags", { body: { tags: inTeam(texts.map(tagOf)) } });
  const snippets: string[] = [];
  // Texts of the greatest length, one or two to a body.
  for (const part of parts(texts)) {
    const made = await ask("POST", "/snippets", { body: { snippets: inTeam(part.map(snippetOf)) } });
    snippets.push(...made.body.data.createdSnippets.map(({ snippetId }: { snippetId: string }) => snippetId));
  }
  const idOf = ({ id }: { id: string }) => id;
  return {
    snippets,
    folders: folders.body.data.createdFolders.map(idOf),
    tags: tags.body.data.createdTags.map(idOf),
  };
}

function parts(texts: readonly Texts[]): (readonly Texts[])[] {
  const isLong = ({ content }: Texts) => content.length >= contentLengthMax;
  const short = texts.filter((text) => !isLong(text));
  // In the order of the records, so that IDs and texts keep their places.
  return short.length === texts.length ? [texts] : texts.map((text) => [text]);
}

/** Reads the records in every way, and compares each text with what was sent. */
async function proveRead(side: Side, ask: Ask, ids: Ids, texts: readonly Texts[], random: Random): Promise<void> {
  const tags = await ask("GET", "/tags", { query: { tagIds: ids.tags.join() } });
  const folders = await ask("GET", "/tree");
  const folderById = new Map(folders.body.data.folders.map((row: { id: string }) => [row.id, row]));
  const listed = await ask("GET", "/snippets", { query: { ids: ids.snippets.join() } });
  for (const [index, sent] of texts.entries()) {
    const [tag, folder] = [
      tags.body.data.tags[index],
      folderById.get(ids.folders[index]) as { folder_name: string; folder_color: string },
    ];
    const { title, snippet_note, shortcut, content } = listed.body.data[index];
    expectSame(sent, {
      tagName: tag.tag_name,
      tagColor: tag.tag_color,
      folderName: folder.folder_name,
      folderColor: folder.folder_color,
      title,
      note: snippet_note,
      shortcut,
      content: content.content,
    });
  }
  for (let count = 0; count < lookedAtInRound; count += 1) {
    const at = random.integer(0, texts.length - 1);
    const [id, sent] = [ids.snippets[at] ?? "", texts[at]];
    if (!sent) continue;
    const snippet = (await ask("GET", "/snippet", { query: { id } })).body.data;
    const variations = (await ask("GET", "/snippet/variations", { query: { snippetId: id } })).body.data.variations;
    const [variationId] = snippet.variations.slice(1).map((variation: { id: string }) => variation.id);
    const variation = (await ask("GET", "/snippet/variation", { query: { snippetId: id, variationId } })).body.data;
    const history = (await ask("GET", "/snippet/variation/history", { query: { variationId } })).body.data;
    const text = await readText(side, id);
    for (const found of [variations[1], variation])
      expectSame(sent, { variationName: found.name, variationContent: found.content.content });
    expectSame(sent, { content: text, variationName: snippet.variations[1].name, note: snippet.snippet_note });
    expectSame(sent, { variationContent: history[0].content.content });
    if (sent.shortcut === "") continue;
    const found = (await ask("GET", "/shortcut", { query: { shortcut: sent.shortcut } })).body.data;
    expectSame(sent, { shortcut: found.shortcut });
  }
}

/** The bytes of a plain text: a client would take a byte order mark for none of it. */
async function readText({ started }: Side, id: string): Promise<string> {
  const headers = { Authorization: `Bearer ${started.key.secret}` };
  const response = await started.fetch(`${started.baseUrl}/text?id=${id}`, { headers });
  return Buffer.from(await response.arrayBuffer()).toString();
}

function expectSame(sent: Texts, found: Partial<Texts>): void {
  for (const [name, text] of Object.entries(found) as [Field, string][]) {
    if (text === sent[name]) continue;
    throw new Error(
      `${name} came back changed: ${JSON.stringify(sent[name].slice(0, 300))} as ${JSON.stringify(text?.slice(0, 300))}`,
    );
  }
}

/** Replaces texts of every record. @returns the texts that the records have now */
async function change(ask: Ask, ids: Ids, texts: readonly Texts[], random: Random): Promise<Texts[]> {
  const changed = texts.map((text) => ({ ...anyTexts(random), variationName: text.variationName }));
  await ask("PUT", "/folders", {
    body: { folders: changed.map((text, index) => ({ id: ids.folders[index], ...folderOf(text) })) },
  });
  await ask("PUT", "/tags", {
    body: { tags: changed.map((text, index) => ({ id: ids.tags[index], ...tagOf(text) })) },
  });
  // The first ones also in their snippets and variations, which are changed one at a time; the trash brings one back whole.
  const now = texts.map(
    (text, index): Texts => ({ ...text, ...folderOf(changed[index] ?? text), ...tagOf(changed[index] ?? text) }),
  );
  for (let at = 0; at < lookedAtInRound; at += 1) {
    const [id, text] = [ids.snippets[at] ?? "", changed[at]];
    if (!text) continue;
    const { additionalVariations: _, ...whole } = snippetOf(text);
    await ask("PUT", "/snippet", { query: { id }, body: whole });
    const { variations } = (await ask("GET", "/snippet", { query: { id } })).body.data;
    const body = { name: text.variationName, content: contentOf(text.variationContent) };
    await ask("PUT", "/snippet/variation", { query: { variationId: variations[1].id }, body });
    now[at] = text;
  }
  const [first = ""] = ids.snippets;
  await ask("DELETE", "/snippet", { query: { id: first } });
  await ask("POST", "/snippets/restore", { body: { snippetIds: [first] } });
  return now;
}

/** NUL, lone surrogates, and one character too many are refused, each in its item, and the others are stored. */
async function proveRefused(run: Run, { started }: Side, ask: Ask, random: Random): Promise<void> {
  const teamId = started.team.id;
  for (const [path, field, names, whole] of [
    ["/folders", "folders", ["folderName", "folderColor"], folderOf],
    ["/tags", "tags", ["tagName", "tagColor"], tagOf],
    ["/snippets", "snippets", ["title", "note", "shortcut"], snippetOf],
  ] as const) {
    const name = random.pick<Field>(names);
    const { text, why } = refusedText(random, fields[name][0], fields[name][1]);
    const [good, other] = [
      { ...whole(anyTexts(random)), teamId },
      { ...whole(anyTexts(random)), teamId },
    ];
    const { body } = await ask("POST", path, { body: { [field]: [good, { ...other, [name]: text }] } });
    run.made.inputs += 1;
    const [error, ...more] = body.data.errors;
    if (
      more.length > 0 ||
      error?.index !== 1 ||
      error.error !== "invalid_request" ||
      !error.message.startsWith(`${name} must`) ||
      !error.message.includes(why)
    )
      throw new Error(`${name} with ${why}: ${JSON.stringify(body.data.errors)}`);
  }
}

/** The same JSON with every character outside ASCII as an escape. */
const escaped = (body: unknown): string =>
  JSON.stringify(body).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A response with numbers instead of IDs. */
const shown = ({ ids }: Side, { status, text }: RawAnswer): string =>
  `${status} ${text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
    const number = ids.get(id) ?? `id ${ids.size}`;
    ids.set(id, number);
    return number;
  })}`;
