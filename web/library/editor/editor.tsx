// Writes a snippet: a new one, or the open one.
import { useEffect } from "react";
import type { Snippet } from "../data.ts";

export interface EditorProps {
  /** Undefined for a new one. */
  readonly snippet: Snippet | undefined;
  /** Back to reading. */
  readonly onClose: () => void;
}

export default function Editor({ onClose }: EditorProps) {
  useEffect(onClose, [onClose]);
  return null;
}
