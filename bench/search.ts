// GET /search in workspaces of several sizes, on both engines, compared with `like` over the same texts, and with the statements alone that
// it cannot do without; what the index costs writers.
import { limits } from "../src/contract/limits.ts";
import { findBlocks, listSegments, listSnippetPlaces } from "../src/library/search/index.store.ts";
import { parseQuery } from "../src/library/search/query.ts";
import { requirementsOf } from "../src/library/search/terms.ts";
import { findSnippets } from "../src/library/snippets.store.ts";
import type { Database } from "../src/platform/database/database.ts";
import { name, type Sql, sql } from "../src/platform/database/sql.ts";
import { type CreateEngine, type Engine, onBothEngines } from "./engines.ts";
import { apiPath, tls, waitForIndex } from "./fill.ts";
import { createInstance, type Tenant } from "./instance.ts";
import type { Plan } from "./plan.ts";
import { processorSeconds, type Server } from "./processes.ts";
import { showProgress } from "./progress.ts";
import type { Aim, Result } from "./report.ts";
import { batchSize } from "./sample.ts";
import { createRandom, type SearchText, searchTextOf, wordAt } from "./search-texts.ts";
import { median, percentile } from "./statistics.ts";

const fillers = 4;
const queriesOfKind = 12;
/** The frequent words that are searched for are among so many. */
const measuredWords = 20;
const searchRounds = 6;
/** Searches for other words. Until then, the code is still being compiled. */
const searchesAtFirst = 100;
/** The page of the bare statements is the last of so many snippets. */
const bareSnippets = 1_000;
/** So few that nothing is indexed before the last one is answered. */
const batchesInRound = 20;
/** Until then, the code is still being compiled. */
const batchesAtFirst = 100;
const batchRounds = 5;

/** Median and p99 in milliseconds, by engine and size. */
const aims: Readonly<Record<string, readonly [number, number]>> = {
  "SQLite 2000": [8, 15],
  "PostgreSQL 2000": [8, 15],
  "SQLite 200000": [5, 50],
  "PostgreSQL 200000": [20, 150],
  "SQLite 1000000": [300, 300],
  "PostgreSQL 1000000": [300, 300],
};

export const measureSearch = (directory: string, plan: Plan): Promise<Result[]> =>
  onBothEngines(directory, async (create) => {
    const results: Result[] = [];
    for (const size of plan.searchSizes) results.push(...(await measureSize(create, size)));
    return [...results, ...(await measureBatches(create))];
  });

async function measureSize(create: CreateEngine, size: number): Promise<Result[]> {
  const { engine, tenant, server } = await start(create, `search_${size}`);
  const label = `${size.toLocaleString("en-US")} snippets, ${engine.name}`;
  let stop = false;
  const stalls = measureStalls(server, tenant, () => stop);
  let next = 0;
  const work = async () => {
    for (let from = next; from < size; from = next) {
      next += batchSize;
      await post(server, tenant, from);
      showProgress(`Filling, ${label}`, `${from.toLocaleString("en-US")}`, from / size);
    }
  };
  await Promise.all(Array.from({ length: fillers }, work));
  await waitForIndex(engine);
  stop = true;
  const writes = await stalls;
  const segments = await engine.withDatabase(countSegments);
  await engine.refreshStatistics();

  for (let rank = 0; rank < searchesAtFirst; rank += 1) await search(server, tenant, wordAt(measuredWords + rank));
  const times: number[] = [];
  const firstTimes: number[] = [];
  const statementTimes: number[] = [];
  const results: Result[] = [];
  for (const [kind, queries] of Object.entries(queriesFor(size))) {
    const ofKind: number[] = [];
    for (let round = 0; round < searchRounds; round += 1)
      for (const query of queries) {
        showProgress(`Searching, ${label}`, kind);
        ofKind.push(await search(server, tenant, query));
      }
    times.push(...ofKind);
    firstTimes.push(...ofKind.slice(0, queries.length));
    statementTimes.push(...(await engine.withDatabase((database) => timeStatements(database, queries))));
    const scan = await engine.withDatabase((database) => timeScan(database, queries.slice(0, 3)));
    results.push({
      group: `Search, ${label}`,
      name: `${kind}, median`,
      unit: "ms",
      service: median(ofKind),
      baseline: scan,
    });
  }
  const [p50, p99] = aims[`${engine.name} ${size}`] ?? [];
  const aimOf = (atMost: number | undefined): { aim?: Aim } =>
    atMost === undefined ? {} : { aim: { of: "service", atMost } };
  const group = `Search, ${label}`;
  const bytes = await engine.withDatabase(measureBytes);
  await server.stop();
  return [
    { group, name: "all, median", unit: "ms", service: median(times), ...aimOf(p50) },
    { group, name: "all, p99", unit: "ms", service: percentile(times, 0.99), ...aimOf(p99) },
    { group, name: "first run of a query, median", unit: "ms", service: median(firstTimes) },
    { group, name: "first run of a query, p99", unit: "ms", service: percentile(firstTimes, 0.99) },
    {
      group,
      name: "all : the bare statements, median",
      unit: "ms",
      service: median(times),
      baseline: median(statementTimes),
    },
    ...results,
    {
      group,
      name: "index : text",
      unit: "MB",
      service: bytes.index / 1e6,
      baseline: bytes.text / 1e6,
      ratio: bytes.index / bytes.text,
      aim: { of: "ratio", atMost: 1.5 },
    },
    { group, name: "segments of the index", unit: "", service: segments },
    {
      group,
      name: "longest write while filling",
      unit: "ms",
      service: Math.max(...writes),
      aim: { of: "service", atMost: 200 },
    },
  ];
}

/** What batches cost the processor with the index, and in a database that takes no changes for it. */
async function measureBatches(create: CreateEngine): Promise<Result[]> {
  const indexed = await start(create, "search_with");
  const bare = await start(create, "search_without", true);
  const pairs: { indexed: Costs; bare: Costs }[] = [];
  let from = 0;
  let indexingMilliseconds = 0;
  const measure = async ({ engine, tenant, server }: typeof bare, batches: number): Promise<Costs> => {
    const before = processorSeconds(server);
    for (let batch = 0; batch < batches; batch += 1) await post(server, tenant, from + batch * batchSize);
    const answered = processorSeconds(server);
    const answeredAt = performance.now();
    await waitForIndex(engine);
    // An idle service takes processor time too, so that both wait equally long.
    if (server === indexed.server) indexingMilliseconds = performance.now() - answeredAt;
    else await Bun.sleep(indexingMilliseconds);
    const msOfBatch = (seconds: number) => ((seconds - before) * 1_000) / batches;
    return { requests: msOfBatch(answered), all: msOfBatch(processorSeconds(server)) };
  };
  for (let round = 0; round <= batchRounds; round += 1) {
    showProgress(`Batches with and without the index, ${indexed.engine.name}`, `round ${round} of ${batchRounds}`);
    const batches = round === 0 ? batchesAtFirst : batchesInRound;
    const pair = { indexed: await measure(indexed, batches), bare: await measure(bare, batches) };
    from += batches * batchSize;
    if (round > 0) pairs.push(pair);
  }
  await Promise.all([indexed.server.stop(), bare.server.stop()]);
  const resultOf = (name: string, cost: keyof Costs): Result => ({
    group: `Search, ${indexed.engine.name}`,
    name: `CPU per 100 snippets, with index : without${name}`,
    unit: "ms",
    service: median(pairs.map((pair) => pair.indexed[cost])),
    baseline: median(pairs.map((pair) => pair.bare[cost])),
    ratio: median(pairs.map((pair) => pair.indexed[cost] / pair.bare[cost])),
  });
  return [{ ...resultOf("", "all"), aim: { of: "ratio", atMost: 1.6 } }, resultOf(", until answered", "requests")];
}

/** Processor time of a batch in milliseconds: until it was answered, and until it was indexed. */
interface Costs {
  readonly requests: number;
  readonly all: number;
}

async function start(create: CreateEngine, databaseName: string, isWithoutIndex = false) {
  const engine = await create(databaseName);
  const { tenants } = await engine.withDatabase(async (database) => {
    if (isWithoutIndex)
      await database.transaction((transaction) => refusePending(transaction.run.bind(transaction), engine));
    return createInstance(database, { workspaces: 1, keysInWorkspace: 1 });
  });
  const [tenant] = tenants;
  if (!tenant) throw new Error("no workspace was made");
  return { engine, tenant, server: await engine.startService() };
}

/** Nothing waits for the index, so nothing is indexed. */
async function refusePending(run: (query: Sql) => Promise<number>, engine: Engine): Promise<void> {
  if (engine.name === "SQLite")
    await run(name("create trigger bare before insert on search_pending begin select raise(ignore); end"));
  else {
    await run(name("create function bare() returns trigger language plpgsql as 'begin return null; end'"));
    await run(name("create trigger bare before insert on search_pending for each row execute function bare()"));
  }
}

async function post(server: Server, { keys, teamId }: Tenant, from: number): Promise<void> {
  const snippets = Array.from({ length: batchSize }, (_, index) => inputOf(searchTextOf(from + index), teamId));
  const response = await request(server, keys[0], "POST", "/snippets", { snippets });
  if (response.status !== 200) throw new Error(`POST /snippets: ${await response.text()}`);
  await response.arrayBuffer();
}

const inputOf = ({ title, shortcut, note, type, content }: SearchText, teamId: string) => ({
  title: title.slice(0, 200),
  shortcut,
  note,
  content: { type, content },
  teamId,
});

const request = (server: Server, key: string | undefined, method: string, path: string, body?: unknown) =>
  fetch(`https://127.0.0.1:${server.port}${apiPath}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    tls,
  });

async function search(server: Server, { keys }: Tenant, query: string): Promise<number> {
  const startedAt = performance.now();
  const response = await request(server, keys[0], "GET", `/search?query=${encodeURIComponent(query)}`);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`GET /search answers ${response.status} to ${query}`);
  return performance.now() - startedAt;
}

/** Writes all the time. @returns how long each write took */
async function measureStalls(server: Server, { keys, teamId }: Tenant, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const startedAt = performance.now();
    await (
      await request(server, keys[0], "POST", "/tag", { tagName: "unused", tagColor: "#336699", teamId })
    ).arrayBuffer();
    times.push(performance.now() - startedAt);
    await Bun.sleep(200);
  }
  return times;
}

/** The kinds of queries, made of texts that are there. */
function queriesFor(size: number): Record<string, string[]> {
  const random = createRandom(size);
  const textAt = () => searchTextOf(Math.floor(random() * size));
  const some = (make: () => string | undefined): string[] => {
    const found: string[] = [];
    while (found.length < queriesOfKind) {
      const query = make();
      if (query !== undefined && query !== "") found.push(query);
    }
    return found;
  };
  const word = () =>
    textAt()
      .content.match(/[a-z]{4,}/g)
      ?.at(Math.floor(random() * 10));
  const code = (pattern: RegExp) => () => {
    const { type, content } = textAt();
    return type === "typescript" ? content.match(pattern)?.[0] : undefined;
  };
  return {
    "a frequent word": some(() => wordAt(Math.floor(random() * measuredWords))),
    "a rare word": some(() => wordAt(20_000 + Math.floor(random() * 30_000))),
    "the beginning of a word": some(() => word()?.slice(0, 3)),
    "inside an identifier": some(() => code(/(?<=[a-z])[A-Z][a-z]+/)()?.toLowerCase()),
    code: some(code(/\w+\.\w+\(/)),
    Japanese: some(() => textAt().content.match(/[東京都庁会社員日本語文章]{2,3}/)?.[0]),
    "two pieces": some(() => `${word()} ${word()}`),
    "four pieces": some(() =>
      textAt()
        .content.match(/[a-z]{4,}/g)
        ?.slice(0, 4)
        .join(" "),
    ),
  };
}

/** How long the statements alone take that read where the first term of each query is, and a page of snippets. */
const timeStatements = (database: Database, queries: readonly string[]): Promise<number[]> =>
  database.read(async (transaction) => {
    const places = await listSnippetPlaces(transaction, undefined, bareSnippets);
    const workspaceId = places[0]?.workspace_id ?? "";
    const segments = await listSegments(transaction, workspaceId);
    const times: number[] = [];
    for (const query of queries) {
      const [piece] = parseQuery(query).wanted;
      const [range] = (piece && requirementsOf(piece, false)[0]) ?? [];
      const startedAt = performance.now();
      if (range)
        await findBlocks(
          transaction,
          workspaceId,
          segments.map(({ segment }) => ({ segment, ...range })),
        );
      await findSnippets(
        transaction,
        workspaceId,
        places.slice(-limits.pageItemsDefault).map(({ id }) => id),
        limits.contentLengthMax,
      );
      times.push(performance.now() - startedAt);
    }
    return times;
  });

/** The median time of `like` over titles and texts, for one query each. */
async function timeScan(database: Database, queries: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const query of queries) {
    const patterns = query.split(" ").map((piece) => `%${piece.toLowerCase()}%`);
    const startedAt = performance.now();
    await database.read((transaction) =>
      transaction.first(
        sql`select count(*) as total from snippets where lower(title || content) like ${patterns[0] ?? ""}
              and lower(title || content) like ${patterns.at(-1) ?? ""}`,
      ),
    );
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

const countSegments = (database: Database): Promise<number> =>
  database.read(async (transaction) => {
    const found = await transaction.first<{ segments: number }>(
      sql`select count(*) as segments from search_segments where state = 'ready'`,
    );
    return found?.segments ?? 0;
  });

async function measureBytes(database: Database): Promise<{ index: number; text: number }> {
  const found = await database.read((transaction) =>
    transaction.first<{ text: number; blocks: number; data: number }>(
      sql`select (select sum(octet_length(title) + octet_length(content) + coalesce(octet_length(snippet_note), 0)) from snippets) as text,
            (select count(*) from search_blocks) as blocks, (select sum(octet_length(data) + octet_length(first_term)) from search_blocks) as data`,
    ),
  );
  // A row of a block has two IDs of its workspace, in the table and in its key, and the term twice.
  const rowBytes = 150;
  return { index: (found?.data ?? 0) + (found?.blocks ?? 0) * rowBytes, text: found?.text ?? 0 };
}
