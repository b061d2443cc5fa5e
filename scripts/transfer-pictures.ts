// An import and an export in the pictures of scripts/screenshots.ts: what a page is given, and how it gets there.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { now } from "./demo.ts";
import { demoSnippets } from "./demo-texts.ts";
import type { LibraryPicture } from "./library-pictures.ts";

const team = "Platform";
const known = demoSnippets.find(({ title }) => title === "Connections by client");

interface CodeSnippet {
  readonly scope: string;
  readonly prefix: string;
  readonly body?: string;
  readonly description?: string;
}

/** What somebody has in VS Code. The team has one of them, and another one has no text. */
const files: Readonly<Record<string, Readonly<Record<string, CodeSnippet>>>> = {
  "SQL.code-snippets": {
    [known?.title ?? ""]: { scope: "sql", prefix: known?.shortcut ?? "", body: known?.text ?? "" },
    "Table sizes": {
      ...{ scope: "sql", prefix: "pgsize" },
      body: "select relname, pg_size_pretty(pg_total_relation_size(relid))\nfrom pg_stat_user_tables\norder by 1;",
    },
    "Kill idle connections": { scope: "sql", prefix: "pgkill" },
  },
  "Kubernetes.code-snippets": {
    "Restart a deployment": {
      ...{ scope: "shellscript", prefix: "krestart" },
      body: "kubectl -n $1 rollout restart deployment/$2",
      description: "Use krollout to follow it.",
    },
    "Follow a rollout": {
      ...{ scope: "shellscript", prefix: "krollout" },
      body: "kubectl -n $1 rollout status deployment/$2 --timeout 5m",
    },
  },
  "Kubernetes/Logs.code-snippets": {
    "Logs of all pods": { scope: "shellscript", prefix: "klogs", body: "kubectl -n $1 logs -l app=$2 --since 15m" },
  },
  "TypeScript.code-snippets": {
    "Exhaustive switch": {
      ...{ scope: "typescript", prefix: "never" },
      body: ["default:", "  throw new Error($1 satisfies never);"].join("\n"),
    },
  },
};

/** In a folder, as VS Code keeps them. */
function codeSnippets(): string {
  const folder = join(tmpdir(), "commonplace-pictures-import", "vscode-snippets");
  rmSync(folder, { recursive: true, force: true });
  for (const [path, snippets] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${JSON.stringify(snippets, undefined, 2)}\n`);
  }
  return folder;
}

async function openDialog(page: Page, act: "Import" | "Export"): Promise<void> {
  await page.locator("[role=option]").first().waitFor();
  const tree = page.getByRole("button", { name: "Folders and tags", exact: true });
  if (await tree.isVisible()) await tree.click();
  await page.getByRole("button", { name: "Import or export" }).click();
  await page.getByRole("menuitem", { name: act, exact: true }).click();
  await page.getByRole("dialog").getByLabel("Team").selectOption({ label: team });
}

async function preview(page: Page): Promise<void> {
  await openDialog(page, "Import");
  await page.getByLabel("Choose folder").setInputFiles(codeSnippets());
  await page.getByText("VS Code: ").waitFor();
  await page.getByText("Can’t be imported (1)").waitFor();
}

let release = () => {};

/** Holds an import after its first part, so that it can be looked at. */
async function startLongImport(page: Page): Promise<void> {
  const rows = Array.from({ length: 640 }, (_, at) => ({
    name: `Reply ${at + 1}`,
    text: `Text ${at + 1}`,
    keyword: "",
  }));
  const buffer = Buffer.from(JSON.stringify(rows));
  let parts = 0;
  await page.route("**/api/library/import?*", async (route) => {
    const isPreview = route.request().url().includes("dryRun=true");
    if (!isPreview) parts += 1;
    if (parts === 3)
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    await route.continue();
  });
  await openDialog(page, "Import");
  await page.getByLabel("Choose files").setInputFiles({ name: "replies.json", mimeType: "application/json", buffer });
  await page.getByText("Raycast: ").waitFor();
  await page.clock.setFixedTime(now);
  await page.getByRole("button", { name: /^Import \d/ }).click();
  await page.clock.setFixedTime(now + 4_000);
  await page.getByText("400 of 640").waitFor();
}

async function stopLongImport(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Stop" }).click();
  release();
  await page.getByRole("button", { name: "Undo import" }).click();
  await page.getByText("Import undone").waitFor();
}

const table = `Name,Reply,Key,Used
Where is my order?,"Hello, your order is on its way.",!where,412
Refund approved,"Hello, your refund will arrive in 3 days.",!refund,230
Out of stock,"Hello, we expect it again next week.",!stock,98
`;

async function previewTable(page: Page): Promise<void> {
  await openDialog(page, "Import");
  const file = { name: "replies.csv", mimeType: "text/csv", buffer: Buffer.from(table) };
  await page.getByLabel("Choose files").setInputFiles(file);
  for (const [column, field] of ["Title", "Text", "Shortcut"].entries())
    await page.getByLabel(`Column ${column + 1}`).selectOption(field);
  await page.getByText("CSV: 3 new snippets").waitFor();
}

export const transferPictures: readonly LibraryPicture[] = [
  { name: "import", prepare: preview },
  {
    name: "import-result",
    prepare: async (page) => {
      await preview(page);
      await page.getByRole("button", { name: /^Import \d/ }).click();
      await page.getByRole("dialog", { name: "Import complete" }).waitFor();
    },
    restore: async (page) => {
      await page.getByRole("button", { name: "Undo import" }).click();
      await page.getByText("Import undone").waitFor();
    },
  },
  { name: "import-columns", prepare: previewTable },
  { name: "import-progress", isLast: true, prepare: startLongImport, restore: stopLongImport },
  { name: "import-choose", prepare: (page) => openDialog(page, "Import") },
  { name: "export", prepare: (page) => openDialog(page, "Export") },
];
