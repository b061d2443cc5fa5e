// The typed query: searched for at once, and in the address once the typing stops.
import { useEffect, useRef, useState } from "react";
import type { ViewControl } from "../use-view.ts";

/** A person types slower, and is answered at once. What comes faster is searched for once. */
const searchEveryMilliseconds = 30;
const addressAfterMilliseconds = 400;

export interface Find {
  readonly text: string;
  readonly setText: (typed: string) => void;
  /** What is searched for. */
  readonly query: string;
}

export function useFind({ view, change }: ViewControl): Find {
  const [text, setText] = useState(view.query);
  const [query, setQuery] = useState(view.query);
  const written = useRef(view.query);
  // The address changed by itself: by a link, or by the back button.
  useEffect(() => {
    if (view.query === written.current) return;
    written.current = view.query;
    setText(view.query);
    setQuery(view.query);
  }, [view.query]);
  useEffect(() => {
    const address = setTimeout(() => {
      if (text === written.current) return;
      written.current = text;
      change({ query: text }, "replace");
    }, addressAfterMilliseconds);
    return () => clearTimeout(address);
  }, [text, change]);
  const searched = useRef({ at: 0, timer: 0 });
  const search = (typed: string) => {
    const { at, timer } = searched.current;
    clearTimeout(timer);
    const now = performance.now();
    const wait = at + searchEveryMilliseconds - now;
    if (wait > 0) searched.current.timer = window.setTimeout(() => search(typed), wait);
    else {
      searched.current.at = now;
      setQuery(typed);
    }
  };
  return {
    text,
    setText: (typed) => {
      setText(typed);
      search(typed);
    },
    query,
  };
}
