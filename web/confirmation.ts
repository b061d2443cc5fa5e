// Sensitive operations require the password again: the service says so, a dialog asks for it, and the call is repeated.
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

/** The open password prompt; undefined when none is open. */
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

/** Runs `work`, and runs it again after the password was confirmed. @throws ApiError `cancelled` when the person closes the prompt */
export async function withConfirmation<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "confirmation_required") throw error;
    if (!(await promptForPassword())) throw new ApiError(403, "cancelled", "Nothing was changed.");
    return work();
  }
}
