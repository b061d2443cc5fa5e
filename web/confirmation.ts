// Sensitive operations require the password again: the service says so, a dialog asks for it, and the call is repeated.
import { ApiError } from "./call.ts";
import { createStore, useStore } from "./store.ts";

interface PasswordPrompt {
  readonly resolve: (isConfirmed: boolean) => void;
}

const openPrompt = createStore<PasswordPrompt | undefined>(undefined);

/** The open password prompt; undefined when none is open. */
export const usePasswordPrompt = (): PasswordPrompt | undefined => useStore(openPrompt);

const promptForPassword = (): Promise<boolean> =>
  new Promise((resolve) => {
    openPrompt.get()?.resolve(false);
    openPrompt.set({
      resolve: (isConfirmed) => {
        openPrompt.set(undefined);
        resolve(isConfirmed);
      },
    });
  });

/** Runs `work`, and runs it again after the password was confirmed. @throws ApiError `cancelled` when the person closes the prompt */
export async function withConfirmation<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "confirmation_required") throw error;
    if (!(await promptForPassword())) throw new ApiError(403, "cancelled", "Canceled. Nothing was changed.");
    return work();
  }
}

/** Asks for the password where the service would. For downloads, which the browser requests itself. @returns false when the person closes the prompt */
export const confirmed = async (confirmedUntil: string | null): Promise<boolean> =>
  (confirmedUntil !== null && Date.parse(confirmedUntil) > Date.now()) || promptForPassword();
