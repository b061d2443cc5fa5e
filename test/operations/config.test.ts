// Every setting: its default, the values it takes, the values it refuses, and where it is explained.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { settings } from "../../src/config/settings.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { OperatorError } from "../../src/platform/operator-error.ts";
import { root, run } from "../support/program.ts";
import { wrongSettings } from "../support/settings.ts";

const recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
const otherRecipient = "age1lggyhqrw2nlhcxprm67z43rta597azn8gknawjehu9d9dl0jq3yqqvfafg";

const defaults: Config = {
  dataDirectory: "./data",
  host: "127.0.0.1",
  port: 8443,
  httpPort: 8080,
  apiPath: "/api",
  tls: undefined,
  trustedProxies: [],
  corsOrigins: [],
  requestsPerMinute: 20,
  monthlyRequests: 100_000,
  logLevel: "info",
  logFormat: "auto",
  database: { engine: "sqlite", path: "data/commonplace.db" },
  databaseConnections: 10,
  metricsHost: "127.0.0.1",
  metricsPort: undefined,
  drainSeconds: 0,
  ledgerDays: 90,
  auditSink: undefined,
  auditDays: undefined,
  webhookHosts: [],
  trashDays: 30,
  instanceKey: { given: undefined, path: "data/instance.key" },
  versions: { keep: undefined, days: undefined },
  storageBytesMax: 1_073_741_824,
  backup: undefined,
  backupEncryption: undefined,
  createsFirstKey: true,
  isConsoleOn: true,
  sessionDaysMax: 30,
  publicOrigin: undefined,
  mail: undefined,
  openId: undefined,
  singleSignOn: { sessionHours: 12, tokenDays: 30 },
  billedFrom: undefined,
  stripe: undefined,
  seller: undefined,
  tax: null,
  invoicePrefix: "INV-",
  invoiceFont: undefined,
};

test("without an environment every setting has its default", () => {
  expect(readConfig({})).toEqual(defaults);
});

test("an empty value is the default, as a container's environment leaves it", () => {
  expect(readConfig(Object.fromEntries(settings.map(({ name }) => [name, ""])))).toEqual(defaults);
});

test("each setting whose name speaks of a secret is marked as one, and says nothing of it where its value is wrong", () => {
  const isSecret = /SECRET|PASS|_KEY|TOKEN_[^D]|HEADER|MAIL_URL|DATABASE_URL/;
  const marked = settings.filter(({ secret }) => secret !== undefined).map(({ name }) => name);
  const texts = settings.filter((setting) => !["on", "off"].includes(setting.default)).map(({ name }) => name);
  expect(texts.filter((name) => isSecret.test(name) && !marked.includes(name))).toEqual([]);
  for (const name of marked) {
    const wrong = `${name} canary \u0007 ://`;
    let message = "";
    try {
      readConfig({ [name]: wrong });
    } catch (error) {
      message = String(error);
    }
    expect(message).not.toContain("canary");
  }
});

test("variables of others do not matter", () => {
  expect(readConfig({ PORT: "1", PATH: "/bin", commonplace_port: "x" })).toEqual(defaults);
});

test("variables that Kubernetes names after a service do not matter", () => {
  const links = {
    COMMONPLACE_SERVICE_HOST: "10.96.0.7",
    COMMONPLACE_SERVICE_PORT: "443",
    COMMONPLACE_SERVICE_PORT_HTTPS: "443",
    COMMONPLACE_PORT: "tcp://10.96.0.7:443",
    COMMONPLACE_PORT_443_TCP: "tcp://10.96.0.7:443",
    COMMONPLACE_PORT_443_TCP_PROTO: "tcp",
    COMMONPLACE_PORT_443_TCP_PORT: "443",
    COMMONPLACE_PORT_443_TCP_ADDR: "10.96.0.7",
    COMMONPLACE_DB_SERVICE_HOST: "fd00::7",
    COMMONPLACE_DB_PORT: "tcp://[fd00::7]:5432",
  };
  expect(readConfig(links)).toEqual(defaults);
});

const taken: [Record<string, string>, Partial<Config>][] = [
  [
    { COMMONPLACE_DATA_DIRECTORY: "/var/lib/a place" },
    {
      dataDirectory: "/var/lib/a place",
      database: { engine: "sqlite", path: "/var/lib/a place/commonplace.db" },
      instanceKey: { given: undefined, path: "/var/lib/a place/instance.key" },
    },
  ],
  [{ COMMONPLACE_HOST: "0.0.0.0" }, { host: "0.0.0.0" }],
  [{ COMMONPLACE_HOST: "::1" }, { host: "::1" }],
  [{ COMMONPLACE_HOST: "localhost" }, { host: "localhost" }],
  [{ COMMONPLACE_HTTPS_PORT: "0" }, { port: 0 }],
  [{ COMMONPLACE_HTTPS_PORT: "65535" }, { port: 65_535 }],
  [{ COMMONPLACE_HTTP_PORT: "80" }, { httpPort: 80 }],
  [{ COMMONPLACE_HTTP_PORT: "off" }, { httpPort: undefined }],
  [{ COMMONPLACE_API_PATH: "/" }, { apiPath: "" }],
  [{ COMMONPLACE_API_PATH: "/api/" }, { apiPath: "/api" }],
  [{ COMMONPLACE_API_PATH: "/library/mcp" }, { apiPath: "/library/mcp" }],
  [{ COMMONPLACE_API_PATH: "/public-api/v_1.0~x" }, { apiPath: "/public-api/v_1.0~x" }],
  [
    { COMMONPLACE_TLS_CERT_FILE: "a.pem", COMMONPLACE_TLS_KEY_FILE: "b.pem" },
    { tls: { certPath: "a.pem", keyPath: "b.pem" } },
  ],
  [
    { COMMONPLACE_TRUSTED_PROXIES: " 10.0.0.1 ,192.168.0.0/16,,::1,fd00::/8" },
    { trustedProxies: ["10.0.0.1", "192.168.0.0/16", "::1", "fd00::/8"] },
  ],
  [{ COMMONPLACE_REQUESTS_PER_MINUTE: "1" }, { requestsPerMinute: 1 }],
  [{ COMMONPLACE_REQUESTS_PER_MINUTE: "1000000000" }, { requestsPerMinute: 1_000_000_000 }],
  [{ COMMONPLACE_MONTHLY_REQUESTS: "0" }, { monthlyRequests: 0 }],
  [{ COMMONPLACE_MONTHLY_REQUESTS: "1000000000000" }, { monthlyRequests: 1_000_000_000_000 }],
  ...(["debug", "info", "warn", "error", "off"] as const).map((logLevel): [Record<string, string>, Partial<Config>] => [
    { COMMONPLACE_LOG_LEVEL: logLevel },
    { logLevel },
  ]),
  ...(["auto", "text", "json"] as const).map((logFormat): [Record<string, string>, Partial<Config>] => [
    { COMMONPLACE_LOG_FORMAT: logFormat },
    { logFormat },
  ]),
  ...(
    [
      ["sqlite:a/file.db", "a/file.db"],
      ["sqlite:/var/lib/a place/file.db", "/var/lib/a place/file.db"],
      ["sqlite:///var/lib/file.db", "/var/lib/file.db"],
    ] as const
  ).map(([url, path]): [Record<string, string>, Partial<Config>] => [
    { COMMONPLACE_DATABASE_URL: url },
    { database: { engine: "sqlite", path } },
  ]),
  ...[
    "postgres://localhost/commonplace",
    "postgres://commonplace:a%20secret@db.example.com:6432/snippets?sslmode=verify-full",
    "postgresql://commonplace@[::1]:5432/commonplace",
  ].map((url): [Record<string, string>, Partial<Config>] => [
    { COMMONPLACE_DATABASE_URL: url },
    { database: { engine: "postgres", url } },
  ]),
  [{ COMMONPLACE_DATABASE_CONNECTIONS: "1" }, { databaseConnections: 1 }],
  [{ COMMONPLACE_DATABASE_CONNECTIONS: "1000" }, { databaseConnections: 1_000 }],
  [{ COMMONPLACE_LEDGER_DAYS: "2" }, { ledgerDays: 2 }],
  [{ COMMONPLACE_LEDGER_DAYS: "36500" }, { ledgerDays: 36_500 }],
  [{ COMMONPLACE_AUDIT_DAYS: "400" }, { auditDays: 400 }],
  [{ COMMONPLACE_AUDIT_DAYS: "forever" }, { auditDays: undefined }],
  [
    { COMMONPLACE_AUDIT_EXPORT: "https://logs.example.com/in", COMMONPLACE_AUDIT_EXPORT_HEADER: "X-Key:  a secret" },
    { auditSink: { target: "https://logs.example.com/in", header: { name: "X-Key", value: "a secret" } } },
  ],
  [
    { COMMONPLACE_AUDIT_EXPORT: "/var/log/audit.jsonl" },
    { auditSink: { target: "/var/log/audit.jsonl", header: undefined } },
  ],
  [
    { COMMONPLACE_CORS_ORIGINS: "https://app.example.com, http://localhost:3000,http://[::1]:8080," },
    { corsOrigins: ["https://app.example.com", "http://localhost:3000", "http://[::1]:8080"] },
  ],
  [
    { COMMONPLACE_WEBHOOK_HOSTS: " Hooks.internal, 10.0.0.5,[fd00::1]," },
    { webhookHosts: ["hooks.internal", "10.0.0.5", "[fd00::1]"] },
  ],
  [{ COMMONPLACE_TRASH_DAYS: "0" }, { trashDays: 0 }],
  [{ COMMONPLACE_TRASH_DAYS: "36500" }, { trashDays: 36_500 }],
  [{ COMMONPLACE_TRASH_DAYS: "forever" }, { trashDays: undefined }],
  [
    { COMMONPLACE_INSTANCE_KEY: "k".repeat(32), COMMONPLACE_INSTANCE_KEY_FILE: "/run/secrets/key" },
    { instanceKey: { given: "k".repeat(32), path: "/run/secrets/key" } },
  ],
  [{ COMMONPLACE_VERSION_KEEP: "20", COMMONPLACE_VERSION_DAYS: "365" }, { versions: { keep: 20, days: 365 } }],
  [{ COMMONPLACE_VERSION_KEEP: "1", COMMONPLACE_VERSION_DAYS: "forever" }, { versions: { keep: 1, days: undefined } }],
  [{ COMMONPLACE_STORAGE_MIB: "0" }, { storageBytesMax: 0 }],
  [{ COMMONPLACE_STORAGE_MIB: "5" }, { storageBytesMax: 5_242_880 }],
  [{ COMMONPLACE_METRICS_PORT: "9090" }, { metricsPort: 9_090 }],
  [{ COMMONPLACE_METRICS_PORT: "0" }, { metricsPort: 0 }],
  [{ COMMONPLACE_METRICS_PORT: "off" }, { metricsPort: undefined }],
  [{ COMMONPLACE_METRICS_HOST: "0.0.0.0" }, { metricsHost: "0.0.0.0" }],
  [{ COMMONPLACE_METRICS_HOST: "localhost" }, { metricsHost: "localhost" }],
  [{ COMMONPLACE_DRAIN_SECONDS: "10" }, { drainSeconds: 10 }],
  [
    { COMMONPLACE_BACKUP_DIRECTORY: "/var/backups" },
    { backup: { directory: "/var/backups", everyHours: 24, keep: 7 } },
  ],
  [
    { COMMONPLACE_BACKUP_DIRECTORY: "b", COMMONPLACE_BACKUP_HOURS: "1", COMMONPLACE_BACKUP_KEEP: "1" },
    { backup: { directory: "b", everyHours: 1, keep: 1 } },
  ],
  [
    { COMMONPLACE_BACKUP_DIRECTORY: "b", COMMONPLACE_BACKUP_HOURS: "8760", COMMONPLACE_BACKUP_KEEP: "10000" },
    { backup: { directory: "b", everyHours: 8_760, keep: 10_000 } },
  ],
  [
    { COMMONPLACE_BACKUP_RECIPIENTS: `${recipient}, ${otherRecipient}` },
    { backupEncryption: { kind: "recipients", recipients: [recipient, otherRecipient] } },
  ],
  [
    { COMMONPLACE_BACKUP_PASSPHRASE_FILE: "/etc/passphrase" },
    { backupEncryption: { kind: "passphrase", path: "/etc/passphrase" } },
  ],
  [{ COMMONPLACE_FIRST_KEY: "off" }, { createsFirstKey: false }],
  [{ COMMONPLACE_CONSOLE: "off" }, { isConsoleOn: false }],
  [{ COMMONPLACE_SESSION_DAYS: "1" }, { sessionDaysMax: 1 }],
  [
    { COMMONPLACE_OIDC_SESSION_HOURS: "24", COMMONPLACE_OIDC_TOKEN_DAYS: "7" },
    { singleSignOn: { sessionHours: 24, tokenDays: 7 } },
  ],
  [{ COMMONPLACE_URL: "https://snippets.example.com" }, { publicOrigin: "https://snippets.example.com" }],
  [{ COMMONPLACE_URL: "https://Snippets.example.com:443/" }, { publicOrigin: "https://snippets.example.com" }],
  [
    {
      COMMONPLACE_MAIL_URL: "smtp://user:a%20secret@mail.example.com:587",
      COMMONPLACE_MAIL_FROM: "Commonplace <c@example.com>",
    },
    { mail: { url: "smtp://user:a%20secret@mail.example.com:587", from: "Commonplace <c@example.com>" } },
  ],
  [
    {
      COMMONPLACE_OIDC_ISSUER: "https://login.example.com/",
      COMMONPLACE_OIDC_CLIENT_ID: "commonplace",
      COMMONPLACE_OIDC_CLIENT_SECRET: "a secret",
      COMMONPLACE_OIDC_NAME: "Example",
    },
    {
      openId: {
        issuer: "https://login.example.com/",
        clientId: "commonplace",
        clientSecret: "a secret",
        name: "Example",
      },
    },
  ],
  [
    {
      COMMONPLACE_BILLING_FROM: "2026-12",
      COMMONPLACE_STRIPE_KEY: "sk_test_1",
      COMMONPLACE_STRIPE_WEBHOOK_SECRET: "whsec_1",
    },
    { billedFrom: "2026-12", stripe: { secretKey: "sk_test_1", webhookSecret: "whsec_1" } },
  ],
  [
    { COMMONPLACE_BILLING_FROM: "2027-01", COMMONPLACE_SELLER_NAME: " Analytical Engines Ltd " },
    { billedFrom: "2027-01", seller: { name: "Analytical Engines Ltd", address: [], tax_id: null, bank: [] } },
  ],
  [
    {
      COMMONPLACE_BILLING_FROM: "2026-12",
      COMMONPLACE_SELLER_NAME: "Analytical Engines Ltd",
      COMMONPLACE_SELLER_ADDRESS: "5 Devonshire Street; London W1W 5DT\nUnited Kingdom;",
      COMMONPLACE_SELLER_TAX_ID: "GB 123 4567 89",
      COMMONPLACE_SELLER_BANK: "IBAN GB33 BUKB 2020 1555 5555 55; BIC BUKBGB22",
      COMMONPLACE_TAX_PERCENT: "8.1",
      COMMONPLACE_TAX_NAME: "MWST",
      COMMONPLACE_INVOICE_PREFIX: "2026-",
    },
    {
      billedFrom: "2026-12",
      seller: {
        name: "Analytical Engines Ltd",
        address: ["5 Devonshire Street", "London W1W 5DT", "United Kingdom"],
        tax_id: "GB 123 4567 89",
        bank: ["IBAN GB33 BUKB 2020 1555 5555 55", "BIC BUKBGB22"],
      },
      tax: { name: "MWST", basis_points: 810 },
      invoicePrefix: "2026-",
    },
  ],
  [{ COMMONPLACE_INVOICE_FONT: "/a font.otf" }, { invoiceFont: { path: "/a font.otf", name: undefined } }],
  [
    { COMMONPLACE_INVOICE_FONT: "Noto.ttc#NotoSansCJKjp-Regular" },
    { invoiceFont: { path: "Noto.ttc", name: "NotoSansCJKjp-Regular" } },
  ],
  // These settings need a directory.
  [{ COMMONPLACE_BACKUP_HOURS: "2", COMMONPLACE_BACKUP_KEEP: "2" }, { backup: undefined }],
];

test.each(taken)("%j is taken", (environment, expected) => {
  expect(readConfig(environment)).toEqual({ ...defaults, ...expected });
});

test("every setting stands in the tests of good values and of wrong ones", () => {
  const names = settings.map(({ name }) => name);
  const good = new Set(taken.flatMap(([environment]) => Object.keys(environment)));
  const wrong = new Set(wrongSettings.map(([name]) => name));
  expect(names.filter((name) => !good.has(name))).toEqual([]);
  // Any text is a directory name; whether it can be used is checked when it is used.
  expect(names.filter((name) => !wrong.has(name))).toEqual([
    ...["COMMONPLACE_DATA_DIRECTORY", "COMMONPLACE_INSTANCE_KEY_FILE", "COMMONPLACE_BACKUP_DIRECTORY"],
    "COMMONPLACE_BACKUP_PASSPHRASE_FILE",
  ]);
});

test.each(wrongSettings)("%s = %p is refused", (name, value, message) => {
  expect(() => readConfig({ [name]: value })).toThrow(new OperatorError(message));
});

test("settings of backups are refused where PostgreSQL keeps the data", () => {
  for (const [name, value] of Object.entries({
    COMMONPLACE_BACKUP_DIRECTORY: "b",
    COMMONPLACE_BACKUP_RECIPIENTS: recipient,
    COMMONPLACE_BACKUP_PASSPHRASE_FILE: "p",
  })) {
    const settings = { [name]: value, COMMONPLACE_DATABASE_URL: "postgres://localhost/commonplace" };
    expect(() => readConfig(settings)).toThrow(
      new OperatorError(
        `${name} is for SQLite only. Back up PostgreSQL with pg_dump: see /docs/operate/backup on the service`,
      ),
    );
  }
});

test("backups are encrypted for public keys or with a passphrase, not both", () => {
  const both = { COMMONPLACE_BACKUP_RECIPIENTS: recipient, COMMONPLACE_BACKUP_PASSPHRASE_FILE: "p" };
  expect(() => readConfig(both)).toThrow(
    new OperatorError("set COMMONPLACE_BACKUP_RECIPIENTS or COMMONPLACE_BACKUP_PASSPHRASE_FILE, not both"),
  );
});

test.each(["postgres://user:a secret@/name", "mysql://user:secret@host/name", "sqlite:secret?mode=ro"])(
  "the refusal of the database URL %s does not repeat it, because it may hold a password",
  (url) => {
    const refuse = () => readConfig({ COMMONPLACE_DATABASE_URL: url });
    expect(refuse).toThrow(OperatorError);
    expect(refuse).not.toThrow(/secret/);
  },
);

test("serve --help explains every setting, with its default", async () => {
  const { stdout } = await run(["serve", "--help"]);
  for (const setting of settings) {
    const spelled = setting.default === "" ? setting.name : `${setting.name} [${setting.default}]`;
    expect(stdout).toContain(`\n  ${spelled}\n    ${setting.meaning}\n`);
  }
  expect(stdout.match(/^ {2}COMMONPLACE_/gm)).toHaveLength(settings.length);
});

const page = join(root, "docs/operate/settings.md");

test.skipIf(!existsSync(page))(
  "docs/operate/settings.md explains every setting, with its default, and no other",
  () => {
    const rows = readFileSync(page, "utf8").matchAll(/^\| `(COMMONPLACE_\w+)` \|([^|]*)\|([^|]*)\|$/gm);
    const explained = Array.from(rows, ([, name, standard = "", meaning = ""]) => ({
      name,
      default: standard.trim().replace(/^`(.*)`$/, "$1"),
      isExplained: meaning.trim() !== "",
    }));
    expect(explained).toEqual(
      settings.map(({ name, default: standard }) => ({ name, default: standard, isExplained: true })),
    );
  },
);
