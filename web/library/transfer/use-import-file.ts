// What somebody gave as one file to send. Reading a folder takes a while, and the last choice counts.
import { useCallback, useEffect, useRef, useState } from "react";
import { type ImportFile, toImportFile } from "./import-run.ts";
import type { Given } from "./open-transfer.ts";

interface Reading {
  /** Counts the choices: another file can have the same name. */
  readonly turn: number;
  readonly file?: ImportFile;
  readonly error?: unknown;
  readonly isReading: boolean;
}

/** @param given what is dropped on the page, also later */
export function useImportFile(
  given: readonly Given[],
): Reading & { readonly choose: (given: readonly Given[]) => void } {
  const [reading, setReading] = useState<Reading>({ turn: 0, isReading: given.length > 0 });
  const latest = useRef(0);
  const choose = useCallback((chosen: readonly Given[]) => {
    latest.current += 1;
    const turn = latest.current;
    const set = (next: Reading) => {
      if (turn === latest.current) setReading(next);
    };
    set({ turn, isReading: true });
    toImportFile(chosen).then(
      (file) => set({ turn, file, isReading: false }),
      (error: unknown) => set({ turn, error, isReading: false }),
    );
  }, []);
  useEffect(() => {
    if (given.length > 0) choose(given);
  }, [given, choose]);
  return { ...reading, choose };
}
