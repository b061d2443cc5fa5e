// The check of the search index.
import { examineIndex } from "../../library/search/check-index.ts";
import { formatNumber } from "../format.ts";
import { type Check, examplesMax, listSome, ok, problem } from "./check.ts";
import type { StoredData } from "./stored-data.ts";

const examinedMax = 100_000;

export const searchChecks: readonly Check<StoredData>[] = [
  {
    name: "search index",
    question: "Does the search index have every snippet as it is now?",
    remedy:
      "Make the index anew: delete all rows of search_blocks, search_segments and search_pending, then insert into search_pending the workspace_id, the id and again the id of every row of snippets. The running service does the rest within minutes.",
    examine: async ({ read }) => {
      const { examined, isSample, missing } = await read((transaction) => examineIndex(transaction, examinedMax));
      if (missing.length > 0) {
        const shown = missing.slice(0, examplesMax).map(({ workspace_id, id }) => `${id} in workspace ${workspace_id}`);
        return problem(`a search does not find ${formatNumber(missing.length)}: ${listSome(shown, missing.length)}`);
      }
      const every = isSample ? `the first ${formatNumber(examined)} snippets are` : "every snippet is";
      return ok(`${every} in it, or about to be`);
    },
  },
];
