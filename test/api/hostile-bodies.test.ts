// Bodies whose parsing would block the service are refused before they are parsed.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { limits } from "../../src/contract/limits.ts";
import { operations } from "../../src/contract/operations.ts";
import { inputRefusal } from "../support/input-refusal.ts";
import { startService } from "../support/service.ts";

const mebibyte = 1024 * 1024;
const tooDeep = "The request body must not have more than 32 levels";
const tooMany = "The request body must not have more than 250,000 values";

describe("a body that is too deep or has too many values: 400 for one unit, and nothing is changed", () => {
  test.each([
    ["7 MiB of open brackets", "[".repeat(7 * mebibyte), tooDeep],
    ["2,600,000 nested arrays", `{"snippets":[${"[[]],".repeat(1_300_000)}[]]}`, tooMany],
    ["600,000 fields", `{${Array.from({ length: 600_000 }, (_, number) => `"k${number}":1`).join()}}`, tooMany],
  ])("%s", async (_, body, message) => {
    const started = await startService();
    const answer = await started.call("POST", "/snippets", { key: started.key.secret, body });
    expect(answer).toMatchObject({ status: 400, body: { success: false, message, error: "invalid_request" } });
    expect(answer.headers.get("x-request-cost")).toBe("1");
    expect(await started.ledger()).toMatchObject([{ operation: "postSnippets", status: 400, units: 1 }]);
    expect((await started.content()).flat()).toEqual([]);
  });
});

describe("the limits are exact, and no text counts", () => {
  const refusalOf = (body: string) => inputRefusal(operations.postFolder, "", body);
  const notAnObject = "The request body must be an object";

  test("32 levels and 250,000 values are read, one more is not", () => {
    expect(refusalOf("[".repeat(32) + "]".repeat(32))).toBe(notAnObject);
    expect(refusalOf("[".repeat(33) + "]".repeat(33))).toBe(tooDeep);
    // The array itself is a value.
    expect(refusalOf(`[${Array(249_999).fill(1).join()}]`)).toBe(notAnObject);
    expect(refusalOf(`[${Array(250_001).fill(1).join()}]`)).toBe(tooMany);
  });

  test("brackets, commas, escaped quotes and a string without an end", () => {
    const folderName = '\\"[{,:'.repeat(100);
    const teamId = crypto.randomUUID();
    expect(refusalOf(JSON.stringify({ folderName, folderColor: "c", teamId }))).toBeUndefined();
    expect(refusalOf(`"${"[".repeat(1_000)}`)).toBe("The request body is not valid JSON");
  });

  test("a text ends at its quote, however long it is and whatever is escaped before its end", () => {
    const tooManyBrackets = `${"[".repeat(33)}${"]".repeat(33)}`;
    for (let length = 0; length < 200; length += 1)
      for (let backslashes = 0; backslashes <= 5; backslashes += 1) {
        const text = `"${"x".repeat(length)}${"\\\\".repeat(backslashes)}`;
        expect(refusalOf(`[${text}${tooManyBrackets}"]`)).toBe(notAnObject);
        expect(refusalOf(`[${text}\\"${"x".repeat(length)}${tooManyBrackets}"]`)).toBe(notAnObject);
        expect(refusalOf(`[${text}",${tooManyBrackets}]`)).toBe(tooDeep);
      }
  });
});

test("the largest body that an operation takes is within half of the limits", () => {
  const content = { type: "plaintext", content: "" };
  const variation = { content, variationName: "Variation" };
  const [teamId, folderId] = [crypto.randomUUID(), crypto.randomUUID()];
  const snippet = {
    ...{ title: "Title", content, teamId, note: "", shortcut: "", folderId },
    tagIds: Array.from({ length: limits.tagsPerSnippetMax }, () => crypto.randomUUID()),
    additionalVariations: Array(limits.additionalVariationsMax).fill(variation),
  };
  const largest = { snippets: Array(limits.batchItemsMax).fill(snippet) };
  expect(inputRefusal(operations.postSnippets, "", JSON.stringify(largest))).toBeUndefined();

  const size = (value: unknown): number =>
    typeof value === "object" && value !== null
      ? 1 + Object.values(value).reduce((sum, part) => sum + size(part) + (Array.isArray(value) ? 0 : 1), 0)
      : 1;
  const depth = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
  expect(size(largest)).toBeLessThan(limits.bodyValuesMax / 2);
  expect(depth(largest)).toBeLessThan(limits.bodyDepthMax / 2);
});
