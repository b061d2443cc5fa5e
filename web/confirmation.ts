// Sensitive actions want the password again: the service says so, a dialog asks, and the call is made once more.
import { useSyncExternalStore } from "react";
import { ApiError } from "./call.ts";

interface PasswordPrompt {
  readonly resolve: (isGiven: boolean) => void;
}

let prompt: PasswordPrompt | undefined;
const listeners = new Set<() => void>();

const change = (next: PasswordPrompt | undefined) => {
  prompt = next;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What the dialog is about; undefined where nothing is asked. */
export const usePasswordPrompt = (): PasswordPrompt | undefined => useSyncExternalStore(subscribe, () => prompt);

const promptForPassword = (): Promise<boolean> =>
  new Promise((resolve) => {
    prompt?.resolve(false);
    change({
      resolve: (isGiven) => {
        change(undefined);
        resolve(isGiven);
      },
    });
  });

/** Does the work, and once more after the password was given. @throws ApiError `cancelled` where it was not */
export async function withConfirmation<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "confirmation_required") throw error;
    if (!(await promptForPassword())) throw new ApiError(403, "cancelled", "Nothing was changed.");
    return work();
  }
}
