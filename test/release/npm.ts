// Installs the npm packages of a release from a registry, in a network that has nothing else.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzip } from "../../scripts/release/gzip.ts";
import { packageNames } from "../../scripts/release/names.ts";
import { tar, textFile } from "../../scripts/release/tar.ts";
import { makeOwnNetwork, type OwnNetwork } from "../support/own-network.ts";
import { freePort, root, runToEnd } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";
import { type BuiltRelease, version } from "./built-release.ts";

const verdaccio = Bun.which("verdaccio");
const hasNetworks = Bun.spawnSync(["unshare", "--net", "true"]).success;
const whyNot = !verdaccio
  ? "verdaccio is not installed: npm install --global verdaccio"
  : !hasNetworks && "this user cannot make a network";
if (whyNot) console.log(`The npm packages are not installed: ${whyNot}.`);

/** From an empty cache to the first response, on this machine, where the download is from memory. */
const startSecondsMax = 15;
const tsc = join(root, "node_modules/.bin/tsc");
const installMilliseconds = 120_000;
const registryPort = 4_873;
const registry = `http://127.0.0.1:${registryPort}`;

export function testNpmPackages(release: () => BuiltRelease): void {
  describe.skipIf(Boolean(whyNot))("the npm packages", () => {
    const directory = temporaryDirectory();
    let network: OwnNetwork;
    let server: Bun.Subprocess;
    let environment: Record<string, string>;

    /** Runs a command in the network. */
    const run = (words: readonly string[], settings: Readonly<Record<string, string>> = {}, cwd = directory) =>
      runToEnd([...network.enter, ...words], { ...environment, ...settings }, cwd, installMilliseconds);

    beforeAll(async () => {
      network = await makeOwnNetwork(directory);
      const settings = join(directory, "npmrc");
      writeFileSync(
        settings,
        `registry=${registry}/\n//127.0.0.1:${registryPort}/:_authToken=any\nfund=false\naudit=false\nupdate-notifier=false\n`,
      );
      environment = {
        HOME: directory,
        npm_config_userconfig: settings,
        npm_config_globalconfig: join(directory, "no-npmrc"),
        npm_config_registry: `${registry}/`,
        npm_config_cache: join(directory, "cache"),
        npm_config_prefix: join(directory, "global"),
      };
      server = await startRegistry(directory, network);
      const packages = [...release().sums.keys()].filter((name) => name.endsWith(".tgz"));
      for (const name of packages) {
        const path = isForOthers(name) ? withoutExecutable(release().path(name), directory) : release().path(name);
        const published = await run(["npm", "publish", path, "--loglevel=error"]);
        expect([name, published.status, published.stderr]).toEqual([name, 0, ""]);
      }
    }, installMilliseconds);
    afterAll(() => server?.kill());

    test(
      "npx starts the service from an empty cache, and again with the same data",
      async () => {
        const project = join(directory, "new");
        mkdirSync(project);
        const first = await startService(network, ["npx", "--yes", packageNames.server], environment, project);
        console.log(`npx ${packageNames.server}: ${first.seconds.toFixed(1)} s until the first response`);
        expect(first.seconds).toBeLessThan(startSecondsMax);
        await first.stop();
        const second = await startService(network, ["npx", "--yes", packageNames.server], environment, project);
        await second.stop();
      },
      installMilliseconds,
    );

    test(
      "npm install --global installs the executable of this platform only, and cpl",
      async () => {
        const installed = await run(["npm", "install", "--global", packageNames.server, packageNames.cpl]);
        expect([installed.status, installed.stderr]).toEqual([0, ""]);
        const modules = [...new Bun.Glob("**/server-*").scanSync({ cwd: join(directory, "global"), onlyFiles: false })];
        expect(modules.map((path) => path.split("/").at(-1))).toEqual([`server-${process.platform}-${process.arch}`]);
        const bin = (name: string) => join(directory, "global/bin", name);
        expect(await run([bin("commonplace"), "--version"])).toMatchObject({ stdout: `commonplace ${version}\n` });
        expect(await run([bin("cpl"), "--version"])).toMatchObject({ stdout: `cpl ${version}\n` });

        const home = join(directory, "trial");
        mkdirSync(home);
        const trial = await startService(
          network,
          [bin("commonplace"), "--try"],
          { ...environment, HOME: home, XDG_DATA_HOME: "" },
          home,
        );
        const access = { CPL_URL: trial.url, CPL_KEY: trial.key, CPL_CA: trial.ca };
        const listed = await run([bin("cpl"), "list", "--json"], access);
        expect([listed.status, JSON.parse(listed.stdout).length > 0]).toEqual([0, true]);
        await trial.stop();
      },
      installMilliseconds,
    );

    test(
      "a program imports the client in Node.js and Bun, and TypeScript finds its types",
      async () => {
        const project = join(directory, "project");
        mkdirSync(project);
        writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
        const installed = await run(["npm", "install", packageNames.client], {}, project);
        expect([installed.status, installed.stderr]).toEqual([0, ""]);
        const installedIn = join(project, "node_modules", packageNames.client);
        expect(readdirSync(installedIn).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
        expect(existsSync(join(installedIn, "dist/index.d.ts"))).toBeTrue();
        const program = `import { Commonplace } from "${packageNames.client}"; console.log(typeof Commonplace);`;
        for (const runtime of [["node", "--input-type=module"], [process.execPath]])
          expect(await run([...runtime, "--eval", program], {}, project)).toMatchObject({
            status: 0,
            stdout: "function\n",
          });

        // The second line is an error unless the types are found.
        const typed = `import { Commonplace } from "${packageNames.client}";
// @ts-expect-error
new Commonplace(1);
export const client = new Commonplace({ baseUrl: "https://localhost:8443/api", apiKey: "cpl_x" });
`;
        writeFileSync(join(project, "typed.ts"), typed);
        for (const [module, resolution] of [
          ["node16", "node16"],
          ["esnext", "bundler"],
        ] as const) {
          const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom"];
          const words = [tsc, ...options, "--module", module, "--moduleResolution", resolution, "typed.ts"];
          expect(await run(words, {}, project)).toEqual({ status: 0, stdout: "", stderr: "" });
        }
      },
      installMilliseconds,
    );
  });
}

/** Whether a package has the executable for another platform. */
const isForOthers = (name: string): boolean =>
  /-server-[a-z]/.test(name) && !name.includes(`-server-${process.platform}-${process.arch}-`);

/** The same package without its executable, which nothing here installs: publishing 60 MB takes half a minute. */
function withoutExecutable(path: string, directory: string): string {
  const options = ["--extract", "--gzip", "--to-stdout", "--file", path, "package/package.json"];
  const manifest = Bun.spawnSync(["tar", ...options]).stdout.toString();
  const smaller = join(directory, basename(path));
  writeFileSync(smaller, gzip(tar([textFile("package/package.json", manifest)], 0)));
  return smaller;
}

/** Anyone may publish, and nothing comes from elsewhere. */
async function startRegistry(directory: string, network: OwnNetwork): Promise<Bun.Subprocess> {
  const config = join(directory, "verdaccio.yaml");
  writeFileSync(
    config,
    `storage: ${join(directory, "storage")}
uplinks: {}
packages: { "**": { access: $all, publish: $all } }
max_body_size: 300mb
log: { type: stdout, format: json, level: error }
`,
  );
  const words = [...network.enter, verdaccio ?? "", "--config", config, "--listen", `127.0.0.1:${registryPort}`];
  const server = Bun.spawn(words, { stdout: "ignore", stderr: "inherit" });
  const { reach } = network;
  const isReady = async () => {
    const response = await fetch(`${registry}/-/ping`, await reach(registryPort)).catch(() => undefined);
    return response?.ok === true;
  };
  while (!(await isReady())) {
    if (server.exitCode !== null) throw new Error(`verdaccio ended with ${server.exitCode}`);
    await Bun.sleep(100);
  }
  return server;
}

/** Starts the service by a command, and sends a first request with the key that it made, or made before. */
async function startService(
  network: OwnNetwork,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
  cwd: string,
) {
  const startedAt = performance.now();
  const port = freePort();
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("COMMONPLACE_"));
  const child = Bun.spawn([...network.enter, ...words], {
    cwd,
    env: {
      ...Object.fromEntries(inherited),
      ...settings,
      COMMONPLACE_HTTPS_PORT: String(port),
      COMMONPLACE_HTTP_PORT: "off",
    },
    stdout: "pipe",
    stderr: "inherit",
    // A process group of its own, as a terminal gives to a command.
    detached: true,
  });
  const { value } = await child.stdout.getReader().read();
  const announced = JSON.parse(new TextDecoder().decode(value));
  const keyFile = join(announced.ca, "../../first-api-key.txt");
  const key = /cpl_[0-9A-Za-z]{38}/.exec(readFileSync(keyFile, "utf8"))?.[0] ?? "";
  const ask = async () =>
    fetch(`${announced.base_url}/me`, {
      headers: { Authorization: `Bearer ${key}` },
      tls: { ca: readFileSync(announced.ca, "utf8") },
      ...(await network.reach(port)),
    });
  expect((await ask()).status).toBe(200);
  return {
    seconds: (performance.now() - startedAt) / 1_000,
    url: String(announced.base_url),
    ca: String(announced.ca),
    key,
    stop: async () => {
      // What Ctrl+C does. npm may end before the service does.
      process.kill(-child.pid, "SIGINT");
      await child.exited;
      while (await ask().catch(() => undefined)) await Bun.sleep(50);
    },
  };
}
