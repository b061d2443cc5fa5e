// The check of the audit log: its entries are as they were written, and none is missing.
import { verifyChains } from "../../accounts/audit/chain.ts";
import { exportLagSeconds } from "../../accounts/audit/continuous-export.ts";
import { formatNumber } from "../format.ts";
import { type Check, listSome, ok, problem, warning } from "./check.ts";
import type { StoredData } from "./stored-data.ts";

export const auditLogChecks: readonly Check<StoredData>[] = [
  {
    name: "audit log",
    question: "Are all entries of the audit log as they were written?",
    remedy:
      "Somebody changed the database, or it is damaged. Compare the entry and those after it with an exported copy or with a backup.",
    examine: async ({ read }) => {
      const { chains, entries, forgotten, broken } = await read(verifyChains);
      if (broken.length > 0) return problem(listSome(broken));
      const people = forgotten > 0 ? `, ${formatNumber(forgotten)} of them without the data of deleted accounts` : "";
      return ok(`${formatNumber(entries)} entries in ${formatNumber(chains)} chains${people}`);
    },
  },
  {
    name: "audit export",
    question: "Are the entries of the audit log exported as they are written?",
    remedy: 'Search the log for "job failed" with the job audit_export: the line has the cause.',
    examine: async ({ config, read }) => {
      if (!config.auditSink) return ok("not set: COMMONPLACE_AUDIT_EXPORT names where entries are sent");
      const lag = Math.round(await read(exportLagSeconds));
      if (lag > lagSecondsMax) return warning(`the oldest entry that was not exported is ${formatNumber(lag)} s old`);
      return ok("all entries were exported, or will be within seconds");
    },
  },
];

const lagSecondsMax = 15 * 60;
