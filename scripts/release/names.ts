// The names that a release has in package registries and on other machines.

/** The scope of all npm packages. After a change, run `npm run generate`: it writes the scope to the files below. */
export const scope = "@commonplace-app";

export const packageNames = {
  server: `${scope}/server`,
  client: `${scope}/client`,
  cpl: `${scope}/cpl`,
} as const;

/** The package with the executable for a platform. npm installs the one for its machine. */
export const platformPackage = (platform: string): string => `${packageNames.server}-${platform}`;

/** The files that name the packages. */
export const filesWithNames = [
  ...["cli/README.md", "cli/package.json", "sdk/README.md", "sdk/package.json", "scripts/release/npm/README.md"],
  ...["README.md", "docs/build/quick-start.md", "docs/operate/install.md", "docs/use/cpl.md"],
] as const;

/** The text with the current scope in the names of the packages. */
export const withScope = (text: string): string =>
  text.replaceAll(/@[\w.-]+\/(?=(?:client|cpl|server)\b)/g, (named) =>
    named === "@modelcontextprotocol/" ? named : `${scope}/`,
  );

/** Who maintains the Debian package. Debian asks for an email address. */
export const maintainer = "The Commonplace project <commonplace-app@users.noreply.github.com>";
