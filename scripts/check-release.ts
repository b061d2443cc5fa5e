// Checks before a release is built that its tag is that of the version in package.json, and that the changelog has the version with a date.
//
//   bun scripts/check-release.ts v0.1.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };

/** Why a tag must not be released; undefined if it can be. */
export function releaseProblem(tag: string, version: string, changelog: string): string | undefined {
  if (tag !== `v${version}`) return `the tag is ${tag}, but package.json has version ${version}`;
  const dated = new RegExp(`^## ${RegExp.escape(version)} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, "m");
  return dated.test(changelog) ? undefined : `CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)"`;
}

if (import.meta.main) {
  const changelog = readFileSync(join(import.meta.dir, "../CHANGELOG.md"), "utf8");
  const problem = releaseProblem(process.argv[2] ?? "", manifest.version, changelog);
  if (problem !== undefined) {
    console.error(problem);
    process.exit(1);
  }
}
