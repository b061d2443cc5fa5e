// ./commonplace serve: starts the service. The first start also creates a workspace, a team and a key, and prints them once.
import { resolve } from "node:path";
import { isatty } from "node:tty";
import { invitationLink } from "./accounts/invitations/invitations.ts";
import { makeFirstLink } from "./accounts/people/first-administrator.ts";
import { createTeam, createWorkspace, listWorkspaces } from "./accounts/workspaces/workspaces.ts";
import { settings } from "./config/settings.ts";
import type { Config } from "./config.ts";
import { consoleLimits } from "./contract/console/limits.ts";
import { firstCall } from "./metering/keys/first-call.ts";
import { createKey } from "./metering/keys/keys.ts";
import type { Command, CommandContext } from "./operations/commands/command.ts";
import { bold, formatFields, printResult } from "./operations/commands/output.ts";
import type { Database } from "./platform/database/database.ts";
import { lockForInstance } from "./platform/database/instance-lock.ts";
import type { Service } from "./service.ts";

export const serve: Command = {
  name: "serve",
  summary: "Start the service",
  options: {},
  notes: [
    "Settings are read from the environment, defaults in brackets:",
    "",
    ...settings.flatMap((setting) => [
      `  ${setting.name}${setting.default && ` [${setting.default}]`}`,
      `    ${setting.meaning}`,
    ]),
  ],
  run: async (context) => {
    const signal = shutdownSignal();
    const { startService } = await import("./service.ts");
    const starting = startService(context.config);
    // From a terminal, SIGHUP means that the terminal was closed and ends the process as usual.
    if (!isatty(standardInput)) process.on("SIGHUP", () => void starting.then(checkCertificate, () => undefined));
    const service = await starting;
    const created = await prepareFirstStart(service.database, context.config);
    announce(context, service, created, await firstAdministratorLink(service));
    // After Ctrl-C there is no load balancer to wait for.
    await service.stop((await signal) === "SIGTERM" ? context.config.drainSeconds : 0);
    process.exit(0);
  },
};

const standardInput = 0;
const checkCertificate = ({ certificates }: Service): Promise<void> => certificates.check();

const shutdownSignals = ["SIGTERM", "SIGINT"] as const;
type ShutdownSignal = (typeof shutdownSignals)[number];

/** Resolves with the first shutdown signal, listening from the start. A second signal, of either kind, ends the process at once. */
const shutdownSignal = (): Promise<ShutdownSignal> =>
  new Promise((resolveSignal) => {
    const onSignal = (signal: ShutdownSignal) => {
      for (const each of shutdownSignals) process.off(each, onSignal);
      resolveSignal(signal);
    };
    for (const signal of shutdownSignals) process.on(signal, onSignal);
  });

/** What the first start created. */
interface FirstStart {
  readonly workspace_id: string;
  readonly team_id: string;
  readonly key: string;
}

/** Creates a workspace, a team and a key for all teams if there is no workspace yet; else returns undefined. */
const prepareFirstStart = (database: Database, config: Config): Promise<FirstStart | undefined> =>
  database.transaction(async (transaction) => {
    // If several nodes start together on an empty database, one of them creates it.
    lockForInstance(transaction);
    if ((await listWorkspaces(transaction)).length > 0) return undefined;
    const workspace = await createWorkspace(transaction, "My workspace", config.monthlyRequests);
    const team = await createTeam(transaction, workspace.id, "My team");
    const key = await createKey(transaction, workspace.id, "First key", "all");
    return { workspace_id: workspace.id, team_id: team.id, key: key.secret };
  });

/** The link that creates the first administrator; undefined without a console, or once somebody has an account. */
async function firstAdministratorLink({ database, consoleUrl }: Service): Promise<string | undefined> {
  if (consoleUrl === undefined) return undefined;
  const token = await database.transaction(makeFirstLink);
  return token && invitationLink(new URL(consoleUrl).origin, token);
}

function announce(
  context: CommandContext,
  { baseUrl, certificate, consoleUrl }: Service,
  created: FirstStart | undefined,
  link: string | undefined,
): void {
  // Absolute, so that the call works from any directory.
  const ca = certificate.caPath === undefined ? null : resolve(certificate.caPath);
  const curl = created && firstCall({ baseUrl, caPath: ca }, created.key, created.team_id);
  const result = {
    base_url: baseUrl,
    ca,
    ...(consoleUrl && { console_url: consoleUrl }),
    ...created,
    ...(curl && { curl }),
    ...(link && { first_administrator_link: link }),
  };
  const fields = {
    "Base address": baseUrl,
    Reference: `${baseUrl}/docs`,
    ...(consoleUrl && { Console: consoleUrl }),
    ...(created && { "Team id": created.team_id, "API key": created.key }),
  };
  printResult(context, result, [
    "",
    bold("Commonplace is running."),
    "",
    ...formatFields(fields).map((line) => `  ${line}`),
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
