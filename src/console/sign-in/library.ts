// The sign-in library as the door needs it: opened when it is first asked, with and without the OpenID provider, and asked with a request
// that holds nothing but what we put into it.
import { AsyncLocalStorage } from "node:async_hooks";
import { confirmEmail, dropUnfinished } from "../../accounts/people/people.store.ts";
import type { OpenIdSettings } from "../../config.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Database } from "../../platform/database/database.ts";
import type { PasswordHashing } from "../../platform/secrets/password-hashing.ts";
import { recordByPerson } from "./acts.ts";
import type { Asked } from "./auth.ts";
import { loadAuth } from "./open.ts";

const openIdSecondsMax = 10;
const retryAfterSeconds = 5;

/** The call that the library is in. */
const asked = new AsyncLocalStorage<Asked>();

/** Stands for a password that the door has seen already. Only counts in a call that the door says so of. */
export const confirmedPassword = "confirmed";

export interface LibrarySettings {
  readonly database: Database;
  readonly origin: string;
  readonly openId: OpenIdSettings | undefined;
  readonly hashing: PasswordHashing;
  readonly secret: () => Promise<string>;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** A failure that belongs to no call. */
  readonly onFailure: (cause: unknown) => void;
}

export interface LibraryAnswer {
  readonly response: Response;
  /** What failed inside; undefined where nothing did. */
  readonly failure: unknown;
}

export interface Library {
  readonly ask: (
    request: Request,
    how: Pick<Asked, "isConfirmed" | "act" | "clientAddress"> & { readonly isOpenId: boolean },
  ) => Promise<LibraryAnswer>;
  /** Loads it before it is needed. */
  readonly warm: () => Promise<void>;
}

type Auth = Awaited<ReturnType<typeof loadAuth>>["openAuth"] extends (...given: never[]) => infer Opened
  ? Opened
  : never;

export function openLibrary({ database, origin, openId, hashing, secret, pause, onFailure }: LibrarySettings): Library {
  const open = async (provider: OpenIdSettings | undefined): Promise<Auth> => {
    const { openAuth } = await loadAuth();
    return openAuth(database, {
      ...{ origin, openId: provider, secret: await secret(), asked: () => asked.getStore() },
      hasher: {
        hash: hashing.hash,
        verify: async (password, hash) => asked.getStore()?.isConfirmed || hashing.verify(password, hash),
      },
      onFailure: (cause) => {
        const call = asked.getStore();
        if (call) call.failure ??= cause;
        else onFailure(cause);
      },
      onPasswordReset: (personId) => {
        const call = asked.getStore();
        return database.transaction(async (transaction) => {
          // Only who reads the address's mail, or whom the operator gave it, has the link.
          const isTakenOver = await confirmEmail(transaction, personId, { keepsPassword: true });
          dropUnfinished(transaction, personId);
          if (isTakenOver)
            await recordByPerson(transaction, personId, call?.clientAddress ?? null, { action: "account.take_over" });
        });
      },
    });
  };
  // Two of them, because the one that knows the provider asks it at once, and nobody else shall wait for that.
  const plain = kept(() => open(undefined));
  const withProvider = kept(async () => {
    const auth = await open(openId);
    const { socialProviders } = await auth.$context;
    if (socialProviders.length === 0) throw consoleErrors.openIdUnavailable(retryAfterSeconds);
    return auth;
  });
  return {
    ask: async (request, { isOpenId, ...how }) => {
      const auth = await (isOpenId ? inTime(withProvider, pause) : plain.get());
      const call: Asked = { ...how, failure: undefined, authTime: undefined };
      const response = await asked.run(call, () => auth.handler(request));
      return { response, failure: call.failure };
    },
    warm: async () => {
      await plain.get();
    },
  };
}

interface Kept<T> {
  readonly get: () => Promise<T>;
  readonly forget: () => void;
}

/** Made once, when it is first asked for; made anew after a failure. */
function kept<T>(make: () => Promise<T>): Kept<T> {
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

/** A provider that does not answer is told of as one that does not, and asked anew by the next who comes. */
async function inTime<T>({ get, forget }: Kept<T>, pause: (milliseconds: number) => Promise<void>): Promise<T> {
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
