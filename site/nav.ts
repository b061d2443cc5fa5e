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

/** Pages of one section. @param files by the last part of the path; an empty one is the section's own page */
const section = (title: string, path: string, files: Readonly<Record<string, string>>): Section => ({
  title,
  pages: Object.entries(files).map(([name, file]) => ({ file, path: name === "" ? path : `${path}/${name}` })),
});

export const home: PageSource = { file: "docs/README.md", path: "" };

export const sections: readonly Section[] = [
  section("Use it", "use", {
    cpl: "docs/cli.md",
    "import-and-export": "docs/import-and-export.md",
    glossary: "docs/glossary.md",
  }),
  section("Build on it", "build", {
    api: "docs/api.md",
    typescript: "sdk/README.md",
  }),
  section("Administer", "administer", {
    "": "docs/administration.md",
  }),
  section("Operate", "operate", {
    "": "docs/hosting/README.md",
    install: "docs/hosting/install.md",
    proxy: "docs/hosting/proxy.md",
    "sign-in-and-email": "docs/hosting/sign-in-and-email.md",
    billing: "docs/hosting/billing.md",
    backup: "docs/hosting/backup.md",
    monitoring: "docs/hosting/monitoring.md",
    postgresql: "docs/hosting/postgresql.md",
    containers: "docs/hosting/containers.md",
    settings: "docs/settings.md",
    commands: "docs/commands.md",
    messages: "docs/hosting/messages.md",
  }),
  section("How it works", "how", {
    architecture: "ARCHITECTURE.md",
    "design-notes": "docs/design-notes.md",
    decisions: "docs/decisions.md",
    security: "docs/security.md",
    "security-review": "docs/security-review.md",
    proofs: "docs/proofs.md",
    scaling: "docs/scaling.md",
    benchmarks: "docs/benchmarks.md",
    contributing: "CONTRIBUTING.md",
    changelog: "CHANGELOG.md",
    "report-a-vulnerability": "SECURITY.md",
  }),
];

/** All pages, the start page first. */
export const pages: readonly PageSource[] = [home, ...sections.flatMap((each) => each.pages)];
