// The Dockerfile copies everything that the build of the executable uses, and installs the packages that it imports.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, extname, join } from "node:path";
import program from "../../package.json" with { type: "json" };
import { pages as documents } from "../../site/nav.ts";
import { root } from "../support/program.ts";

const copied = [...readFileSync(join(root, "Dockerfile"), "utf8").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
  ([, paths = ""]) => paths.split(" "),
);

/** What these import, directly or through others. */
async function inputsOf(entrypoints: readonly string[], target: "bun" | "browser") {
  const { metafile } = await Bun.build({
    entrypoints: entrypoints.map((path) => join(root, path)),
    root,
    target,
    packages: "external",
    splitting: true,
    metafile: true,
  });
  const inputs = metafile?.inputs ?? {};
  const imported = Object.values(inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return { files: Object.keys(inputs), imported: imported.filter((path) => inputs[path] === undefined) };
}

const build = await inputsOf(["scripts/build.ts", "src/main.ts"], "bun");
const pages = await inputsOf(["web/main.tsx", "site/client/main.ts", "site/client/theme.ts"], "browser");

test("every file that the build imports is copied, and every copied folder is used", () => {
  const files = [...build.files, ...pages.files, ...documents.map(({ file }) => file)];
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => !copied.some((path) => file === path || file.startsWith(`${path}/`)))).toEqual([]);
  const folders = new Set(files.map((file) => dirname(file).split("/")[0]));
  expect(copied.filter((path) => extname(path) === "" && !path.startsWith(".") && !folders.has(path))).toEqual([]);
});

test("every package that the build imports is installed without the development tools", () => {
  const names = [...build.imported, ...pages.imported]
    .filter((path) => !isBuiltin(path) && !/^[./]|^bun(:|$)/.test(path))
    .map((path) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !(name in program.dependencies))).toEqual([]);
});
