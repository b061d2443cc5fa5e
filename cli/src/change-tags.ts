// Changes some tags of a snippet, and keeps those that others add or remove.
import { sleep } from "../../sdk/src/exchange.ts";
import { type Commonplace, RateLimitError } from "../../sdk/src/index.ts";

/** The IDs of tags. */
export interface TagChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Until the rate limit allows another request: one more is needed to read the snippet again. */
const spareSeconds = 3;
const waitsMax = 4;

/** An update replaces all tags, so they are read directly before it, and again after each wait for the rate limit. */
export async function changeTags(
  client: Pick<Commonplace, "getSnippet" | "putSnippet">,
  id: string,
  { added, removed }: TagChange,
  wait = (seconds: number) => sleep(seconds, new AbortController().signal),
): Promise<{ readonly tag_ids: readonly string[]; readonly changed: boolean }> {
  for (let waits = 0; ; waits += 1) {
    const { tag_ids: before } = (await client.getSnippet({ id })).data;
    const tagIds = [...new Set([...before, ...added])].filter((each) => !removed.includes(each));
    if (tagIds.length === before.length && before.every((each) => tagIds.includes(each)))
      return { tag_ids: before, changed: false };
    try {
      await client.putSnippet({ id, tagIds }, { waitForRateLimit: false });
      return { tag_ids: tagIds, changed: true };
    } catch (error) {
      const seconds = error instanceof RateLimitError ? error.retryAfterSeconds : undefined;
      if (seconds === undefined || waits === waitsMax) throw error;
      await wait(seconds + spareSeconds);
    }
  }
}
