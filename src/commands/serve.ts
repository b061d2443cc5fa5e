// ./commonplace serve: starts the service; on the first start also makes what a newcomer needs and says it once.
import { resolve } from "node:path";
import { type Config, settings } from "../config.ts";
import type { Database } from "../database/database.ts";
import { createKey } from "../keys/keys.ts";
import { type Service, startService } from "../service.ts";
import { createTeam, createWorkspace, listWorkspaces } from "../workspaces/workspaces.ts";
import type { Command, Run } from "./commands.ts";
import { bold, fields, print } from "./run.ts";

export const serve: Command = {
  name: "serve",
  summary: "Start the service",
  options: {},
  more: [
    "Settings are read from the environment, defaults in brackets:",
    "",
    ...settings.flatMap((setting) => [
      `  ${setting.name}${setting.default && ` [${setting.default}]`}`,
      `    ${setting.meaning}`,
    ]),
  ],
  run: async (run) => {
    const end = endSignal();
    const service = await startService(run.config);
    announce(run, service, await prepareFirstStart(service.database, run.config));
    await end;
    await service.stop();
    process.exit(0);
  },
};

/** Resolves when the service shall end. Heard from the very start; a second signal ends the process at once. */
const endSignal = (): Promise<void> =>
  new Promise((end) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => end());
  });

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

function announce(run: Run, { baseUrl, certificate }: Service, first: FirstStart | undefined): void {
  // Absolute, so that the call works from any directory.
  const ca = certificate.caPath === undefined ? null : resolve(certificate.caPath);
  const curl = first && firstCall(baseUrl, ca, first);
  const address = { "Base address": baseUrl, Reference: `${baseUrl}/docs` };
  const made = first && { "Team id": first.team_id, "API key": first.key };
  print(run, { base_url: baseUrl, ca, ...first, ...(curl && { curl }) }, [
    "",
    bold("Commonplace is running."),
    "",
    ...fields({ ...address, ...made }).map((line) => `  ${line}`),
    "",
    ...(curl ? ["Keep the key: it is not shown again. Try it, in another terminal:", "", curl, ""] : []),
  ]);
}

/** A first call, in one line that works when pasted: it makes a snippet, and its answer is the snippet's id. */
function firstCall(baseUrl: string, ca: string | null, { team_id, key }: FirstStart): string {
  const body = { title: "Hello", teamId: team_id, content: { type: "plaintext", content: "Hello, world" } };
  const trust = ca === null ? "" : ` --cacert ${quote(ca)}`;
  return `curl${trust} ${baseUrl}/snippet -H 'Authorization: Bearer ${key}' -d '${JSON.stringify(body)}'`;
}

const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
