// The token of a link stands behind the # of its address, which no server sees; it leaves the address bar at once.
import { useEffect, useState } from "react";

/** The token in the address's fragment. Only looks: what is rendered may be thrown away and rendered anew. */
const tokenInAddress = (): string => location.hash.slice(1);

/** What stands in the address bar is kept, shown and shared. */
const clearAddress = (): void => history.replaceState(history.state, "", location.pathname + location.search);

/** The token of the link that was opened; empty without one. */
export function useLinkToken(): string {
  const [token, setToken] = useState(tokenInAddress);
  useEffect(() => {
    // Another link in the same window changes the fragment only.
    const take = () => {
      const next = tokenInAddress();
      if (next === "") return;
      setToken(next);
      clearAddress();
    };
    take();
    addEventListener("hashchange", take);
    return () => removeEventListener("hashchange", take);
  }, []);
  return token;
}
