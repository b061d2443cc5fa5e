// Sensitive actions want the password again: the service says so, a dialog asks, and the call is made once more.
import { useSyncExternalStore } from "react";
import { ApiFailure } from "./call.ts";

interface Asking {
  readonly answer: (isGiven: boolean) => void;
}

let asking: Asking | undefined;
const listeners = new Set<() => void>();

const change = (next: Asking | undefined) => {
  asking = next;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What the dialog is about; undefined where nothing is asked. */
export const useAsking = (): Asking | undefined => useSyncExternalStore(subscribe, () => asking);

const askForPassword = (): Promise<boolean> =>
  new Promise((resolve) => {
    asking?.answer(false);
    change({
      answer: (isGiven) => {
        change(undefined);
        resolve(isGiven);
      },
    });
  });

/** Does the work, and once more after the password was given. @throws ApiFailure `cancelled` where it was not */
export async function confirmed<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== "confirmation_required") throw error;
    if (!(await askForPassword())) throw new ApiFailure(403, "cancelled", "Nothing was changed.");
    return work();
  }
}
