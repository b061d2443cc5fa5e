// Writes what is generated from the code: openapi.json, console-openapi.json, the SDK's types and methods, the tables in docs/, the
// programs in docs/build/cookbook/, THIRD-PARTY.md.
// With --check it writes nothing and fails when a file is stale.
import { join } from "node:path";
import type { Command as CliCommand, Option as CliOption } from "../cli/src/command.ts";
import { commands as cliCommands } from "../cli/src/commands.ts";
import { spell, usageOf as usageOfCli } from "../cli/src/help.ts";
import { printOperations } from "../sdk/generator/operations.ts";
import { commands } from "../src/commands.ts";
import { settings } from "../src/config/settings.ts";
import { consoleOpenApi } from "../src/contract/console/openapi.ts";
import { openApi } from "../src/contract/openapi.ts";
import type { Operation } from "../src/contract/operation.ts";
import { operations } from "../src/contract/operations.ts";
import type { Command } from "../src/operations/commands/command.ts";
import { optionRows, usageOf } from "../src/operations/commands/help.ts";
import { keyRows, printedKeys } from "../web/library/keys.ts";
import { errorRows } from "./error-guide.ts";
import { filesWithNames, withScope } from "./release/names.ts";
import { thirdPartyText } from "./third-party.ts";

const root = join(import.meta.dir, "..");
/** Columns of a help text. */
const helpWidth = 80;
const isCheck = process.argv.includes("--check");
const read = (path: string): Promise<string> => Bun.file(join(root, path)).text();

const client = "sdk/src/operations.generated.ts";
const files = [
  { path: "openapi.json", text: `${JSON.stringify(openApi("/api"), null, 2)}\n` },
  { path: "console-openapi.json", text: `${JSON.stringify(consoleOpenApi(), null, 2)}\n` },
  { path: client, text: format(client, printOperations()) },
  { path: "docs/build/operations.md", text: await fill("docs/build/operations.md", "operations", costTables()) },
  { path: "docs/build/errors.md", text: await fill("docs/build/errors.md", "errors", errorTable()) },
  { path: "docs/use/library.md", text: await fill("docs/use/library.md", "keys", keyTable()) },
  { path: "docs/operate/settings.md", text: await fill("docs/operate/settings.md", "settings", settingsTable()) },
  { path: "THIRD-PARTY.md", text: thirdPartyText() },
  { path: "docs/operate/commands.md", text: await fill("docs/operate/commands.md", "commands", commandChapters()) },
  ...(await Promise.all([...new Bun.Glob("docs/build/cookbook/*.md").scanSync(root)].sort().map(cookbookPage))),
  {
    path: "docs/use/cpl-commands.md",
    text: withScope(await fill("docs/use/cpl-commands.md", "commands", cliChapters())),
  },
  ...(await Promise.all(filesWithNames.map(async (path) => ({ path, text: withScope(await read(path)) })))),
];

let stale = 0;
for (const { path, text } of files) {
  if ((await read(path).catch(() => undefined)) === text) continue;
  stale += 1;
  if (!isCheck) await Bun.write(join(root, path), text);
  console.log(isCheck ? `${path} is out of date. Run npm run generate` : `Updated ${path}`);
}
if (isCheck && stale > 0) process.exit(1);
if (!isCheck)
  console.log(
    stale === 0
      ? `All ${files.length} generated files are up to date.`
      : `${files.length - stale} of ${files.length} generated files were up to date already.`,
  );

/** The costs of the interface, then those of the additions, if there are any. */
function costTables(): string {
  const rows = Object.values<Operation>(operations).map(({ method, path, summary, cost, isAddition }) => ({
    isAddition,
    cells: [`\`${method} ${path}\``, summary, cost.words],
  }));
  const costTable = (areAdditions: boolean) =>
    table(
      ["request", "what it does", "cost in units"],
      rows.filter(({ isAddition }) => isAddition === areAdditions).map(({ cells }) => cells),
    );
  const hasAdditions = rows.some(({ isAddition }) => isAddition);
  return hasAdditions ? `${costTable(false)}\nAdditional operations:\n\n${costTable(true)}` : costTable(false);
}

function errorTable(): string {
  const rows = errorRows().map(({ status, code, meaning, repeat, cost }) => [
    String(status),
    `\`${code}\``,
    meaning,
    repeat,
    cost,
  ]);
  return table(["status", "code", "meaning", "send it again", "cost"], rows);
}

/** The keys of the library, by what they are for. */
function keyTable(): string {
  const groups = Map.groupBy(keyRows, ({ group }) => group);
  const rows = [...groups].flatMap(([group, keys]) =>
    keys.map(({ keys: spellings, label }) => [
      group,
      label,
      spellings
        .map((key) =>
          printedKeys(key, false)
            .map((cap) => `\`${cap}\``)
            .join(" "),
        )
        .join(" or "),
    ]),
  );
  return table(["for", "what it does", "keys"], rows);
}

function settingsTable(): string {
  const rows = settings.map((setting) => [
    `\`${setting.name}\``,
    setting.default && `\`${setting.default}\``,
    setting.meaning,
  ]);
  return table(["setting", "default", "meaning"], rows);
}

/** An overview of the commands, then a chapter for each. */
function commandChapters(): string {
  const overview = commands.map(({ name, summary }) => [`[\`${name}\`](#${name.replaceAll(" ", "-")})`, summary]);
  return [table(["command", "what it does"], overview), ...commands.map(commandChapter)].join("\n");
}

function commandChapter(command: Command): string {
  const rows = optionRows(command).map(([spelled, meaning]) => [`\`${spelled}\``, meaning]);
  // The notes of `serve` are the settings, which have a page of their own.
  const notes =
    command.name === "serve" ? ["Reads the [settings](settings.md)."] : (command.notes ?? []).map(linkPages);
  return [
    `## ${command.name}\n\n${command.summary}.\n`,
    `\`\`\`\n./commonplace ${[command.name, ...usageOf(command)].join(" ")}\n\`\`\`\n`,
    ...(rows.length > 0 ? [table(["option", "meaning"], rows)] : []),
    ...(notes.length > 0 ? [notesInMarkdown(notes)] : []),
  ].join("\n");
}

/** A page that a note names by its address, as a link to its file. */
function linkPages(note: string): string {
  return note.replaceAll(/\/docs\/(\w+)\/(\w+) on the service/g, (_, folder: string, name: string) => {
    const path = folder === "operate" ? `${name}.md` : `../${folder}/${name}.md`;
    return `[${name}](${path})`;
  });
}

/** The same for cpl. */
function cliChapters(): string {
  const overview = cliCommands.map(({ name, summary }) => [`[\`${name}\`](#${name.replace(" ", "-")})`, summary]);
  return [table(["command", "what it does"], overview), ...cliCommands.map(cliChapter)].join("\n");
}

function cliChapter(command: CliCommand): string {
  const rows = [
    ...command.arguments.map(({ value, meaning }) => [`\`${value}\``, meaning]),
    ...Object.entries<CliOption>(command.options).map(([name, option]) => [
      `\`${spell(name, option)}\``,
      option.meaning,
    ]),
  ];
  return [
    `## ${command.name}\n\n${command.summary}.\n`,
    `\`\`\`\n${usageOfCli(command).join(" ")}\n\`\`\`\n`,
    ...(rows.length > 0 ? [table(["option", "meaning"], rows)] : []),
    ...(command.notes ? [notesInMarkdown(command.notes)] : []),
  ].join("\n");
}

/**
 * The notes of a help text, in which Markdown would join what a terminal shows on separate lines. A command becomes a block of code,
 * `bash:  …` an item of a list. A line that ends early begins a new paragraph.
 */
function notesInMarkdown(lines: readonly string[]): string {
  let markdown = "";
  let before: "text" | "command" | "item" | undefined;
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1] ?? "";
    const item = /^(\w+): {2,}(.+)$/.exec(line);
    const isCommand = line.startsWith("  ") || (above.endsWith(":") && line.startsWith("./commonplace "));
    const kind = line === "" ? undefined : item ? "item" : isCommand ? "command" : "text";
    const [firstWord = ""] = line.split(" ");
    const endsEarly = /[.:]$/.test(above) && above.length + 1 + firstWord.length <= helpWidth;
    if (kind && index > 0 && (kind !== before || (kind === "text" && endsEarly))) markdown += "\n";
    if (kind === "text") markdown += `${line}\n`;
    if (kind === "command") markdown += `\`\`\`\n${line.trim()}\n\`\`\`\n`;
    if (item) markdown += `- ${item[1]}: ${inMarkdown(item[2] ?? "")}\n`;
    before = kind;
  }
  return markdown;
}

/** A command, and what is said about it in parentheses. Anything else is text. */
function inMarkdown(text: string): string {
  const [, command, remark] = /^(cpl .+?)(?: {2}\((.+)\))?$/.exec(text) ?? [];
  if (command === undefined) return text;
  return `\`${command}\`${remark === undefined ? "" : `, ${remark.replaceAll(/\$\w+/g, "`$&`")}`}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`).join("");
}

/** The file with this content between the two comments that name the place. */
async function fill(path: string, place: string, content: string): Promise<string> {
  const markdown = await read(path);
  const filled = new RegExp(`(<!-- ${place}: [^\\n]*-->\\n)[^]*?(<!-- end of ${place} -->)`);
  if (!filled.test(markdown)) throw new Error(`${path} has no place for ${place}`);
  return markdown.replace(filled, (_, opening: string, closing: string) => opening + content + closing);
}

/** A page of the cookbook, with each program between the two comments that name its file. */
async function cookbookPage(path: string): Promise<{ path: string; text: string }> {
  const markdown = await read(path);
  const places = /(<!-- ([\w.-]+): generated from cookbook\/[^\n]*-->\n```\w+\n)(?:.|\n)*?(```\n<!-- end of \2 -->)/g;
  const names = Array.from(markdown.matchAll(places), ([, , name = ""]) => name);
  const programs = new Map(
    await Promise.all(names.map(async (name) => [name, await read(`cookbook/${name}`)] as const)),
  );
  const filled = markdown.replace(
    places,
    (_, opening: string, name: string, closing: string) => opening + programs.get(name) + closing,
  );
  return { path, text: withScope(filled) };
}

/** The text as Biome formats it. */
function format(path: string, text: string): string {
  const biome = join(root, "node_modules/.bin/biome");
  const { success, stdout, stderr } = Bun.spawnSync([biome, "format", `--stdin-file-path=${path}`], {
    cwd: root,
    stdin: Buffer.from(text),
  });
  if (!success) throw new Error(`${path} cannot be formatted: ${stderr}`);
  return stdout.toString();
}
