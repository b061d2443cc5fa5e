// The section of the changelog about a version.

/** @throws Error if the changelog has no section about the version, nor about what is not released yet */
export function changelogSection(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const section =
    sections.find((each) => each.startsWith(`${version} `) || each.startsWith(`${version}\n`)) ??
    sections.find((each) => each.startsWith("Unreleased"));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section about ${version}`);
  return `## ${section.trim()}\n`;
}
