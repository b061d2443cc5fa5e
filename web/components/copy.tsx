// Copying and saving text.
import { useEffect, useState } from "react";
import { Button, type ButtonSize, type ButtonVariant } from "./button.tsx";
import { Icon } from "./icons.tsx";

const resultMilliseconds = 2000;
const readMilliseconds = 60_000;

export function CopyButton({
  text,
  label = "Copy",
  size = "small",
  variant = "plain",
}: {
  text: string;
  /** Says what is copied where that is not obvious: "Copy key ID". */
  label?: string;
  size?: ButtonSize;
  variant?: ButtonVariant;
}) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), resultMilliseconds);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("failed");
    }
  };
  return (
    <Button size={size} variant={variant} onClick={() => void copy()}>
      <Icon name={state === "copied" ? "check" : "copy"} className="size-4" />
      <span aria-live="polite">
        {state === "copied" ? "Copied" : state === "failed" ? "Couldn’t copy. Copy it manually." : label}
      </span>
    </Button>
  );
}

/** A secret, a command or a link. A click selects all of it; a button copies it. */
export const CodeBlock = ({ label, text }: { label: string; text: string }) => (
  <figure className="border-line bg-sunken min-w-0 rounded-md border">
    <figcaption className="border-line flex items-center justify-between gap-2 border-b py-1 pr-1 pl-3">
      <span className="text-quiet text-[0.8125rem]">{label}</span>
      <CopyButton text={text} variant="quiet" />
    </figcaption>
    <pre className="max-h-56 overflow-auto px-3 py-2.5 font-mono text-xs wrap-anywhere sm:text-[0.8125rem] whitespace-pre-wrap select-all">
      {text}
    </pre>
  </figure>
);

/** Downloads text as a file. */
export const downloadText = (name: string, text: string): void =>
  downloadBlob(name, new Blob([text], { type: "text/plain" }));

/** Saves what is in memory as a file. */
export function downloadBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read a large file only after the click.
  setTimeout(() => URL.revokeObjectURL(url), readMilliseconds);
}
