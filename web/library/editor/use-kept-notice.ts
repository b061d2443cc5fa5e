// What is said to somebody who leaves unsaved changes.
import { useEffect, useRef } from "react";
import { quote } from "../../components/format.ts";
import { toast } from "../../components/toast.tsx";
import { type DraftPlace, readDraft } from "./drafts.ts";

/** Says where unsaved changes are when the person leaves them; asks before the tab closes if they are nowhere. */
export function useKeptNotice(place: DraftPlace, isLost: boolean, title: string): void {
  const latest = useRef({ place, isLost, title });
  latest.current = { place, isLost, title };
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current.isLost) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => {
      removeEventListener("beforeunload", ask);
      if (readDraft(latest.current.place))
        toast(
          `Your changes to ${latest.current.title ? quote(latest.current.title) : "the new snippet"} are kept in this browser`,
        );
    };
  }, []);
}
