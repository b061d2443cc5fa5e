// What the service contains of others: its packages with versions, licenses, copyright notices, and the texts of the licenses.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const licenseFile = /^(licen[cs]e|copying|notice)(\.(md|txt|markdown))?$/i;
const copyrightLine = /^\W*(copyright|portions copyright|fonts are \(c\)).*$/gim;

/** A package of package-lock.json. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Its directory, such as `node_modules/react`. */
  readonly path: string;
  /** As its metadata says, or what its license file is where that says nothing. */
  readonly license: string;
  readonly integrity: string | undefined;
  /** A download address, which the lock file must not have. */
  readonly resolved: string | undefined;
  readonly hasInstallScript: boolean;
  /** Needed only to develop or test. */
  readonly isForDevelopment: boolean;
  /** One of several builds of the same, of which a machine installs its own. */
  readonly isForOnePlatform: boolean;
}

interface LockEntry {
  /** Only if another package calls it by a different name. */
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly os?: readonly string[];
}

/** Licenses of packages whose metadata does not name them; what their license files say. */
const knownLicenses: Readonly<Record<string, string>> = {
  "dejavu-fonts-ttf": "Bitstream-Vera",
  "png-js": "MIT",
};

/** All packages, in the order of the lock file. */
export function lockedPackages(): LockedPackage[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  return Object.entries(lock.packages)
    .filter(([path]) => path !== "")
    .map(([path, entry]) => {
      const name = entry.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      return {
        name,
        version: entry.version,
        path,
        license: knownLicenses[name] ?? entry.license ?? "unknown",
        integrity: entry.integrity,
        resolved: entry.resolved,
        hasInstallScript: entry.hasInstallScript ?? false,
        isForDevelopment: entry.dev === true || entry.devOptional === true,
        isForOnePlatform: entry.os !== undefined,
      };
    });
}

/** The text of THIRD-PARTY.md. */
export function thirdPartyText(): string {
  const shipped = lockedPackages()
    .filter(({ isForDevelopment, isForOnePlatform }) => !isForDevelopment && !isForOnePlatform)
    .map((found) => ({ ...found, ...readLicense(found.path) }))
    .sort((one, other) => compare(one.name, other.name) || compare(one.version, other.version));
  const rows = shipped.map(
    ({ name, version, license, notices }) =>
      `| ${name} | ${version} | ${license} | ${notices.map(cell).join("<br>")} |`,
  );
  const byText = Map.groupBy(
    shipped.filter(({ text }) => text !== ""),
    ({ text }) => text.replaceAll(/\s+/g, " "),
  );
  const texts = [...byText.values()].map((packages, index) => {
    const names = [...new Set(packages.map(({ name }) => name))].join(", ");
    return `### ${index + 1}\n\n${names}\n\n\`\`\`\`text\n${packages[0]?.text}\n\`\`\`\`\n`;
  });
  return `# Third-party software

The service contains these packages. The list is made from \`package-lock.json\` by \`npm run generate\`; \`npm run sbom\` writes it in
CycloneDX format, with checksums. The executable also contains the runtime Bun, and with it the libraries that
[Bun's license](https://bun.com/docs/project/license) lists.

| package | version | license | copyright |
|---|---|---|---|
${rows.join("\n")}

## License texts

The texts are without the copyright notices, which are in the table. Packages that are not named here come without a license file; the table has the license
that their metadata names.

${texts.join("\n")}`;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function readLicense(path: string): { readonly text: string; readonly notices: readonly string[] } {
  const directory = join(root, path);
  if (!existsSync(directory)) return { text: "", notices: [] };
  const text = readdirSync(directory)
    .filter((name) => licenseFile.test(name))
    .sort(compare)
    .map((name) => readFileSync(join(directory, name), "utf8").replaceAll("\r\n", "\n"))
    .join("\n\n");
  const notices = [...new Set([...text.matchAll(copyrightLine)].map(([line]) => line.trim()))];
  // More than a few: the texts of several licenses, which keep their notices.
  if (notices.length > noticesMax) return { text: text.trim(), notices: [] };
  return {
    text: text
      .replaceAll(copyrightLine, "")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim(),
    notices,
  };
}

const noticesMax = 5;
