// The token of a link stands behind the # of its address, which no server sees; it leaves the address bar at once.
import { useEffect, useState } from "react";

/** The token in the address's fragment. Only looks: what is rendered may be thrown away and rendered anew. */
const readFragment = (): string => location.hash.slice(1);

/** What stands in the address bar is kept, shown and shared. */
const clearFragment = (): void => history.replaceState(history.state, "", location.pathname + location.search);

/** The token of the link that was opened; empty without one. */
export function useLinkToken(): string {
  const [token, setToken] = useState(readFragment);
  useEffect(() => {
    // Another link in the same window changes the fragment only.
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
