// Better Auth: loaded with its first call, with and without the OpenID provider, and called with requests that we build.
import { AsyncLocalStorage } from "node:async_hooks";
import type { OpenIdSettings } from "../../config.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import type { PasswordHashing } from "../../platform/secrets/password-hashing.ts";
import { deleteVerifications, verifyEmail } from "../people/people.store.ts";
import { recordOwnChange, revokeAllTokens } from "./account-audit.ts";
import type { BetterAuthCall } from "./better-auth-call.ts";
import { loadBetterAuth } from "./load-better-auth.ts";

const openIdSecondsMax = 10;
const retryAfterSeconds = 5;

/** How ID tokens may be signed: with a key that only the provider has. */
const signatures = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

const currentCall = new AsyncLocalStorage<BetterAuthCall>();

export interface BetterAuthDependencies {
  readonly database: Database;
  readonly origin: string;
  readonly openId: OpenIdSettings | undefined;
  readonly singleSignOnHours: number;
  readonly hashing: PasswordHashing;
  readonly instanceKey: string;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Receives a failure that belongs to no call. */
  readonly onFailure: (cause: unknown) => void;
}

export interface BetterAuthResult {
  readonly response: Response;
  /** What failed inside; undefined where nothing did. */
  readonly failure: unknown;
}

/** What Better Auth must know of a call in addition to its request. */
export type CallOptions = Omit<BetterAuthCall, "failure" | "authTime"> & {
  readonly isOpenId: boolean;
};

export interface BetterAuth {
  /** @throws Refusal `unavailable` where the OpenID provider does not answer */
  readonly call: (request: Request, options: CallOptions) => Promise<BetterAuthResult>;
  /** Loads Better Auth before it is needed. */
  readonly preload: () => Promise<void>;
}

type Configured = ReturnType<Awaited<ReturnType<typeof loadBetterAuth>>["configureBetterAuth"]>;

export function openBetterAuth(options: BetterAuthDependencies): BetterAuth {
  const { openId, pause, onFailure } = options;
  // Two of them: the one with the provider asks the provider at once, and other calls must not wait for that.
  const plain = lazy(() => configure(options, undefined));
  const withProvider = lazy(async () => {
    const auth = await configure(options, openId);
    const { socialProviders } = await auth.$context;
    const [provider] = socialProviders;
    if (!provider || !openId) throw consoleErrors.openIdUnavailable(retryAfterSeconds);
    if (!isIssuer(provider.issuer, openId.issuer)) {
      onFailure(
        new OperatorError(
          `COMMONPLACE_OIDC_ISSUER is ${openId.issuer}, but the provider there says it is ${provider.issuer}`,
        ),
      );
      throw consoleErrors.openIdMisconfigured();
    }
    const { idToken } = provider;
    if (idToken && "jwks" in idToken)
      idToken.algorithms = signatures.filter((name) => idToken.algorithms?.includes(name) ?? true);
    return auth;
  });
  return {
    call: async (request, { isOpenId, ...callOptions }) => {
      const auth = await (isOpenId ? withinTime(withProvider, pause) : plain.get());
      const call: BetterAuthCall = { ...callOptions, failure: undefined, authTime: undefined };
      const response = await currentCall.run(call, () => auth.handler(request));
      return { response, failure: call.failure };
    },
    preload: async () => {
      await plain.get();
    },
  };
}

/** ID tokens are compared with the issuer in the provider's discovery document, so that must be the one in the setting. */
const isIssuer = (found: string | undefined, expected: string): boolean =>
  found !== undefined && withoutSlash(found) === withoutSlash(expected);

const withoutSlash = (issuer: string): string => issuer.replace(/\/$/, "");

async function configure(
  { database, origin, singleSignOnHours, hashing, instanceKey, onFailure }: BetterAuthDependencies,
  openId: OpenIdSettings | undefined,
): Promise<Configured> {
  const { configureBetterAuth } = await loadBetterAuth();
  return configureBetterAuth(database, {
    origin,
    openId,
    singleSignOnHours,
    secret: instanceKey,
    currentCall: () => currentCall.getStore(),
    hasher: {
      hash: hashing.hash,
      verify: async (password, hash) => currentCall.getStore()?.isConfirmed || hashing.verify(password, hash),
    },
    onFailure: (cause) => {
      const call = currentCall.getStore();
      if (call) call.failure ??= cause;
      else onFailure(cause);
    },
    onPasswordReset: (personId) => {
      const clientAddress = currentCall.getStore()?.clientAddress ?? null;
      return database.transaction((transaction) => afterPasswordReset(transaction, personId, clientAddress));
    },
  });
}

/**
 * Only the owner of the email address, or a person the operator chose, has the password reset link. The mailbox alone is no second
 * factor, so those stay. They are the owner's: with mail set up, nobody adds one to an account whose address is not verified.
 */
async function afterPasswordReset(
  transaction: Transaction,
  personId: string,
  clientAddress: string | null,
): Promise<void> {
  deleteVerifications(transaction, personId);
  if (await verifyEmail(transaction, personId))
    await recordOwnChange(transaction, personId, clientAddress, { action: "account.verify" });
  await revokeAllTokens(transaction, personId, clientAddress);
}

interface Lazy<T> {
  readonly get: () => Promise<T>;
  readonly forget: () => void;
}

/** Made with the first `get`, and again after a failure. */
function lazy<T>(make: () => Promise<T>): Lazy<T> {
  let made: Promise<T> | undefined;
  const forget = () => {
    made = undefined;
  };
  return {
    get: () => {
      made ??= make().catch((error: unknown) => {
        forget();
        throw error;
      });
      return made;
    },
    forget,
  };
}

/** Refuses when the provider does not answer in time; the next call asks it again. */
async function withinTime<T>({ get, forget }: Lazy<T>, pause: (milliseconds: number) => Promise<void>): Promise<T> {
  let isOver = false;
  const late = async (): Promise<never> => {
    await pause(openIdSecondsMax * 1_000);
    if (!isOver) forget();
    throw consoleErrors.openIdUnavailable(retryAfterSeconds);
  };
  try {
    return await Promise.race([get(), late()]);
  } finally {
    isOver = true;
  }
}
