// Passkeys: the browser stores them, the service issues the challenge and verifies the response.
import { callAuth } from "./call.ts";

export interface Passkey {
  readonly id: string;
  readonly name?: string | null;
  readonly createdAt: string;
  readonly deviceType: string;
  readonly backedUp: boolean;
}

/** False in a browser without passkeys, or without their JSON format. */
export const supportsPasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;

const requirePasskey = (credential: Credential | null): PublicKeyCredential => {
  if (credential instanceof PublicKeyCredential) return credential;
  throw new DOMException("no passkey was given", "NotAllowedError");
};

export async function signInWithPasskey(): Promise<void> {
  const options = await callAuth<PublicKeyCredentialRequestOptionsJSON>(
    "GET",
    "/passkey/generate-authenticate-options",
  );
  const credential = await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
  });
  await callAuth("POST", "/passkey/verify-authentication", { response: requirePasskey(credential).toJSON() });
}

/** @param password undefined for a person without one */
export async function addPasskey(name: string, password: string | undefined): Promise<void> {
  const options = await callAuth<PublicKeyCredentialCreationOptionsJSON>("POST", "/passkey/generate-register-options", {
    name,
    ...(password !== undefined && { password }),
  });
  const credential = await navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
  });
  await callAuth("POST", "/passkey/verify-registration", { response: requirePasskey(credential).toJSON(), name });
}
