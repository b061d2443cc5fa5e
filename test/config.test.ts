// Every setting: its default, the values it takes, the values it refuses, and where it is explained.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, readConfig, settings } from "../src/config.ts";
import { Refusal } from "../src/refusal.ts";
import { root, run } from "./support/program.ts";
import { wrongSettings } from "./support/settings.ts";

const defaults: Config = {
  dataDirectory: "./data",
  host: "127.0.0.1",
  port: 8443,
  httpPort: 8080,
  basePath: "/api",
  tls: undefined,
  trustedProxies: [],
  requestsPerMinute: 20,
  monthlyRequests: 100_000,
  logLevel: "info",
  databaseUrl: undefined,
};

test("without an environment every setting has its default", () => {
  expect(readConfig({})).toEqual(defaults);
});

test("an empty value is the default, as a container's environment leaves it", () => {
  expect(readConfig(Object.fromEntries(settings.map(({ name }) => [name, ""])))).toEqual(defaults);
});

test("variables of others do not matter", () => {
  expect(readConfig({ PORT: "1", PATH: "/bin", commonplace_port: "x" })).toEqual(defaults);
});

const taken: [Record<string, string>, Partial<Config>][] = [
  [{ COMMONPLACE_DATA: "/var/lib/a place" }, { dataDirectory: "/var/lib/a place" }],
  [{ COMMONPLACE_HOST: "0.0.0.0" }, { host: "0.0.0.0" }],
  [{ COMMONPLACE_HOST: "::1" }, { host: "::1" }],
  [{ COMMONPLACE_HOST: "localhost" }, { host: "localhost" }],
  [{ COMMONPLACE_PORT: "0" }, { port: 0 }],
  [{ COMMONPLACE_PORT: "65535" }, { port: 65_535 }],
  [{ COMMONPLACE_HTTP_PORT: "80" }, { httpPort: 80 }],
  [{ COMMONPLACE_HTTP_PORT: "off" }, { httpPort: undefined }],
  [{ COMMONPLACE_BASE_PATH: "/" }, { basePath: "" }],
  [{ COMMONPLACE_BASE_PATH: "/api/" }, { basePath: "/api" }],
  [{ COMMONPLACE_BASE_PATH: "/public-api/v_1.0~x" }, { basePath: "/public-api/v_1.0~x" }],
  [{ COMMONPLACE_TLS_CERT: "a.pem", COMMONPLACE_TLS_KEY: "b.pem" }, { tls: { certPath: "a.pem", keyPath: "b.pem" } }],
  [
    { COMMONPLACE_TRUSTED_PROXIES: " 10.0.0.1 ,192.168.0.0/16,,::1,fd00::/8" },
    { trustedProxies: ["10.0.0.1", "192.168.0.0/16", "::1", "fd00::/8"] },
  ],
  [{ COMMONPLACE_REQUESTS_PER_MINUTE: "1" }, { requestsPerMinute: 1 }],
  [{ COMMONPLACE_REQUESTS_PER_MINUTE: "1000000000" }, { requestsPerMinute: 1_000_000_000 }],
  [{ COMMONPLACE_MONTHLY_REQUESTS: "0" }, { monthlyRequests: 0 }],
  [{ COMMONPLACE_MONTHLY_REQUESTS: "1000000000000" }, { monthlyRequests: 1_000_000_000_000 }],
  ...(["debug", "info", "warn", "error", "off"] as const).map((logLevel): [Record<string, string>, Partial<Config>] => [
    { COMMONPLACE_LOG: logLevel },
    { logLevel },
  ]),
  [{ COMMONPLACE_DATABASE_URL: "sqlite:a/file.db" }, { databaseUrl: "a/file.db" }],
  [{ COMMONPLACE_DATABASE_URL: "sqlite:///var/lib/file.db" }, { databaseUrl: "/var/lib/file.db" }],
];

test.each(taken)("%j is taken", (environment, expected) => {
  expect(readConfig(environment)).toEqual({ ...defaults, ...expected });
});

test("every setting stands in the tests of good values and of wrong ones", () => {
  const names = settings.map(({ name }) => name);
  const good = new Set(taken.flatMap(([environment]) => Object.keys(environment)));
  const wrong = new Set(wrongSettings.map(([name]) => name));
  expect(names.filter((name) => !good.has(name))).toEqual([]);
  // Any text is a data directory; whether it can be used shows when it is.
  expect(names.filter((name) => !wrong.has(name))).toEqual(["COMMONPLACE_DATA"]);
});

test.each(wrongSettings)("%s = %p is refused", (name, value, message) => {
  expect(() => readConfig({ [name]: value })).toThrow(new Refusal(message));
});

test("serve --help explains every setting, with its default", async () => {
  const { stdout } = await run(["serve", "--help"]);
  for (const setting of settings) {
    const spelled = setting.default === "" ? setting.name : `${setting.name} [${setting.default}]`;
    expect(stdout).toContain(`\n  ${spelled}\n    ${setting.meaning}\n`);
  }
  expect(stdout.match(/^ {2}COMMONPLACE_/gm)).toHaveLength(settings.length);
});

const readme = join(root, "README.md");

test.skipIf(!existsSync(readme))("the README's table explains every setting, with its default, and no other", () => {
  const rows = readFileSync(readme, "utf8").matchAll(/^\| `(COMMONPLACE_\w+)` \|([^|]*)\|([^|]*)\|$/gm);
  const explained = Array.from(rows, ([, name, standard = "", meaning = ""]) => ({
    name,
    default: standard.trim().replace(/^`(.*)`$/, "$1"),
    isExplained: meaning.trim() !== "",
  }));
  expect(explained).toEqual(
    settings.map(({ name, default: standard }) => ({ name, default: standard, isExplained: true })),
  );
});
