// What comes from others, and what must not leave: packages are pinned by checksum, and no file contains a secret.
import "./support/once.ts";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findSecrets } from "../scripts/secret-scan.ts";
import { lockedPackages } from "../scripts/third-party.ts";
import { newSecret } from "../src/metering/keys/secret.ts";

const root = join(import.meta.dir, "..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("the lock file has a checksum for each package, and no download URL", () => {
  const packages = lockedPackages();
  expect(packages.length).toBeGreaterThan(200);
  expect(packages.filter(({ integrity }) => !integrity?.startsWith("sha512-"))).toEqual([]);
  expect(packages.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

test("only packages on the list run a script when they are installed, and all packages on the list need it", () => {
  const running = lockedPackages().flatMap(({ name, hasInstallScript }) => (hasInstallScript ? [name] : []));
  expect(Object.keys(manifest.allowScripts).sort()).toEqual([...new Set(running)].sort());
});

test("each dependency has an exact version", () => {
  const { dependencies, devDependencies, overrides } = manifest;
  const flat = (versions: object): string[] =>
    Object.values(versions).flatMap((version) => (typeof version === "string" ? version : flat(version)));
  const versions = [dependencies, devDependencies, overrides].flatMap(flat);
  expect(versions.filter((version) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test("the license of each package is known", () => {
  const unknown = lockedPackages().filter(({ license }) => /unknown|unlicensed|see license/i.test(license));
  expect(unknown.map(({ name }) => name)).toEqual([]);
});

test("npm run sbom lists each shipped package with version, license, and checksum", async () => {
  const sbom = Bun.spawn([process.execPath, join(root, "scripts/sbom.ts")], {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
  });
  expect([await sbom.exited, await new Response(sbom.stdout).text()]).toEqual([
    0,
    expect.stringContaining("CycloneDX"),
  ]);
  const bom = JSON.parse(readFileSync(join(root, "dist/commonplace.cdx.json"), "utf8"));
  const listed = bom.components.map(({ purl }: { purl: string }) => decodeURIComponent(purl).replace("pkg:npm/", ""));
  const shipped = lockedPackages().filter((found) => !found.isForDevelopment && !found.isForOnePlatform);
  const idOf = ({ name, version }: (typeof shipped)[number]) => `${name}@${version}`;
  expect(shipped.map(idOf).filter((id) => !listed.includes(id))).toEqual([]);
  const isComplete = ({ licenses, hashes }: { licenses?: object[]; hashes?: { alg: string }[] }) =>
    licenses?.length && hashes?.[0]?.alg === "SHA-512";
  expect(bom.components.filter((component: object) => !isComplete(component))).toEqual([]);
});

test("each third-party image has a digest next to its tag, and each action in a workflow is pinned to a commit", () => {
  const named: string[] = [];
  const files = ["deploy/**/*", ".github/workflows/*"].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true }),
  ]);
  for (const path of ["Dockerfile", ".devcontainer/Dockerfile", ...files]) {
    const text = readFileSync(join(root, path), "utf8");
    const images = text.matchAll(/^FROM (?:--\S+ )*(\S+)|^[ -]*(?:image|uses):\s*(\S+)|--from=(\S+)/gm);
    const stages = [...text.matchAll(/^FROM .* AS (\S+)$/gm)].map(([, name]) => name);
    for (const [, base, image, from] of images) {
      const name = (base ?? image ?? from ?? "").replaceAll('"', "");
      // Our own image is built here.
      if (!stages.includes(name) && !/^(registry\.example\.com\/)?commonplace:/.test(name)) named.push(name);
    }
  }
  expect(named.length).toBeGreaterThanOrEqual(5);
  const isPinned = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$|^[\w./-]+@[0-9a-f]{40}$/;
  expect(named.filter((name) => !isPinned.test(name))).toEqual([]);
});

test("a workflow runs npm run audit every day", () => {
  const workflow = Bun.YAML.parse(readFileSync(join(root, ".github/workflows/audit.yml"), "utf8")) as {
    on: { schedule: { cron: string }[] };
    jobs: { audit: { steps: { run?: string }[] } };
  };
  expect(workflow.on.schedule.map(({ cron }) => cron)).toEqual([expect.stringMatching(/^\d+ \d+ \* \* \*$/)]);
  expect(workflow.jobs.audit.steps.map(({ run }) => run)).toContain("npm run audit");
});

test("npm run audit asks the registry about each package, and fails for one with a known vulnerability", async () => {
  let asked: Record<string, string[]> = {};
  const advisory = {
    id: 1,
    title: "Canary",
    severity: "high",
    url: "https://example.com/1",
    vulnerable_versions: "<99",
  };
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      if (!request.url.endsWith("/-/npm/v1/security/advisories/bulk")) return new Response(null, { status: 404 });
      const gzipped = request.headers.get("content-encoding") === "gzip";
      const body = new Uint8Array(await request.arrayBuffer());
      asked = JSON.parse(new TextDecoder().decode(gzipped ? Bun.gunzipSync(body) : body));
      return Response.json({ zod: [advisory] });
    },
  });
  const audit = Bun.spawn(["npm", "run", "audit"], {
    cwd: root,
    env: { ...process.env, npm_config_registry: server.url.href },
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = await new Response(audit.stdout).text();
  expect([await audit.exited, said]).toEqual([1, expect.stringContaining("Canary")]);
  expect(Object.keys(asked).sort()).toEqual([...new Set(lockedPackages().map(({ name }) => name))].sort());
  await server.stop(true);
});

test("no file in the repository contains a secret", async () => {
  const found: string[] = [];
  let files = 0;
  for await (const path of new Bun.Glob("**/*").scan({ cwd: root, dot: true })) {
    if (/^(node_modules|\.git|data|dist|sdk\/dist|cli\/dist)\/|^\.git$|\.(png|jpg|ttf|woff2|gif|webp)$/.test(path))
      continue;
    files += 1;
    for (const { line, kind } of findSecrets(readFileSync(join(root, path), "utf8"))) {
      // The tests name mail servers and databases that do not exist.
      if (path.startsWith("test/") && kind === "password in a URL") continue;
      found.push(`${path}:${line} ${kind}`);
    }
  }
  expect(files).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

test("a secret of each kind would be found, and a made-up API key would not", () => {
  const letters = (count: number) => "aB3dE6gH9k".repeat(10).slice(0, count);
  const planted = [
    newSecret(),
    `-----BEGIN ${""}PRIVATE KEY-----\n${letters(64)}`,
    `AGE-SECRET-KEY-1${"QPZRY9X8".repeat(8).slice(0, 58)}`,
    `AKIA${letters(16).toUpperCase()}`,
    `ghp_${letters(36)}`,
    `glpat-${letters(20)}`,
    `npm_${letters(36)}`,
    `xoxb-${letters(24)}`,
    `sk_live_${letters(24)}`,
    `whsec_${letters(32)}`,
    `AIza${letters(35)}`,
    `sk-ant-${letters(40)}`,
    `postgres://commonplace:${letters(12)}@db.internal/commonplace`,
  ];
  expect(planted.filter((secret) => findSecrets(`first line\nkey = "${secret}"\n`)[0]?.line !== 2)).toEqual([]);
  expect(findSecrets(`cpl_${letters(38)}`)).toEqual([]);
});
