// Keeps what is rendered for a list from being rendered again with each key press.
import { useInsertionEffect, useRef, useState } from "react";

/** A function that stays the same, and does what the one of the last render does. For handlers, not for rendering. */
export function useStable<Arguments extends readonly unknown[], Result>(
  work: (...of: Arguments) => Result,
): (...of: Arguments) => Result {
  const latest = useRef(work);
  useInsertionEffect(() => {
    latest.current = work;
  });
  return useState(
    () =>
      (...of: Arguments) =>
        latest.current(...of),
  )[0];
}
