// The token of a link stands behind the # of its address, which no server sees; it leaves the address bar at once.
import { useEffect, useState } from "react";

/** The token in the address's fragment. It leaves the address bar at once: what stands there is kept, shown and shared. */
const takeToken = (): string => {
  const token = location.hash.slice(1);
  if (token !== "") history.replaceState(history.state, "", location.pathname + location.search);
  return token;
};

/** The token of the link that was opened; empty without one. */
export function useLinkToken(): string {
  const [token, setToken] = useState(takeToken);
  useEffect(() => {
    // Another link in the same window changes the fragment only.
    const read = () => {
      const next = takeToken();
      if (next !== "") setToken(next);
    };
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return token;
}
