// The button of an OpenID Connect provider on the sign-in page, in a real browser: to the provider, back, and the messages of failures.
import { afterAll, expect, setDefaultTimeout, spyOn } from "bun:test";
import { generateKeyPairSync, sign } from "node:crypto";
import type { Page } from "playwright-core";
import { browserMilliseconds, findPageProblems, unexpected, visit, widths } from "../support/browser.ts";
import { startConsole } from "../support/console.ts";
import { beforePages, pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);
let stopProvider = () => {};
beforePages(async () => {
  stopProvider = startProvider();
});
afterAll(async () => {
  stopProvider();
});

const issuer = "https://id.example.com";
const openId = { issuer, clientId: "commonplace", clientSecret: "between us", name: "Example" };
/** The e-mail address of the provider's user. */
let email = "";
/** The current sign-in's parameters, as the browser sent them to the provider. */
let nonce: string | null = null;

/** The provider's endpoints. test/accounts/openid.test.ts checks that the service accepts valid tokens only. */
function startProvider(): () => void {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const idToken = () => {
    const seconds = Math.floor(Date.now() / 1_000);
    const claims = { iss: issuer, aud: openId.clientId, sub: email, nonce, iat: seconds, exp: seconds + 300 };
    const signed = `${part({ alg: "RS256", kid: "1" })}.${part({ ...claims, email, email_verified: true, name: "Ada" })}`;
    return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
  };
  const answers: Readonly<Record<string, () => object>> = {
    "/.well-known/openid-configuration": () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ["RS256"],
    }),
    "/keys": () => ({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] }),
    "/token": () => ({ access_token: "unused", token_type: "Bearer", expires_in: 300, id_token: idToken() }),
  };
  const real = globalThis.fetch;
  const intercepted = spyOn(globalThis, "fetch").mockImplementation((async (input, init) => {
    const { origin, pathname } = new URL(input instanceof Request ? input.url : input);
    return origin === issuer ? Response.json(answers[pathname]?.()) : real(input, init);
  }) as typeof fetch);
  return () => intercepted.mockRestore();
}

/** The provider's own page, with buttons to allow or deny. */
async function showProvider(page: Page): Promise<void> {
  await page.route(`${issuer}/**`, (route) => {
    const asked = new URL(route.request().url()).searchParams;
    nonce = asked.get("nonce");
    const link = (name: string, answer: Record<string, string>) => {
      const back = new URLSearchParams({ ...answer, state: asked.get("state") ?? "" });
      return `<a href="${asked.get("redirect_uri")}?${back.toString().replaceAll("&", "&amp;")}">${name}</a>`;
    };
    const body = `<h1>Example</h1>${link("Yes", { code: "a code" })} ${link("No", { error: "access_denied" })}`;
    return route.fulfill({ contentType: "text/html", body });
  });
}

test("the button leads to the provider and back: who is known is let in, all others are told why not", async () => {
  const { origin, person } = await startConsole({ config: { openId } });
  const ada = await person({ role: "owner", name: "Ada Lovelace" });
  const { page, context, complaints } = await visit({ origin, path: "/console/sign-in" });
  await showProvider(page);
  const press = page.getByRole("button", { name: "Sign in with Example" });
  await press.waitFor();
  expect(await findPageProblems(page, widths)).toEqual([]);
  for (const { as, answer, said } of [
    {
      as: ada.email,
      answer: "No",
      said: "Your identity provider denied the sign-in. Try again, or ask your administrator for access.",
    },
    {
      as: "stranger@example.com",
      answer: "Yes",
      said: "No account here matches the email address from your identity provider. Ask an admin to invite you with that address.",
    },
  ]) {
    email = as;
    await press.click();
    await page.getByRole("link", { name: answer }).click();
    await page.getByRole("alert").getByText(said).waitFor();
    expect(await findPageProblems(page, widths)).toEqual([]);
  }
  email = ada.email;
  await press.click();
  await page.getByRole("link", { name: "Yes" }).click();
  await page.getByRole("button", { name: "Account menu: Ada Lovelace" }).waitFor();
  // The provider is the only other origin that the page goes to.
  const left = complaints.filter((complaint) => complaint.startsWith("left: "));
  expect(left.map((complaint) => complaint.split("?")[0])).toEqual(Array(3).fill(`left: ${issuer}/authorize`));
  expect(unexpected(complaints).filter((complaint) => !left.includes(complaint))).toEqual([]);
  await context.close();
});

test("without a provider there is no such button", async () => {
  const { origin, person } = await startConsole();
  await person();
  const { page, leave } = await visit({ origin, path: "/console/sign-in" });
  await page.getByRole("button", { name: "Sign in with a passkey" }).waitFor();
  expect(await page.getByRole("button", { name: /^Sign in with/ }).count()).toBe(1);
  await leave();
});
