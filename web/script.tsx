// Scripts of pages and of their parts, loaded when they are first needed.
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import type { ComponentType, ReactNode } from "react";
import { Loading } from "./components/states.tsx";

export interface Script<Props extends object> {
  /** Renders at once if the script is loaded. React's `lazy` would show a loading state for at least 0.3 seconds. */
  readonly Component: ComponentType<Props>;
  /** Loads the script before it is needed. */
  readonly prefetch: (client: QueryClient) => void;
}

let scripts = 0;

/**
 * A script whose default export is a component. Its key in the cache is its own, so no script can get another one's component.
 * @param placeholder shown while it loads
 */
export function script<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  placeholder: ReactNode = <Loading />,
): Script<Props> {
  const query = queryOptions({
    queryKey: ["script", scripts++],
    queryFn: load,
    staleTime: "static",
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });
  return {
    Component: (props) => {
      const { data: loaded, error } = useQuery(query);
      if (error) throw error;
      return loaded ? <loaded.default {...props} /> : placeholder;
    },
    // If a fetch fails, the component itself reports it.
    prefetch: (client) => void client.prefetchQuery(query),
  };
}

/** A part of a page, loaded when it is first shown. */
export const lazyPart = <Props extends object>(...given: Parameters<typeof script<Props>>): ComponentType<Props> =>
  script<Props>(...given).Component;
