// ./commonplace serve: starts the service; on the first start also makes what a newcomer needs and says it once.
import { resolve } from "node:path";
import { isatty } from "node:tty";
import { invitationLink } from "./accounts/invitations/invitations.ts";
import { makeFirstLink } from "./accounts/people/first-administrator.ts";
import { createTeam, createWorkspace, listWorkspaces } from "./accounts/workspaces/workspaces.ts";
import { type Config, settings } from "./config.ts";
import { consoleLimits } from "./contract/console/limits.ts";
import { firstCall } from "./metering/keys/first-call.ts";
import { createKey } from "./metering/keys/keys.ts";
import type { Command, Run } from "./operations/commands/commands.ts";
import { bold, fields, print } from "./operations/commands/run.ts";
import type { Database } from "./platform/database/database.ts";
import { sql } from "./platform/database/sql.ts";
import type { Service } from "./service.ts";

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
    const { startService } = await import("./service.ts");
    const starting = startService(run.config);
    // From a terminal it says that the terminal was closed, and ends the process as everywhere.
    if (!isatty(standardInput)) process.on("SIGHUP", () => void starting.then(look, () => undefined));
    const service = await starting;
    const first = await prepareFirstStart(service.database, run.config);
    announce(run, service, first, await firstAdministratorLink(service));
    // Who presses Ctrl-C has no balancer to wait for.
    await service.stop((await end) === "SIGTERM" ? run.config.drainSeconds : 0);
    process.exit(0);
  },
};

const standardInput = 0;
const look = ({ certificates }: Service): Promise<void> => certificates.look();

const endSignals = ["SIGTERM", "SIGINT"] as const;
type EndSignal = (typeof endSignals)[number];

/** Resolves when the service shall end. Heard from the very start; a second signal, of either kind, ends the process at once. */
const endSignal = (): Promise<EndSignal> =>
  new Promise((end) => {
    const hear = (signal: EndSignal) => {
      for (const each of endSignals) process.off(each, hear);
      end(signal);
    };
    for (const signal of endSignals) process.on(signal, hear);
  });

interface FirstStart {
  readonly workspace_id: string;
  readonly team_id: string;
  readonly key: string;
}

/** A workspace, a team and a key that reaches it all, when there is no workspace yet. */
const prepareFirstStart = (database: Database, config: Config): Promise<FirstStart | undefined> =>
  database.transaction(async (transaction) => {
    // Of several nodes that start together on an empty database, one makes it.
    transaction.lock("change", sql`select version from schema_migrations order by version`);
    if ((await listWorkspaces(transaction)).length > 0) return undefined;
    const workspace = await createWorkspace(transaction, "My workspace", config.monthlyRequests);
    const team = await createTeam(transaction, workspace.id, "My team");
    const key = await createKey(transaction, workspace.id, "First key", "all");
    return { workspace_id: workspace.id, team_id: team.id, key: key.secret };
  });

/** Where the first administrator is made, as long as there is nobody. */
async function firstAdministratorLink({ database, consoleUrl }: Service): Promise<string | undefined> {
  if (consoleUrl === undefined) return undefined;
  const token = await database.transaction(makeFirstLink);
  return token && invitationLink(new URL(consoleUrl).origin, token);
}

function announce(
  run: Run,
  { baseUrl, certificate, consoleUrl }: Service,
  first: FirstStart | undefined,
  link: string | undefined,
): void {
  // Absolute, so that the call works from any directory.
  const ca = certificate.caPath === undefined ? null : resolve(certificate.caPath);
  const curl = first && firstCall({ baseUrl, caPath: ca }, first.key, first.team_id);
  const address = { "Base address": baseUrl, Reference: `${baseUrl}/docs`, ...(consoleUrl && { Console: consoleUrl }) };
  const made = first && { "Team id": first.team_id, "API key": first.key };
  const told = { base_url: baseUrl, ca, ...(consoleUrl && { console_url: consoleUrl }), ...first };
  print(run, { ...told, ...(curl && { curl }), ...(link && { first_administrator_link: link }) }, [
    "",
    bold("Commonplace is running."),
    "",
    ...fields({ ...address, ...made }).map((line) => `  ${line}`),
    "",
    ...(curl ? ["Keep the key: it is not shown again. Try it, in another terminal:", "", curl, ""] : []),
    ...(link
      ? [
          `The console has no administrator yet. This link makes the first one: once, within ${consoleLimits.firstLinkMinutes} minutes.`,
          "",
          link,
          "",
        ]
      : []),
  ]);
}
