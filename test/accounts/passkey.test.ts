// Signing in with a passkey.
import { describe, expect, test } from "bun:test";
import { startConsole, testPassword } from "../support/console.ts";
import { addPasskey, isPresent, isVerified } from "../support/passkey-device.ts";

const session = "__Host-commonplace.session_token";

describe("a passkey", () => {
  const withDevice = async () => {
    const started = await startConsole();
    const { id } = await started.person({ role: "owner" });
    return { signIn: (await addPasskey(started, id)).signIn };
  };

  test("opens a session only where it has asked for a PIN, a finger or a face: it stands for both steps", async () => {
    const { signIn } = await withDevice();
    const touched = await signIn(isPresent);
    expect([touched.answer.status, touched.answer.body.error]).toEqual([403, "user_not_verified"]);
    expect(touched.answer.headers.getSetCookie().join()).not.toContain(session);
    expect((await touched.browser.call("getSession")).status).toBe(401);
    const shown = await signIn(isPresent | isVerified);
    expect(shown.answer.status).toBe(200);
    expect((await shown.browser.call("getSession")).status).toBe(200);
    // It meets a policy that asks for a second factor.
    const policy = await shown.browser.call("putSignInPolicy", { body: { policy: "second_factor" } });
    expect([policy.status, (await shown.browser.call("getWorkspace")).status]).toEqual([200, 200]);
  });

  test("is made with the same demand", async () => {
    const { person, visitor } = await startConsole();
    const { cookie } = await person({ role: "owner" });
    const { body } = await visitor(cookie).auth("/passkey/generate-register-options", { password: testPassword });
    expect(body.authenticatorSelection).toMatchObject({ residentKey: "preferred", userVerification: "required" });
  });
});
