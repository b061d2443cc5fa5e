// What commands print for people: nothing in it but our own styles acts on the terminal.
import "../support/once.ts";
import { expect, spyOn, test } from "bun:test";
import type { CommandContext } from "../../src/operations/commands/command.ts";
import { printResult } from "../../src/operations/commands/output.ts";

test("escape sequences, bells, and reversed text in a line are replaced; our own styles and all scripts are kept", () => {
  const write = spyOn(process.stdout, "write").mockImplementation(() => true);
  try {
    const lines = [
      "\u001b[1mname\u001b[22m",
      "\u001b[2J\u001b]0;title\u0007",
      "a\u202eb\u009bc",
      "日本語 👩‍👩‍👧 \tשלום",
    ];
    printResult({ isJson: false } as CommandContext, undefined, lines);
    expect(write.mock.calls.map(([text]) => text)).toEqual([
      "\u001b[1mname\u001b[22m\n\ufffd[2J\ufffd]0;title\ufffd\na\ufffdb\ufffdc\n日本語 👩‍👩‍👧 \tשלום\n",
    ]);
  } finally {
    write.mockRestore();
  }
});
