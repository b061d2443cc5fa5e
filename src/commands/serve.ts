// ./commonplace serve: starts the service; on the first start also makes what a newcomer needs and says it once.
import { relative } from "node:path";
import { type Config, settings } from "../config.ts";
import type { Database } from "../database/database.ts";
import { createKey } from "../keys/keys.ts";
import { type Service, startService } from "../service.ts";
import { createTeam, createWorkspace, listWorkspaces } from "../workspaces/workspaces.ts";
import type { Command, Run } from "./commands.ts";
import { fields, print } from "./run.ts";

const width = Math.max(...settings.map(({ name }) => name.length));
const defaults = Math.max(...settings.map((setting) => setting.default.length));

export const serve: Command = {
  name: "serve",
  summary: "Start the service",
  options: {},
  more: [
    "Settings, read from the environment:",
    "",
    ...settings.map(
      (setting) => `  ${setting.name.padEnd(width)}  ${setting.default.padEnd(defaults)}  ${setting.meaning}`,
    ),
  ].join("\n"),
  run: async (run) => {
    const service = await startService(run.config);
    const first = await prepareFirstStart(service.database, run.config);
    announce(run, service, first);
    await new Promise<void>((resolve) => {
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
    });
    await service.stop();
    process.exit(0);
  },
};

interface FirstStart {
  readonly workspace_id: string;
  readonly team_id: string;
  readonly key: string;
}

/** A workspace, a team and a key that reaches it all, when there is no workspace yet. */
const prepareFirstStart = (database: Database, config: Config): Promise<FirstStart | undefined> =>
  database.transaction(async (transaction) => {
    if ((await listWorkspaces(transaction)).length > 0) return undefined;
    const workspace = await createWorkspace(transaction, "My workspace", config.monthlyRequests);
    const team = await createTeam(transaction, workspace.id, "My team");
    const key = await createKey(transaction, workspace.id, "First key", "all");
    return { workspace_id: workspace.id, team_id: team.id, key: key.secret };
  });

function announce(run: Run, service: Service, first: FirstStart | undefined): void {
  const { baseUrl, certificate } = service;
  const caPath = certificate.caPath && readablePath(certificate.caPath);
  const curl = first && firstCall(baseUrl, caPath, first);
  const address = { "Base address": baseUrl, Reference: `${baseUrl}/docs` };
  const lines = first
    ? [
        "",
        "Commonplace is running. A workspace, a team and an API key were made for you:",
        "",
        ...fields({ ...address, "Team id": first.team_id, "API key": first.key }).map((line) => `  ${line}`),
        "",
        "The key is shown only now: keep it. Then make your first call, in another terminal:",
        "",
        ...(curl ?? []),
        "",
      ]
    : ["", "Commonplace is running.", "", ...fields(address).map((line) => `  ${line}`), ""];
  print(run, { base_url: baseUrl, ca: caPath ?? null, ...first, ...(curl && { curl: curl.join("\n") }) }, lines);
}

/** A first call that works when pasted: it makes a snippet, and its answer is the snippet's id. */
function firstCall(baseUrl: string, caPath: string | undefined, { team_id, key }: FirstStart): string[] {
  const body = { title: "Hello", content: { type: "plaintext", content: "Hello, world" }, teamId: team_id };
  return [
    `curl${caPath ? ` --cacert ${quote(caPath)}` : ""} ${baseUrl}/snippet \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ];
}

const readablePath = (path: string): string => {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("..") ? path : fromHere;
};

const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
