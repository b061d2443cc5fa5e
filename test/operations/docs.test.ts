// The guides in docs/ name what there is: commands, options, settings, metrics, files and chapters.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { anchorOf } from "../../site/links.ts";
import { pages as sitePages } from "../../site/nav.ts";
import { commands } from "../../src/commands.ts";
import { settings } from "../../src/config/settings.ts";
import { actions } from "../../src/contract/console/actions.ts";
import { consoleOpenApi } from "../../src/contract/console/openapi.ts";
import { openApi } from "../../src/contract/openapi.ts";
import { findCommand } from "../../src/operations/commands/command-line.ts";
import { commonOptions } from "../../src/operations/commands/options.ts";
import { root } from "../support/program.ts";

const pages = [
  "README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "sdk/README.md",
];
const guides = [
  ...pages,
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`),
]
  .filter((path) => path.endsWith(".md"))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1] ?? ""));

/** Command lines of the program in blocks of shell and in code within a line, without what follows in the shell. */
const commandLinesOf = (text: string): string[] => {
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].flatMap((match) =>
    (match[1] ?? "").replaceAll("\\\n", " ").split("\n"),
  );
  const inline = [...text.replaceAll(/^ *```.*?^ *```$/gms, "").matchAll(/`([^`\n]+)`/g)].map(
    (match) => match[1] ?? "",
  );
  return [...blocks, ...inline].flatMap(
    (line) => /^(?:\.\/commonplace|commonplace|commonplace-admin) +([a-z][^#|>]*)/.exec(line.trim())?.[1]?.trim() ?? [],
  );
};

describe.each(guides.map((guide) => [guide.path, guide.text] as const))("%s", (path, text) => {
  test("its links lead to files and chapters that are there", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
    const pictures = [...text.matchAll(/(?:src|srcset)="(?!https?:)([^"]+)"/g)];
    const lost = [...links, ...pictures].flatMap(([, file = "", anchor]) => {
      const target = file === "" ? path : join(dirname(path), file);
      if (!existsSync(join(root, target))) return [target];
      if (anchor === undefined) return [];
      const isThere = anchorsOf(readFileSync(join(root, target), "utf8")).includes(anchor);
      return isThere ? [] : [`${target}#${anchor}`];
    });
    expect(lost).toEqual([]);
  });

  test("its settings exist", () => {
    const named = [...text.matchAll(/\bCOMMONPLACE_[A-Z_]*[A-Z]\b/g)].map(([name]) => name);
    expect(named.filter((name) => !settings.some((setting) => setting.name === name))).toEqual([]);
  });

  test("its commands exist and have the options that they are given", () => {
    const wrong = commandLinesOf(text).flatMap((line) => {
      const words = line.split(/\s+/);
      if (["…", "help"].includes(words[0] ?? "")) return [];
      const command = findCommand(commands, words);
      if (!command) return [line];
      const known = [...Object.keys(command.options), ...Object.keys(commonOptions)];
      return [...line.matchAll(/(?<=^|\s)--([a-z-]+)/g)].some((match) => !known.includes(match[1] ?? "")) ? [line] : [];
    });
    expect(wrong).toEqual([]);
  });

  test("its metrics exist", () => {
    const source = readdirSync(join(root, "src/operations/metrics")).map((name) =>
      readFileSync(join(root, "src/operations/metrics", name), "utf8"),
    );
    const named = [
      ...text.matchAll(
        /\bcommonplace_[a-z_]+_(?:total|seconds|size|flight|ready|entries|capacity|limit|waiters|use|info)\b/g,
      ),
    ];
    expect(named.map(([name]) => name).filter((name) => !source.some((code) => code.includes(name)))).toEqual([]);
  });
});

test("docs/compatibility.md names the versions of both APIs", () => {
  const page = readFileSync(join(root, "docs/compatibility.md"), "utf8");
  expect(openApi("/api").info.version).toBe("1.0.0");
  expect(page).toContain("`X-API-Version` 1.0.0");
  expect(consoleOpenApi().info.version).toBe("0.1.0");
  expect(page).toContain("**The [console API](build/console-api.md)**, version 0.1.0.");
});

test("the guides for operators have commands to check", () => {
  const hosting = guides.filter(({ path }) => path.startsWith("docs/operate/"));
  expect(hosting.length).toBeGreaterThan(8);
  expect(hosting.flatMap(({ text }) => commandLinesOf(text)).length).toBeGreaterThan(15);
});

test("the messages that the guides for operators explain are in the source", () => {
  const source = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(root, "src", name), "utf8"))
    .join("\n");
  const table = readFileSync(join(root, "docs/operate/messages.md"), "utf8");
  const messages = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, message = ""]) => message),
  );
  // What stands for a value in a message is … or a number; some settings are values as well.
  const fixedParts = (message: string) =>
    message.split(/…|\b\d+\b|COMMONPLACE_\w+: |\b(?:fsync|synchronous)\b|: EACCES/).map((part) => part.trim());
  const ofOthers = [
    "EBADENGINE",
    "cannot execute … in a read-only transaction",
    "unable to verify the first certificate",
  ];
  const lost = messages
    .filter((message) => !ofOthers.includes(message))
    .flatMap(fixedParts)
    .filter((part) => part.length > 1 && !source.includes(part));
  expect(messages.length).toBeGreaterThan(20);
  expect(lost).toEqual([]);
});

test("the documents that the program and the files in deploy/ name are there", () => {
  const files = ["src", "deploy", "cli", "mcp"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    )
    .filter(
      (path) => /\.(?:tsx?|yaml|yml|service|conf|cfg|example)$|Caddyfile$/.test(path) && !path.includes("node_modules"),
    );
  const named = ["Dockerfile", ...files].flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(/(?<![/\w.-])docs\/[\w/-]+(?:\.md|\/)/g)].map(([name]) => name),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

test("the pages that messages name are on the service", () => {
  const texts = ["src", "cli/src", "mcp"]
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.ts`).scanSync(root)])
    .map((path) => readFileSync(join(root, path), "utf8"));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/\/docs\/([\w/-]+) on the service/g)].map(([, path]) => path),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !sitePages.some((page) => page.path === path))).toEqual([]);
});

test("the table of roles in docs/administer/roles.md has every action of the console, as the server allows it", () => {
  const rows = readFileSync(join(root, "docs/administer/roles.md"), "utf8").matchAll(
    /^\| (.*`[a-z]+\.[a-z]+`.*?) \| (.*) \|$/gm,
  );
  const told = [...rows].flatMap(([, what = "", cells = ""]) =>
    [...what.matchAll(/`([a-z]+\.[a-z]+)`/g)].map(([, action = ""]) => [action, cells.split(" | ")] as const),
  );
  const inTeam = (team: readonly string[], role: string) => (team.includes(role) ? "in the team" : "–");
  const allowed = Object.entries<{ readonly workspace: readonly string[]; readonly team: readonly string[] }>(actions)
    .filter(([, { workspace, team }]) => workspace.length + team.length > 0)
    .map(([action, { workspace, team }]) => {
      const [owner, admin, member] = ["owner", "admin", "member"].map((role) =>
        workspace.includes(role) ? "yes" : "–",
      );
      const teams = ["admin", "editor", "viewer"].map((role) => (member === "yes" ? "yes" : inTeam(team, role)));
      return [action, [owner, admin, ...teams, member]] as const;
    });
  expect<unknown>(Object.fromEntries(told)).toEqual(Object.fromEntries(allowed));
});

test("each guarantee in docs/how/security.md names a test that exists, by its file and title", () => {
  const text = readFileSync(join(root, "docs/how/security.md"), "utf8");
  const tables = [...text.matchAll(/^\| guarantee \| shown by \|\n\|---\|---\|\n((?:\|.*\n)+)/gm)];
  const rows = tables.flatMap(([, lines = ""]) => lines.trimEnd().split("\n"));
  expect(rows.length).toBeGreaterThan(60);
  const wrong = rows.flatMap((row) => {
    const named = [...row.matchAll(/\]\((?:\.\.\/)+(test\/[\w/-]+\.test\.ts)\): “([^”]+)”/g)];
    if (named.length === 0) return [row];
    return named.flatMap(([, file = "", title = ""]) => {
      // As it is written: alone, or after the name of a case.
      const written = new RegExp(`["\`](?:\\$\\{\\w+\\}: |%s: )?${RegExp.escape(title)}["\`],`);
      return existsSync(join(root, file)) && written.test(readFileSync(join(root, file), "utf8"))
        ? []
        : [`${file}: ${title}`];
    });
  });
  expect(wrong).toEqual([]);
});

describe("docs/how/security-review.md", () => {
  const text = readFileSync(join(root, "docs/how/security-review.md"), "utf8");

  test("its summary counts the points of each status", () => {
    // A row has one point, or several: "1.2.6 to 1.2.8, 1.3.8".
    const countOf = (points: string): number =>
      points
        .split(", ")
        .map((part) => part.split(" to ").map((point) => Number(point.split(".").at(-1))))
        .reduce((sum, [first = 0, last = first]) => sum + last - first + 1, 0);
    const rows = [...text.matchAll(/^\| (API\d+|[\d., to]+) \| [^|]* \| \**([a-z ]+)\** \|/gm)];
    const summaryOf = (isOfList: (points: string) => boolean, size: (points: string) => number) => {
      const numbers = ["met", "partly", "not met", "does not apply"].map((status) =>
        rows
          .filter(([, points = "", found]) => isOfList(points) && found === status)
          .reduce((sum, [, points = ""]) => sum + size(points), 0),
      );
      return [numbers.reduce((sum, number) => sum + number), ...numbers].join(" | ");
    };
    const isApi = (points: string) => points.startsWith("API");
    expect(text).toContain(`| API Security Top 10 | ${summaryOf(isApi, () => 1)} |`);
    expect(text).toContain(`| ASVS 5.0.0, levels 1 and 2 | ${summaryOf((points) => !isApi(points), countOf)} |`);
  });

  test("each test that it links to exists", () => {
    const files = [...text.matchAll(/\]\((?:\.\.\/)+(test\/[\w/-]+\.test\.ts)\)/g)].map(([, file = ""]) => file);
    expect(files.length).toBeGreaterThan(200);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
