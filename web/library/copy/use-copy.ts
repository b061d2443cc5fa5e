// Copies the text of a snippet. A text with placeholders opens a form first.
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { describeEmpty, fillIn, placeholderNames } from "../../../src/library/placeholders.ts";
import { quote } from "../../components/format.ts";
import { toast, toastError } from "../../components/toast.tsx";
import { type Snippet, useReadSnippet, useReadText, type Variation } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { useStable } from "../use-stable.ts";
import { copyText } from "./clipboard.ts";
import { toCurl, toMarkdown } from "./formats.ts";
import { recentValues, rememberValues } from "./session-values.ts";

export type CopyWhat = "text" | "raw" | "markdown" | "link" | "curl" | "id";

const confirmations: Record<CopyWhat, string> = {
  text: "Copied",
  raw: "Copied without filling in placeholders:",
  markdown: "Copied as Markdown:",
  link: "Copied link to",
  curl: "Copied curl command for",
  id: "Copied ID of",
};

/** A text whose placeholders are to be filled in. */
export interface Form {
  readonly title: string;
  readonly text: string;
  readonly names: readonly string[];
  /** What was typed before, by name, to be suggested. */
  readonly recent: ReadonlyMap<string, readonly string[]>;
  readonly submit: (values: ReadonlyMap<string, string>) => void;
  readonly copyRaw: () => void;
  readonly close: () => void;
}

export interface Copying {
  /** @param variationId undefined for the first */
  readonly copy: (what: CopyWhat, snippetId: string, variationId?: string) => void;
  readonly form: Form | undefined;
  /** What was copied last, and how many copies there were: a button confirms its own. */
  readonly copied: { readonly snippetId: string; readonly count: number } | undefined;
}

export function useCopy(): Copying {
  const client = useQueryClient();
  const { hrefOf } = useLibrary();
  const readSnippet = useReadSnippet();
  const readText = useReadText();
  const [form, setForm] = useState<Form>();
  const [copied, setCopied] = useState<Copying["copied"]>();

  const write = async (
    what: CopyWhat,
    { id, title }: Pick<Snippet, "id" | "title">,
    text: string | Promise<string>,
    warning?: string,
  ) => {
    try {
      await copyText(text);
      setCopied((before) => ({ snippetId: id, count: (before?.count ?? 0) + 1 }));
      const done = `${confirmations[what]} ${quote(title)}`;
      if (warning === undefined) toast(done);
      else toast(`${done}. ${warning}.`, "warn");
    } catch (error) {
      const isOwn = error instanceof Error && error.name !== "NotAllowedError";
      toastError(isOwn ? error : new Error("Your browser blocked copying. Select the text and copy it manually."));
    }
  };

  const copyTextOf = async (snippet: Snippet, variation: Variation) => {
    const text = await readText(variation);
    const names = placeholderNames(text);
    if (names.length === 0) return write("text", snippet, text);
    const close = () => setForm(undefined);
    setForm({
      title: snippet.title,
      text,
      names,
      recent: recentValues(client),
      submit: (values) => {
        rememberValues(client, values);
        close();
        void write("text", snippet, fillIn(text, values), describeEmpty(names, values));
      },
      copyRaw: () => {
        close();
        void write("raw", snippet, text);
      },
      close,
    });
  };

  const copy: Copying["copy"] = useStable((what, snippetId, variationId) => {
    const reading = readSnippet(snippetId).then((snippet) => {
      const [first] = snippet.variations;
      const variation = snippet.variations.find(({ id }) => id === variationId) ?? first;
      if (!variation) throw new Error("This snippet has no text");
      return { snippet, variation, isFirst: variation === first };
    });
    reading
      .then(({ snippet, variation, isFirst }) => {
        const ownVariation = isFirst ? undefined : variation.id;
        const link = hrefOf({ mode: "read", isBrowsing: false, snippetId, variationId: ownVariation });
        switch (what) {
          case "text":
            return copyTextOf(snippet, variation);
          case "raw":
            return write(what, snippet, readText(variation));
          case "markdown":
            return write(
              what,
              snippet,
              readText(variation).then((text) => toMarkdown(snippet.title, variation.content_type, text)),
            );
          case "link":
            return write(what, snippet, `${location.origin}/console${link}`);
          case "curl":
            return write(what, snippet, toCurl(location.origin, snippetId, ownVariation));
          case "id":
            return write(what, snippet, snippetId);
        }
      })
      .catch(toastError);
  });
  return useMemo(() => ({ copy, form, copied }), [copy, form, copied]);
}
