// The check of the audit log: its entries are as they were written, and none is missing.
import { verifyChains } from "../../accounts/audit/chain.ts";
import { formatNumber } from "../format.ts";
import { type Check, listSome, ok, problem } from "./check.ts";
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
];
