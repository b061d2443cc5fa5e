// The check of the key that is kept outside the database.
import { describeKey, isKnownKey, readInstanceKey } from "../../accounts/sign-in/instance-key.ts";
import { type Check, ok, problem } from "./check.ts";
import type { StoredData } from "./stored-data.ts";

export const instanceKeyChecks: readonly Check<StoredData>[] = [
  {
    name: "instance key",
    question: "Does the instance key exist, and does it match the database?",
    remedy:
      "Copy the key from another node, or from the instance that the database comes from. If the key is lost, run ./commonplace instance rekey.",
    examine: async ({ config, read }) => {
      const key = readInstanceKey(config.instanceKey);
      const where = describeKey(config.instanceKey);
      if (key === undefined) return problem(`there is no file ${where}`);
      const isKnown = await read((transaction) => isKnownKey(transaction, key));
      if (isKnown === false) return problem(`the database uses a different key from the one in ${where}`);
      return ok(`in ${where}. Backups do not contain it: keep a copy elsewhere`);
    },
  },
];
