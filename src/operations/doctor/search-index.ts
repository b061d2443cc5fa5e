// The check of the search index.
import { examineIndex } from "../../library/search/check-index.ts";
import { formatNumber } from "../format.ts";
import { type Check, examplesMax, listSome, ok, problem } from "./check.ts";
import type { StoredData } from "./stored-data.ts";

const examinedMax = 100_000;

export const searchChecks: readonly Check<StoredData>[] = [
  {
    name: "search index",
    question: "Is the search index complete and up to date?",
    remedy: "Run ./commonplace search rebuild. The service can keep running.",
    examine: async ({ read }) => {
      const { examined, isSample, missing } = await read((transaction) => examineIndex(transaction, examinedMax));
      if (missing.length > 0) {
        const shown = missing.slice(0, examplesMax).map(({ workspace_id, id }) => `${id} in workspace ${workspace_id}`);
        return problem(`${formatNumber(missing.length)} missing or outdated: ${listSome(shown, missing.length)}`);
      }
      const every = isSample
        ? `all ${formatNumber(examined)} snippets in a sample from the whole database are`
        : "all snippets are";
      return ok(`${every} indexed or waiting to be indexed`);
    },
  },
];
