// A service to attack: its attackers' workspaces with large responses in them, another workspace, and what its process uses.
import { readFileSync } from "node:fs";
import { databaseSettings, openNode } from "../test/support/engine.ts";
import type { RawRequest } from "../test/support/http2-frames.ts";
import { deepYaml } from "../test/support/nestings.ts";
import { makeWorkspace, type Workspace } from "../test/support/nodes.ts";
import { type ServiceProcess, spawnService } from "../test/support/process.ts";
import { temporaryDirectory, text } from "../test/support/service.ts";

const allowance = 1_000_000_000;
/** To PostgreSQL. */
const connections = "8";
const attackersCount = 3;
/** JSON makes six bytes of each. */
const longEscape = "\u0001";
const textsCount = 16;
const textLength = 999_000;
/** So many of these texts fit into one response. */
const fittingTexts = 5;
const foldersCount = 40;
const noteLength = 5_000;
/** Tools whose data in notes an export reads, and how it nests. So many snippets with such notes are a small team. */
const nestedIn = { vscode: "{}", espanso: "? ", jetbrains: "{", ultisnips: "? - ", snipmate: "- " } as const;
/** Formats with YAML. */
const yamlFormats = ["espanso", "markdown"] as const;

/**
 * What an attack asks for: a small snippet, an unknown path without a key, as much as a response may have, or more than that; exports of notes
 * that nest, and dry runs of imports.
 */
export type Aimed = "snippet" | "nothing" | "largest" | "texts" | "notes" | "exports" | "imports";

export type Requests = readonly [RawRequest, ...RawRequest[]];

export interface Site {
  readonly service: ServiceProcess;
  /** Of each attacker. */
  readonly requests: Readonly<Record<Aimed, Requests>>;
  /** Of the other workspace. */
  readonly customer: { readonly path: string; readonly key: string };
  readonly stop: () => Promise<void>;
}

interface SiteOptions {
  /** Otherwise there are no large responses in it. */
  readonly isAttacked: boolean;
  /** How many characters of a note nest. */
  readonly nestedLength?: number;
}

export async function startSite({ isAttacked, nestedLength = noteLength - 30 }: SiteOptions): Promise<Site> {
  const dataDirectory = temporaryDirectory();
  const service = await spawnService(dataDirectory, {
    ...(await databaseSettings(dataDirectory)),
    COMMONPLACE_DATABASE_CONNECTIONS: connections,
    COMMONPLACE_LOG_LEVEL: "warn",
  });
  const node = await openNode(dataDirectory);
  const attackers: Workspace[] = [];
  for (let count = 0; count < attackersCount; count += 1) attackers.push(await makeWorkspace(node, { allowance }));
  const workspace = await makeWorkspace(node, { allowance });
  await node.close();
  const filled: Filled[] = [];
  for (const attacker of isAttacked ? attackers : attackers.slice(0, 1))
    filled.push({
      ...(await fill(service, attacker, isAttacked)),
      exports: await fillWithNestedNotes(service, attacker, nestedLength),
      imports: yamlFormats.map((format) => importOf(attacker, format)),
    });
  const of = (aimed: Aimed): Requests => filled.flatMap((requests) => requests[aimed]) as unknown as Requests;
  return {
    service,
    requests: {
      snippet: of("snippet"),
      nothing: of("nothing"),
      largest: of("largest"),
      texts: of("texts"),
      notes: of("notes"),
      exports: of("exports"),
      imports: of("imports"),
    },
    customer: { path: await makeSnippet(service, workspace), key: workspace.key },
    stop: async () => {
      service.kill("SIGTERM");
      await service.ended;
    },
  };
}

async function makeSnippet(service: ServiceProcess, { key, teamId }: Workspace): Promise<string> {
  const snippet = { title: "A snippet", content: text("x".repeat(1_000)), teamId };
  return `/api/snippet?id=${(await service.clientFor(key).postSnippet(snippet)).data.snippetId}`;
}

type Filled = Readonly<Record<Aimed, RawRequest | readonly RawRequest[]>>;

/** A small team, whose notes have the data of each tool in YAML that nests. @returns exports that read it */
async function fillWithNestedNotes(
  service: ServiceProcess,
  { key, otherTeamId: teamId }: Workspace,
  nestedLength: number,
): Promise<RawRequest[]> {
  const snippets = Object.entries(nestedIn).map(([tool, unit]) => {
    const note = `\`\`\`${tool}\n${deepYaml[unit]?.(nestedLength)}\n\`\`\``;
    return { title: tool, content: text("x"), teamId, note };
  });
  await service.clientFor(key).postSnippets({ snippets });
  return Object.keys(nestedIn).map((format) => ({ path: `/api/export?teamId=${teamId}&format=${format}`, key }));
}

const importOf = ({ key, otherTeamId }: Workspace, format: string): RawRequest => ({
  path: `/api/import?teamId=${otherTeamId}&format=${format}&dryRun=true`,
  key,
});

async function fill(
  service: ServiceProcess,
  attacker: Workspace,
  isLarge: boolean,
): Promise<Omit<Filled, "exports" | "imports">> {
  const { key, teamId } = attacker;
  const client = service.clientFor(key);
  const ids: string[] = [];
  for (let count = isLarge ? textsCount : 0; count > 0; count -= 1) {
    const snippet = { title: "Large", content: text(longEscape.repeat(textLength)), teamId };
    ids.push((await client.postSnippet(snippet)).data.snippetId);
  }
  const folders = Array.from({ length: isLarge ? foldersCount : 0 }, (_, index) => ({
    ...{ folderName: `Folder ${index}`, folderColor: "#336699", teamId },
  }));
  const made = isLarge ? (await client.postFolders({ folders })).data.createdFolders : [];
  const noted = { title: "Noted", content: text("x"), note: longEscape.repeat(noteLength), teamId };
  for (const { id: folderId } of made) await client.postSnippets({ snippets: Array(100).fill({ ...noted, folderId }) });
  const folderIds = made.map(({ id }) => id);
  return {
    snippet: { path: await makeSnippet(service, attacker), key },
    nothing: { path: "/api/nothing" },
    largest: { path: `/api/snippets?ids=${ids.slice(0, fittingTexts)}`, key },
    texts: { path: `/api/snippets?ids=${ids}`, key },
    notes: { path: `/api/folders?ids=${folderIds}&limit=100`, key },
  };
}

/** Memory in millions of bytes. */
export interface Memory {
  /** Everything in memory, the program and the parts of the database file that are mapped included. */
  readonly resident: number;
  /** Without files, which the system takes back when it needs the memory. */
  readonly own: number;
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const of = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  const megabytes = (kibibytes: number) => Math.round((kibibytes * 1_024) / 1e6);
  return { resident: megabytes(of("VmRSS")), own: megabytes(of("RssAnon") + of("RssShmem")) };
}

export const mostOf = (one: Memory, other: Memory): Memory => ({
  resident: Math.max(one.resident, other.resident),
  own: Math.max(one.own, other.own),
});

/** How long a process's first thread has run, and how long it was ready and had to wait for a processor. */
export interface Scheduled {
  readonly ran: number;
  readonly waited: number;
}

export function scheduledOf(pid: number): Scheduled {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ").map(Number);
  return { ran, waited };
}

/** Of a process that may have ended: then `last`, which is what was known of it before. */
export function scheduledUntilNow(pid: number, last: Scheduled): Scheduled {
  try {
    return scheduledOf(pid);
  } catch {
    return last;
  }
}

/** Of the time in which it was ready to run, the part in which it ran. */
export function shareOf(before: Scheduled, after: Scheduled): number {
  const [ran, waited] = [after.ran - before.ran, after.waited - before.waited];
  return ran + waited === 0 ? 1 : ran / (ran + waited);
}
