// Recovery codes are stored as hashes, like passwords. Better Auth compares texts, so it receives the hash of a code in its place.
import { createHmac } from "node:crypto";

const mark = "hmac-sha256:";

/** A code has 59 random bits, so one round is enough; the instance key makes a copy of the database useless for guessing. */
export const hashRecoveryCode = (code: string, instanceKey: string): string =>
  mark + createHmac("sha256", instanceKey).update(`recovery code\n${code}`).digest("hex");

/** How Better Auth keeps its list of codes, as JSON: new ones are hashed, and those that are left after one was used are already. */
export const storedRecoveryCodes = (instanceKey: string) => ({
  encrypt: async (list: string): Promise<string> =>
    JSON.stringify(
      (JSON.parse(list) as string[]).map((code) =>
        code.startsWith(mark) ? code : hashRecoveryCode(code, instanceKey),
      ),
    ),
  decrypt: async (list: string): Promise<string> => list,
});
