// Parts of pages whose scripts are loaded when they are first needed.
import { useQuery } from "@tanstack/react-query";
import type { ComponentType, ReactNode } from "react";
import { Loading } from "./components/states.tsx";

/** As pages are loaded: it renders at once if the script is there. @param placeholder shown while it loads */
export function lazyPart<Props extends object>(
  name: string,
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  placeholder: ReactNode = <Loading />,
): ComponentType<Props> {
  return (props) => {
    const { data: script, error } = useQuery({
      queryKey: ["script", name],
      queryFn: load,
      staleTime: "static",
      gcTime: Number.POSITIVE_INFINITY,
      structuralSharing: false,
      retry: false,
    });
    if (error) throw error;
    return script ? <script.default {...props} /> : placeholder;
  };
}
