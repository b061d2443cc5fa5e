// Signing in with a passkey.
import { describe, expect, test } from "bun:test";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { startConsole, testPassword } from "../support/console.ts";

const session = "__Host-commonplace.session_token";

describe("a passkey", () => {
  /** A device that answers the browser, with values that the test chooses. */
  const withDevice = async () => {
    const started = await startConsole();
    const { id } = await started.person({ role: "owner" });
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    // COSE: an elliptic key, ES256, P-256, and the point.
    const cose = Buffer.concat([
      ...[Buffer.from("a5010203262001215820", "hex"), Buffer.from(x, "base64url")],
      ...[Buffer.from("225820", "hex"), Buffer.from(y, "base64url")],
    ]);
    const credentialId = Buffer.from(crypto.randomUUID()).toString("base64url");
    await started.admin(async (transaction) =>
      transaction.insert("person_passkeys", [
        {
          id: transaction.newId(),
          person_id: id,
          name: "Device",
          public_key: cose.toString("base64"),
          credential_id: credentialId,
          counter: 0,
          device_type: "singleDevice",
          backed_up: false,
          transports: "",
          aaguid: "",
          created_at: transaction.now,
        },
      ]),
    );
    const signIn = async (flags: number) => {
      const browser = started.visitor();
      const { body: options } = await browser.auth("/passkey/generate-authenticate-options");
      expect(options.userVerification).toBe("required");
      const about = { type: "webauthn.get", challenge: options.challenge, origin: started.origin };
      const clientData = Buffer.from(JSON.stringify(about));
      const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
      const authenticatorData = Buffer.concat([sha256("localhost"), Buffer.from([flags, 0, 0, 0, 0])]);
      const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
      const answer = await browser.auth("/passkey/verify-authentication", {
        response: {
          id: credentialId,
          rawId: credentialId,
          type: "public-key",
          clientExtensionResults: {},
          response: {
            clientDataJSON: clientData.toString("base64url"),
            authenticatorData: authenticatorData.toString("base64url"),
            signature: signature.toString("base64url"),
          },
        },
      });
      return { answer, browser };
    };
    return { signIn };
  };
  const [isPresent, isVerified] = [1, 4];

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
