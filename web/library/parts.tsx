// Parts of the page whose scripts are loaded when they are first needed.
import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { Loading } from "../components/states.tsx";
import type { EditorProps } from "./editor/editor.tsx";
import type { HistoryProps } from "./history/history.tsx";

/** As pages are loaded: it renders at once if the script is there. */
function lazyPart<Props extends object>(
  name: string,
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
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
    return script ? <script.default {...props} /> : <Loading />;
  };
}

export const Editor = lazyPart<EditorProps>("library editor", () => import("./editor/editor.tsx"));
export const History = lazyPart<HistoryProps>("library history", () => import("./history/history.tsx"));
