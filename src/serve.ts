// ./commonplace serve: starts the service. The first start also creates a workspace, a team, and an API key.
import { isatty } from "node:tty";
import { invitationLink } from "./accounts/invitations/invitations.ts";
import { makeFirstLink } from "./accounts/people/first-administrator.ts";
import { createTeam, createWorkspace, listWorkspaces } from "./accounts/workspaces/workspaces.ts";
import { announce, type FirstStart, type StartLink } from "./banner.ts";
import { settings } from "./config/settings.ts";
import type { Config } from "./config.ts";
import { createKey } from "./metering/keys/keys.ts";
import { trustLines } from "./operations/commands/certificate.ts";
import type { Command, CommandContext } from "./operations/commands/command.ts";
import { wrap } from "./operations/commands/help.ts";
import { printBeside } from "./operations/commands/output.ts";
import { formatMoment } from "./operations/format.ts";
import { recordRunningService } from "./operations/running-service.ts";
import type { Transaction } from "./platform/database/database.ts";
import { lockForInstance } from "./platform/database/instance-lock.ts";
import { holdDatabase } from "./platform/database/open.ts";
import { OperatorError } from "./platform/operator-error.ts";
import type { Service } from "./service.ts";

export const serve: Command = {
  name: "serve",
  summary: "Start the service",
  options: {
    try: { meaning: "Start a private instance to try the service: with examples, and signed in by a link" },
    "trust-certificate": { meaning: "With --try: let your browsers on this machine trust the certificate" },
  },
  notes: [
    "The service reads these environment variables (defaults in brackets):",
    "",
    ...settings.flatMap((setting) => [
      `  ${setting.name}${setting.default && ` [${setting.default}]`}`,
      ...wrap(setting.meaning.split(" "), "    ", "    "),
    ]),
  ],
  run: async (given) => {
    const signal = shutdownSignal();
    const trial = given.options.isSet("try") ? await import("./trial.ts") : undefined;
    const trusts = given.options.isSet("trust-certificate");
    if (trusts && !trial) given.options.refuse("--trust-certificate needs --try");
    const context = trial ? { ...given, config: trial.trialConfig(given.environment) } : given;
    holdDatabase(context.config, formatMoment(new Date().toISOString()));
    const { startService } = await import("./service.ts");
    const starting = startService(context.config);
    // From a terminal, SIGHUP means that the terminal was closed and ends the process as usual.
    if (!isatty(standardInput)) process.on("SIGHUP", () => void starting.then(checkCertificate, () => undefined));
    const service = await starting;
    record(service, context.config);
    service.log.write("debug", "started", { millisecondsSinceProcessStart: Math.round(performance.now()) });
    const createFirst = firstStart(context.config);
    const { created, link } = trial
      ? await trial.prepareTrial(service, context.config, createFirst)
      : { created: await service.database.transaction(createFirst), link: await setupLink(service) };
    if (trusts) await trustAsAsked(context);
    announce(context, service, created, link);
    const end = await Promise.race([signal, service.failed]);
    // After Ctrl-C there is no load balancer to wait for.
    await service.stop(end === "SIGTERM" ? context.config.drainSeconds : 0);
    if (end instanceof Error) throw end;
    process.exit(0);
  },
};

/** Without the record, commands fall back to their settings. */
function record({ origin, port, log }: Service, { dataDirectory }: Config): void {
  const cause = recordRunningService(dataDirectory, { origin, port });
  if (cause !== undefined) log.write("warn", "could not record the address for other commands", { cause });
}

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

/** The service starts all the same if the browsers' stores cannot be changed. */
async function trustAsAsked(context: CommandContext): Promise<void> {
  const { trustLocalCertificate } = await import("./operations/local-trust.ts");
  try {
    printBeside(trustLines(context, trustLocalCertificate(context)));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    printBeside([`The certificate is not trusted: ${error.message}.`]);
  }
}

/**
 * Creates a workspace, a team and, unless a setting prevents it, a key for all teams. The function returns undefined if there is a
 * workspace.
 */
const firstStart =
  (config: Config) =>
  async (transaction: Transaction): Promise<FirstStart | undefined> => {
    // If several nodes start together on an empty database, one of them creates it.
    lockForInstance(transaction);
    if ((await listWorkspaces(transaction)).length > 0) return undefined;
    const workspace = await createWorkspace(transaction, "My workspace", config.monthlyRequests);
    const team = await createTeam(transaction, workspace.id, "My team");
    const ids = { workspace_id: workspace.id, team_id: team.id };
    if (!config.createsFirstKey) return ids;
    const key = await createKey(transaction, workspace.id, "First key", "all");
    return { ...ids, key_id: key.id, key: key.secret };
  };

/** The link that creates the first administrator; undefined without a console, or once somebody has an account. */
async function setupLink({ database, consoleUrl }: Service): Promise<StartLink | undefined> {
  if (consoleUrl === undefined) return undefined;
  const token = await database.transaction(makeFirstLink);
  return token === undefined ? undefined : { purpose: "setup", url: invitationLink(new URL(consoleUrl).origin, token) };
}
