// Notes and files that nest are exported and imported through the service: each request is answered, for whoever may send it.
import { expect, test } from "bun:test";
import { createTeam } from "../../src/accounts/workspaces/workspaces.ts";
import { type FormatId, writableFormatIds } from "../../src/contract/formats.ts";
import { startConsole } from "../support/console.ts";
import { deepYaml } from "../support/nestings.ts";
import { text } from "../support/service.ts";

const tools = ["vscode", "espanso", "jetbrains", "ultisnips", "snipmate"] as const;
const units = Object.keys(deepYaml);
const noteOf = (tool: string, unit: string) => `\`\`\`${tool}\n${deepYaml[unit]?.(4_980 - tool.length)}\n\`\`\``;

/** A team with a snippet for each pair of tool and nesting. */
async function teamOf(
  started: Awaited<ReturnType<typeof startConsole>>,
  pairs: readonly (readonly [string, string])[],
) {
  const team = await started.admin((transaction) => createTeam(transaction, started.workspace.id, "Hostile"));
  const notes = pairs.map(([tool, unit]) => noteOf(tool, unit));
  for (const [index, note] of notes.entries())
    await started.client.postSnippet({
      teamId: team.id,
      title: `Snippet ${index}`,
      note,
      content: text(`Text ${index}`),
    });
  return team;
}

test("a viewer and a key export notes that nest in every format, at once and by a process, and all texts are there", async () => {
  const started = await startConsole();
  // A small team has at most 32 KiB.
  const small = await teamOf(
    started,
    tools.map((tool, index) => [tool, units[3 * index] ?? ""] as const),
  );
  const large = await teamOf(
    started,
    tools.flatMap((tool) => units.map((unit) => [tool, unit] as const)),
  );
  const teams = { [small.id]: "viewer", [large.id]: "viewer" } as const;
  const viewer = await started.person({ role: "member", teams });
  for (const format of writableFormatIds) {
    const exported = await viewer.call("getLibraryExport", { query: { teamId: small.id, format } });
    expect({ format, status: exported.status }).toEqual({ format, status: 200 });
    const { status } = await started.call("GET", "/export", {
      key: started.key.secret,
      query: { teamId: small.id, format },
    });
    expect({ format, status }).toEqual({ format, status: 200 });
    if ((tools as readonly string[]).includes(format) || format === "csv")
      for (const index of tools.keys()) expect(exported.text).toContain(`Text ${index}`);
  }
  for (const format of tools) {
    const exported = await viewer.call("getLibraryExport", { query: { teamId: large.id, format } });
    expect(exported.text).toContain(`Text ${tools.length * units.length - 1}`);
  }
}, 120_000);

const before: Partial<Record<FormatId, string>> = {
  espanso: "matches:\n  - trigger: a\n    replace: b\n    vars: ",
  markdown: "---\ntitle: a\nnote: ",
  masscode: "---\ncontents: ",
};
const after = "\n---\n\ntext\n";

test("files that nest are imported, or refused with the reason, in a dry run, a preview, and an import", async () => {
  const started = await startConsole();
  const admin = await started.person({ role: "admin" });
  const query = { teamId: started.team.id };
  const headers = { "Content-Type": "application/octet-stream" };
  for (const [format, beginning] of Object.entries(before))
    for (const unit of units) {
      // A process reads larger files.
      const isLarge = unit === "{" && format !== "masscode";
      for (const size of isLarge ? [4_000, 64 * 1024] : [4_000]) {
        const body = beginning + deepYaml[unit]?.(size) + (format === "espanso" ? "" : after);
        for (const dryRun of [true, false]) {
          const wanted = { ...query, format, dryRun: String(dryRun) };
          const answers = [
            await started.call("POST", "/import", { key: started.key.secret, query: wanted, body, headers }),
            await admin.call("postLibraryImport", { query: wanted, body }),
          ];
          for (const { status, body: answer } of answers)
            expect({ format, unit, size, status, message: answer.message }).toEqual({
              ...{ format, unit, size, status: 400 },
              message: expect.stringMatching(/nested too deeply|Not valid YAML|No snippets were found/),
            });
        }
      }
    }
}, 120_000);
