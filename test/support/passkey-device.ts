// A device with a passkey, which answers the browser with values that the test chooses.
import { expect } from "bun:test";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import type { StartedConsole } from "./console.ts";

/** Flags of an answer: somebody touched the device; it has asked for a PIN, a finger, or a face. */
export const [isPresent, isVerified] = [1, 4];

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();

/** Adds a passkey to an account. `signIn` signs in with it, in a new browser. */
export async function addPasskey({ admin, visitor, origin }: StartedConsole, personId: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  // COSE: an elliptic key, ES256, P-256, and the point.
  const cose = Buffer.concat([
    ...[Buffer.from("a5010203262001215820", "hex"), Buffer.from(x, "base64url")],
    ...[Buffer.from("225820", "hex"), Buffer.from(y, "base64url")],
  ]);
  const credentialId = Buffer.from(crypto.randomUUID()).toString("base64url");
  const id = await admin(async (transaction) => {
    const row = {
      id: transaction.newId(),
      person_id: personId,
      name: "Device",
      public_key: cose.toString("base64"),
      credential_id: credentialId,
      counter: 0,
      device_type: "singleDevice",
      backed_up: false,
      transports: "",
      aaguid: "",
      created_at: transaction.now,
    };
    transaction.insert("person_passkeys", [row]);
    return row.id;
  });
  const signIn = async (flags: number) => {
    const browser = visitor();
    const { body: options } = await browser.auth("/passkey/generate-authenticate-options");
    expect(options.userVerification).toBe("required");
    const about = { type: "webauthn.get", challenge: options.challenge, origin };
    const clientData = Buffer.from(JSON.stringify(about));
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
  return { id, signIn };
}
