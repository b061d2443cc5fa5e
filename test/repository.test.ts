// The repository as contributors and packages find it: commits, the oldest Node.js, its address, and the forms of its pages.
import "./support/once.ts";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { subjectProblem } from "../scripts/commit-subject.ts";

const root = join(import.meta.dir, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const manifest = JSON.parse(read("package.json"));

describe("the subject of a commit", () => {
  const git = (...words: string[]): string => {
    const { success, stdout } = Bun.spawnSync(["git", ...words], { cwd: root, stderr: "ignore" });
    return success ? stdout.toString().trim() : "";
  };
  const hasHistory = Bun.which("git") !== null && git("rev-parse", "--is-shallow-repository") === "false";

  /** The last release; before the first one, the commit that brought the rule. */
  const start = (): string =>
    git("describe", "--tags", "--abbrev=0", "--match=v*") ||
    git("log", "--diff-filter=A", "--format=%H", "-1", "--", "scripts/commit-subject.ts");

  test.skipIf(!hasHistory)("says since the last release, in at most 72 characters, what to change", () => {
    const since = start();
    const subjects = since === "" ? [] : git("log", "--no-merges", "--format=%h %s", `${since}..HEAD`).split("\n");
    const wrong = subjects.filter(Boolean).flatMap((line) => {
      const [commit = "", ...words] = line.split(" ");
      const problem = subjectProblem(words.join(" "));
      return problem === undefined ? [] : [`${commit} "${words.join(" ")}": ${problem}`];
    });
    expect(wrong).toEqual([]);
  });

  test("is refused if it describes, names no change, or is too long", () => {
    const right = ["Revoke invitations when an account is stopped", "Embed the font", "Never end a name with a dash"];
    expect(right.flatMap((subject) => subjectProblem(subject) ?? [])).toEqual([]);
    const described = ["The import stops", "Added tags", "Adding tags", "Fixes tags", "Texts are shorter", "fix tags"];
    const unclear = ["Format", "Wip on tags", "Work in progress: tags", "docs/build/api.md names tags"];
    expect(new Set([...described, ...unclear].map(subjectProblem))).toEqual(
      new Set(["it does not begin with a capitalized verb in the imperative"]),
    );
    expect(subjectProblem(`Show ${"é".repeat(67)}`)).toBeUndefined();
    expect(subjectProblem(`Show ${"é".repeat(68)}`)).toBe("it has 73 characters; the maximum is 72");
    expect(subjectProblem("Show tags.")).toBe("it ends with a period");
  });
});

describe("the oldest Node.js in package.json", () => {
  const oldest = manifest.engines.node.replace(">=", "");

  test("is one for which npm ci prints no EBADENGINE", () => {
    const { packages } = JSON.parse(read("package-lock.json"));
    const wanting = Object.entries<{ readonly engines?: { readonly node?: string } }>(packages).filter(
      ([, { engines }]) => engines?.node && !Bun.semver.satisfies(oldest, engines.node),
    );
    expect(wanting.map(([path]) => path)).toEqual([]);
    expect(packages[""].engines).toEqual(manifest.engines);
  });

  test("is the one that the pages and the installation name", () => {
    const written = oldest.replace(/\.0$/, "");
    for (const path of ["README.md", "docs/operate/install.md", "scripts/install.sh"])
      expect(`${path}: ${read(path)}`).toContain(`Node.js ${written} or newer`);
  });
});

describe("the address of the project", () => {
  const address = manifest.repository.url.replace(/^git\+|\.git$/g, "");
  const [owner = "", name = ""] = new URL(address).pathname.slice(1).split("/");

  test("is set in package.json, with its pages", () => {
    expect([owner, name].map((word) => /^[\w.-]+$/.test(word))).toEqual([true, true]);
    expect([manifest.homepage, manifest.bugs]).toEqual([`${address}#readme`, `${address}/issues`]);
  });

  test.each(["sdk", "cli"])("is set in %s/package.json, with its folder", (folder) => {
    const { homepage, bugs, repository } = JSON.parse(read(`${folder}/package.json`));
    expect({ homepage, bugs, repository }).toEqual({
      homepage: `${address}/tree/main/${folder}#readme`,
      bugs: manifest.bugs,
      repository: { ...manifest.repository, directory: folder },
    });
  });

  test("has the owner whom CODEOWNERS asks to review", () => {
    const owners = [...read(".github/CODEOWNERS").matchAll(/(?<=\s)@([\w.-]+)/g)].map(([, who]) => who);
    expect(owners.length).toBeGreaterThan(0);
    expect(owners.filter((who) => who !== owner)).toEqual([]);
  });

  test("is the same wherever the repository or its image is named", () => {
    const outside = ["node_modules", ".git", "data", "dist"];
    const patterns = ["*", ...readdirSync(root).flatMap((name) => (outside.includes(name) ? [] : `${name}/**/*`))];
    const files = patterns
      .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })])
      .filter(
        (path) => /\.(?:md|tsx?|json|ya?ml|sh)$|Dockerfile$/.test(path) && !/\/(?:dist|node_modules)\//.test(path),
      );
    const named = files.flatMap((path) =>
      [...read(path).matchAll(/\b(?:github\.com|ghcr\.io)\/([\w.-]+)\/commonplace\b/g)].map(([, who]) => ({
        path,
        who,
      })),
    );
    expect(named.length).toBeGreaterThanOrEqual(3);
    expect(named.filter(({ who }) => who !== owner)).toEqual([]);
  });
});

describe("an issue form", () => {
  const folder = ".github/ISSUE_TEMPLATE";
  const forms = readdirSync(join(root, folder)).filter((file) => file !== "config.yml");

  test.each(forms)("%s has what GitHub asks of it", (file) => {
    const form = Bun.YAML.parse(read(`${folder}/${file}`)) as Readonly<Record<string, unknown>> & {
      readonly body: readonly { readonly type: string; readonly id?: string; readonly attributes: object }[];
    };
    expect(Object.keys(form).sort()).toEqual(["body", "description", "labels", "name"]);
    const kinds = ["checkboxes", "dropdown", "input", "markdown", "textarea"];
    expect(form.body.filter(({ type }) => !kinds.includes(type))).toEqual([]);
    const fields = form.body.filter(({ type }) => type !== "markdown");
    expect(fields.filter(({ id, attributes }) => !(id && "label" in attributes))).toEqual([]);
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  });
});
