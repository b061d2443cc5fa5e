// The pages of the documentation, in the order in which they are read. A page's title is its first heading.

/** A Markdown file of the project, and where it is on the site. */
export interface PageSource {
  /** From the project's root. */
  readonly file: string;
  /** Below the site's address, without slashes at its ends; empty for the start page. */
  readonly path: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly PageSource[];
}

/** A document by its path below docs/, without `.md`; with another path on the site if its file is elsewhere. */
type Listed = string | readonly [path: string, file: string];

/** The path of a page is that of its document; the README of a folder is the page of the folder. */
const section = (title: string, documents: readonly Listed[]): Section => ({
  title,
  pages: documents.map((document) => {
    const [path, file] = typeof document === "string" ? [document, `docs/${document}.md`] : document;
    return { file, path: path.replace(/\/README$/, "") };
  }),
});

export const home: PageSource = { file: "docs/README.md", path: "" };

export const sections: readonly Section[] = [
  section("Use it", [
    "use/README",
    "use/library",
    "use/account",
    "use/import-and-export",
    "use/formats",
    "use/cpl",
    "use/sync",
    "use/cpl-commands",
    "use/glossary",
  ]),
  section("Build on it", [
    "build/README",
    "build/quick-start",
    "build/guide",
    "build/operations",
    "build/errors",
    "build/webhooks",
    ["build/typescript", "sdk/README.md"],
    "build/agents",
    "build/console-api",
    "build/cookbook/README",
    "build/cookbook/slack-bot",
    "build/cookbook/prompt-pipeline",
    "build/cookbook/prompts-in-python",
    "build/cookbook/export-to-git",
    "build/cookbook/static-page",
    "compatibility",
  ]),
  section("Administer", [
    "administer/README",
    "administer/roles",
    "administer/people",
    "administer/keys",
    "administer/usage-and-alerts",
    "administer/invoices",
    "administer/audit-and-deletion",
  ]),
  section("Operate", [
    "operate/README",
    "operate/install",
    "operate/upgrading",
    "operate/proxy",
    "operate/overload",
    "operate/sign-in-and-email",
    "operate/billing",
    "operate/backup",
    "operate/monitoring",
    "operate/postgresql",
    "operate/high-availability",
    "operate/containers",
    "operate/settings",
    "operate/commands",
    "operate/messages",
  ]),
  section("How it works", [
    ["how/architecture", "ARCHITECTURE.md"],
    "how/design-notes",
    "how/decisions",
    "how/security",
    "how/security-review",
    "how/proofs",
    "how/scaling",
    "how/benchmarks",
    "reports/0.1.0",
    ["how/contributing", "CONTRIBUTING.md"],
    "releasing",
    ["how/changelog", "CHANGELOG.md"],
    ["how/report-a-vulnerability", "SECURITY.md"],
  ]),
];

/** All pages, the start page first. */
export const pages: readonly PageSource[] = [home, ...sections.flatMap((each) => each.pages)];
