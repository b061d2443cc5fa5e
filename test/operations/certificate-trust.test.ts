// Browsers trust the certificate for localhost if a person asks for it, and no longer after that is undone.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { startBrowser } from "../support/chromium.ts";
import { expectFailure, run, runToEnd, serve } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

/** From source, each start takes seconds beside other tests. */
const startsMilliseconds = 30_000;

const hasCertutil = Bun.which("certutil") !== null;
if (!hasCertutil) console.log("Trust in the certificate is not tested: apt-get install libnss3-tools.");

/** A home directory, with a profile of Firefox. */
function makeHome() {
  const home = temporaryDirectory();
  const data = join(home, ".local/share/commonplace-try");
  const profile = join(home, ".mozilla/firefox/abc.default");
  mkdirSync(profile, { recursive: true });
  const settings = { HOME: home, XDG_DATA_HOME: "", XDG_CONFIG_HOME: "", COMMONPLACE_LOG_FORMAT: "text" };
  return { home, data, profile, settings, shared: join(home, ".pki/nssdb") };
}

/** What a store trusts; undefined if there is no store. */
async function trustedIn(store: string): Promise<string[] | undefined> {
  if (!existsSync(store)) return undefined;
  const { stdout } = await runToEnd(["certutil", "-d", `sql:${store}`, "-L"]);
  return stdout.split("\n").filter((line) => line.includes("Commonplace"));
}

/** A directory with links to all programs but certutil. */
function withoutCertutil(): string {
  const directory = temporaryDirectory();
  for (const from of (process.env.PATH ?? "").split(":").filter((path) => existsSync(path)))
    for (const name of readdirSync(from))
      if (name !== "certutil" && !existsSync(join(directory, name)))
        symlinkSync(join(from, name), join(directory, name));
  return directory;
}

describe.skipIf(!hasCertutil)("with certutil", () => {
  test(
    "serve --try changes no store unless --trust-certificate asks for it; --undo undoes it",
    async () => {
      const { data, profile, settings, shared } = makeHome();
      expect((await runToEnd(["certutil", "-N", "-d", `sql:${profile}`, "--empty-password"])).status).toBe(0);
      const silent = await serve(settings, ["--try"]);
      silent.kill("SIGTERM");
      await silent.exited;
      expect([await trustedIn(shared), await trustedIn(profile)]).toEqual([undefined, []]);

      for (const _ of ["first", "second"]) {
        const trial = await serve(settings, ["--try", "--trust-certificate"]);
        trial.kill("SIGTERM");
        await trial.exited;
        const row = [expect.stringMatching(new RegExp(`^Commonplace in ${data} +C,, *$`))];
        expect([await trustedIn(shared), await trustedIn(profile)]).toEqual([row, row]);
      }

      const undone = await run(["certificate", "trust", "--undo", "--data", data, "--json"], settings);
      expect(JSON.parse(undone.stdout)).toEqual({ changed: [shared, profile] });
      expect([await trustedIn(shared), await trustedIn(profile)]).toEqual([[], []]);
      const again = await run(["certificate", "trust", "--undo", "--data", data], settings);
      expect(again.stdout).toBe("The certificate was not trusted. Nothing has changed.\n");
    },
    startsMilliseconds,
  );

  test(
    "Chromium opens the page without a warning, and warns again afterwards",
    async () => {
      const { home, data, settings } = makeHome();
      await using trial = await serve(settings, ["--try"]);
      const address = new URL("/console/sign-in", trial.baseUrl).href;
      /** The error of a browser that has just started. */
      const open = async () => {
        const browser = await startBrowser({ ...process.env, HOME: home });
        try {
          const page = await browser.newPage();
          return await page.goto(address).then(
            (response) => response?.status(),
            (error: Error) => /net::\w+/.exec(error.message)?.[0],
          );
        } finally {
          await browser.close();
        }
      };
      expect(await open()).toBe("net::ERR_CERT_AUTHORITY_INVALID");
      expect((await run(["certificate", "trust", "--data", data], settings)).status).toBe(0);
      expect(await open()).toBe(200);
      expect((await run(["certificate", "trust", "--undo", "--data", data], settings)).status).toBe(0);
      expect(await open()).toBe("net::ERR_CERT_AUTHORITY_INVALID");
    },
    2 * startsMilliseconds,
  );
});

test(
  "without certutil, it says what to install, and the trial starts all the same",
  async () => {
    const { data, settings } = makeHome();
    const bare = { ...settings, PATH: withoutCertutil() };
    const trial = await serve(bare, ["--try", "--trust-certificate"]);
    trial.kill("SIGTERM");
    expect(await trial.exited).toBe(0);
    const refused = await run(["certificate", "trust", "--data", data], bare);
    expectFailure(
      refused,
      1,
      "certutil, which changes what browsers trust, is not installed. On Debian and Ubuntu, install it with apt-get install libnss3-tools",
    );
  },
  startsMilliseconds,
);

test(
  "refuses a certificate that is not its own, and one that does not exist yet",
  async () => {
    const { data, settings } = makeHome();
    const files = { COMMONPLACE_TLS_CERT_FILE: "/etc/x.crt", COMMONPLACE_TLS_KEY_FILE: "/etc/x.key" };
    expectFailure(
      await run(["certificate", "trust", "--data", data], { ...settings, ...files }),
      1,
      "the certificate is set with COMMONPLACE_TLS_CERT_FILE, and is not the one for localhost",
    );
    expectFailure(
      await run(["certificate", "trust", "--data", data], settings),
      1,
      `${data}/tls/ca.crt does not exist. Start the service once, which creates it`,
    );
    const alone = await run(["serve", "--trust-certificate"], settings);
    expectFailure(alone, 2, "--trust-certificate needs --try", "./commonplace serve --help");
  },
  startsMilliseconds,
);
