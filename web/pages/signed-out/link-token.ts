// Reads the token of a link from the fragment of the address, which no server sees, and removes it from the address bar.
import { useEffect, useState } from "react";

/** Only reads: React may discard a render and repeat it. */
const readFragment = (): string => location.hash.slice(1);

/** The address bar is saved in the history, visible and easily shared. */
const clearFragment = (): void => history.replaceState(history.state, "", location.pathname + location.search);

/** The token of the opened link; empty without one. */
export function useLinkToken(): string {
  const [token, setToken] = useState(readFragment);
  useEffect(() => {
    // Opening another link in the same tab changes only the fragment.
    const readToken = () => {
      const next = readFragment();
      if (next === "") return;
      setToken(next);
      clearFragment();
    };
    readToken();
    addEventListener("hashchange", readToken);
    return () => removeEventListener("hashchange", readToken);
  }, []);
  return token;
}
