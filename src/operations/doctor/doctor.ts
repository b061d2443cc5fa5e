// Examines an instance without changing it: settings, files, certificate, ports, database and data.
import { settings } from "../../config/settings.ts";
import { type Config, type Environment, readConfig } from "../../config.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { findRunningService } from "../running-service.ts";
import { auditLogChecks } from "./audit-log.ts";
import { backupChecks } from "./backups.ts";
import { certificateChecks } from "./certificate.ts";
import { type Check, examineAll, type Finding, ok, problem, toFinding, type Verdict } from "./check.ts";
import { directoryChecks } from "./directory.ts";
import { instanceKeyChecks } from "./instance-key.ts";
import { invariantChecks } from "./invariants.ts";
import { invoiceChecks } from "./invoices.ts";
import { jobChecks } from "./jobs.ts";
import { portChecks } from "./ports.ts";
import { postgresChecks } from "./postgres.ts";
import { schemaChecks } from "./schema.ts";
import { searchChecks } from "./search-index.ts";
import { sqliteChecks } from "./sqlite.ts";
import { openStoredData } from "./stored-data.ts";
import { upgradeChecks, versionChecks } from "./upgrade.ts";
import { webhookChecks } from "./webhooks.ts";

const settingsCheck = {
  name: "settings",
  question: "Are all settings valid?",
  remedy: "Correct the setting, then run this command again. ./commonplace serve --help lists all settings.",
};

/** @param onStep called before each check with its name, its number and the number of all checks */
export async function examineInstance(
  environment: Environment,
  onStep: (check: string, done: number, total: number) => void,
): Promise<Finding[]> {
  const { config, verdict } = examineSettings(environment);
  const findings = [toFinding(settingsCheck, verdict)];
  // All other checks depend on the settings.
  if (!config) return findings;
  const running = findRunningService(config, environment);
  const found = running ? { ...config, port: running.port } : config;
  const data = openStoredData(config);
  const dataChecks = [
    ...(data.engine === "postgres" ? postgresChecks : sqliteChecks),
    ...schemaChecks,
    ...upgradeChecks,
    ...instanceKeyChecks,
    ...jobChecks,
    ...invariantChecks,
    ...auditLogChecks,
    ...webhookChecks,
    ...searchChecks,
  ];
  // A final verdict ends only its own group.
  const groups = [versionChecks, directoryChecks, certificateChecks, portChecks, backupChecks, invoiceChecks];
  const total = [...groups, dataChecks].reduce((sum, checks) => sum + checks.length, 1);
  let started = 0;
  const examine = async <Subject>(checks: readonly Check<Subject>[], subject: Subject) => {
    const step = (check: string) => {
      started += 1;
      onStep(check, started, total);
    };
    findings.push(...(await examineAll(checks, subject, step)));
  };
  try {
    for (const checks of groups) await examine(checks, found);
    await examine(dataChecks, data);
  } finally {
    await data.close();
  }
  return findings;
}

function examineSettings(environment: Environment): { config?: Config; verdict: Verdict } {
  try {
    const config = readConfig(environment);
    const given = settings.filter(({ name }) => environment[name]).length;
    return { config, verdict: ok(`${given || "none"} set, ${settings.length - given} at their defaults`) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { verdict: problem(`${error.message}. Nothing else was checked`) };
  }
}
