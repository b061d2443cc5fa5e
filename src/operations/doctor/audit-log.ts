// The check of the audit log: its entries are as they were written, and none is missing.
import { verifyChains } from "../../accounts/audit/chain.ts";
import { readExportLag } from "../../accounts/audit/continuous-export.ts";
import { formatNumber } from "../format.ts";
import { type Check, listSome, ok, problem, warning } from "./check.ts";
import type { StoredData } from "./stored-data.ts";

export const auditLogChecks: readonly Check<StoredData>[] = [
  {
    name: "audit log",
    question: "Is every entry of the audit logs present and unchanged?",
    remedy:
      "Someone changed the database, or it is damaged. Compare the entry and those after it with an exported copy or with a backup.",
    examine: async ({ read }) => {
      const { chains, entries, forgotten, broken } = await read(verifyChains);
      if (broken.length > 0) return problem(listSome(broken));
      const removed =
        forgotten > 0 ? `; the names and details of deleted accounts were removed from ${entriesOf(forgotten)}` : "";
      return ok(`${entriesOf(entries)} in ${formatNumber(chains)} ${chains === 1 ? "chain" : "chains"}${removed}`);
    },
  },
  {
    name: "audit export",
    question: "Are new entries of the audit logs exported promptly?",
    remedy: 'Search the log of the service for "job failed" lines for the "audit_export" job: they name the cause.',
    examine: async ({ config, read }) => {
      if (!config.auditSink) return ok("off: to export entries, set COMMONPLACE_AUDIT_EXPORT");
      const { entries, seconds } = await read(readExportLag);
      if (seconds > lagSecondsMax)
        return warning(
          `${entriesOf(entries)} not yet exported; the oldest is ${formatNumber(Math.round(seconds))} s old`,
        );
      return ok("all entries were exported, or will be within seconds");
    },
  },
];

const entriesOf = (count: number): string => `${formatNumber(count)} ${count === 1 ? "entry" : "entries"}`;

const lagSecondsMax = 15 * 60;
