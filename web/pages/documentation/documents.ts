// The files of docs/ that the console contains, and how their links lead to each other.
/// <reference path="./texts.d.ts" />

interface Document {
  readonly title: string;
  readonly load: () => Promise<string>;
}

type Text = Promise<{ readonly default: string }>;

/** A bundler finds the files only if each import names its file. */
const documents = new Map<string, readonly [title: string, load: () => Text]>([
  ["administration", ["Administration", () => import("../../../docs/administration.md", { with: { type: "text" } })]],
  ["api", ["API", () => import("../../../docs/api.md", { with: { type: "text" } })]],
  [
    "import-and-export",
    ["Import and export", () => import("../../../docs/import-and-export.md", { with: { type: "text" } })],
  ],
  ["cli", ["The cpl command", () => import("../../../docs/cli.md", { with: { type: "text" } })]],
  ["security", ["Security", () => import("../../../docs/security.md", { with: { type: "text" } })]],
  ["hosting/README", ["Hosting", () => import("../../../docs/hosting/README.md", { with: { type: "text" } })]],
  ["hosting/install", ["Installation", () => import("../../../docs/hosting/install.md", { with: { type: "text" } })]],
  [
    "hosting/sign-in-and-email",
    ["Sign-in and email", () => import("../../../docs/hosting/sign-in-and-email.md", { with: { type: "text" } })],
  ],
  ["hosting/backup", ["Backups", () => import("../../../docs/hosting/backup.md", { with: { type: "text" } })]],
  [
    "hosting/monitoring",
    ["Monitoring", () => import("../../../docs/hosting/monitoring.md", { with: { type: "text" } })],
  ],
  ["settings", ["Settings", () => import("../../../docs/settings.md", { with: { type: "text" } })]],
  ["commands", ["Commands", () => import("../../../docs/commands.md", { with: { type: "text" } })]],
]);

/** Below /console. */
export const documentationPath = (name: string): string => `/docs/${name}`;

export function findDocument(name: string): Document | undefined {
  const found = documents.get(name);
  if (!found) return undefined;
  const [title, load] = found;
  return { title, load: async () => (await load()).default };
}

/** The name and title of each, in the order of the contents. */
export const listDocuments = (): readonly (readonly [name: string, title: string])[] =>
  [...documents].map(([name, [title]]) => [name, title]);

const linkPattern = /\]\(([^)\s#]*)(#[^)\s]*)?\)/g;

/** The text below its title, with links to the other documents of the console. Links to other files become plain text. */
export const forConsole = (name: string, text: string, origin: string): string =>
  text
    .replace(/<!--.*?-->\n?/gs, "")
    .replace(/^\s*# .*\n/, "")
    // The title is a heading of the page.
    .replace(/^#(#+ )/gm, "$1")
    .replace(linkPattern, (link: string, file: string, hash = "") => {
      if (/^\w+:/.test(file)) return link;
      const path = new URL(file || `${name}.md`, `https://docs.example/${file ? name : ""}`).pathname.slice(1);
      const target = path.replace(/\.md$/, "");
      return documents.has(target) ? `](${origin}/console${documentationPath(target)}${hash})` : link;
    });

/** The part of an address that leads to a heading, as in repositories on the web. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");
