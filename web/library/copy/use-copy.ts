// Copies the text of a snippet. A text with placeholders opens a form first.
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { describeEmpty, fillIn, placeholderNames } from "../../../src/library/placeholders.ts";
import { quote } from "../../components/format.ts";
import { toast, toastError } from "../../components/toast.tsx";
import { useSession } from "../../workspace.tsx";
import { type Snippet, useReadSnippet, useReadText } from "../data.ts";
import { isMarkdown } from "../editor/prose.ts";
import { useLibrary } from "../library-context.tsx";
import { useStable } from "../use-stable.ts";
import { copyContent } from "./clipboard.ts";
import { toCurl, toMarkdown } from "./formats.ts";
import { recentValues, rememberValues } from "./session-values.ts";

export type CopyWhat = "text" | "raw" | "markdown" | "link" | "curl" | "id";

const confirmations: Record<CopyWhat, string> = {
  text: "Copied",
  raw: "Copied as is:",
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

export interface CopyTarget {
  readonly snippetId: string;
  /** Undefined for the first. */
  readonly variationId: string | undefined;
  /** That of the variation. It has to be known before the text is. */
  readonly contentType: string;
}

export interface Copying {
  /** Call it right in the handler of a key or a click: afterwards, browsers refuse it. */
  readonly copy: (what: CopyWhat, target: CopyTarget) => void;
  readonly form: Form | undefined;
  /** What was copied last, and how many copies there were: a button confirms its own. */
  readonly copied: { readonly snippetId: string; readonly count: number } | undefined;
}

/** A snippet, and what is copied of it. */
interface Source {
  readonly snippet: Snippet;
  readonly text: string;
}

/** Thrown in place of a text that is to be filled in first. */
class HasPlaceholders extends Error {}

export function useCopy(): Copying {
  const client = useQueryClient();
  const read = useReadSource();
  const [form, setForm] = useState<Form>();
  const [copied, setCopied] = useState<Copying["copied"]>();

  /** @param isFormatted it is Markdown, and is copied as HTML too */
  const write = async (what: CopyWhat, source: Promise<Source>, isFormatted: boolean, warning?: string) => {
    try {
      await copyContent(
        source.then(async ({ text }) => ({ text, ...(isFormatted && { html: await toHtml(text) }) })),
        isFormatted,
      );
      const { id, title } = (await source).snippet;
      setCopied((before) => ({ snippetId: id, count: (before?.count ?? 0) + 1 }));
      const done = `${confirmations[what]} ${quote(title)}`;
      if (warning === undefined) toast(done);
      else toast(`${done}. ${warning}.`, "warn");
    } catch (error) {
      if (error instanceof HasPlaceholders) return;
      const isOwn = error instanceof Error && error.name !== "NotAllowedError";
      toastError(isOwn ? error : new Error("Your browser blocked copying. Select the text and copy it manually."));
    }
  };

  const copy: Copying["copy"] = useStable((what, target) => {
    const isFormatted = (what === "text" || what === "raw") && isMarkdown(target.contentType);
    /** Opens the form of a text with placeholders. @throws in place of that text */
    const askFor = (source: Source): Source => {
      const { snippet, text } = source;
      const names = placeholderNames(text);
      if (names.length === 0) return source;
      const close = () => setForm(undefined);
      const finish = (how: CopyWhat, finished: string, warning?: string) => {
        close();
        void write(how, Promise.resolve({ snippet, text: finished }), isFormatted, warning);
      };
      setForm({
        title: snippet.title,
        text,
        names,
        recent: recentValues(client),
        submit: (values) => {
          rememberValues(client, values);
          finish("text", fillIn(text, values), describeEmpty(names, values));
        },
        copyRaw: () => finish("raw", text),
        close,
      });
      throw new HasPlaceholders();
    };
    const source = read(what, target);
    void write(what, what === "text" ? source.then(askFor) : source, isFormatted);
  });
  return useMemo(() => ({ copy, form, copied }), [copy, form, copied]);
}

/** Reads what is to be copied of a snippet. */
function useReadSource() {
  const { api } = useSession();
  const { hrefOf } = useLibrary();
  const readSnippet = useReadSnippet();
  const readText = useReadText();
  return async (what: CopyWhat, { snippetId, variationId }: CopyTarget): Promise<Source> => {
    const snippet = await readSnippet(snippetId);
    const [first] = snippet.variations;
    const variation = snippet.variations.find(({ id }) => id === variationId) ?? first;
    if (!variation) throw new Error("This snippet has no text");
    const ownId = variation === first ? undefined : variation.id;
    const link = hrefOf({ mode: "read", isBrowsing: false, snippetId, variationId: ownId });
    const texts: Record<CopyWhat, () => string | Promise<string>> = {
      text: () => readText(variation),
      raw: () => readText(variation),
      markdown: async () => toMarkdown(snippet.title, variation.content_type, await readText(variation)),
      link: () => `${location.origin}/console${link}`,
      curl: () => toCurl(api, snippetId, ownId),
      id: () => snippetId,
    };
    return { snippet, text: await texts[what]() };
  };
}

/** The script is loaded with the first Markdown that is shown or copied. Without it, the text is copied as it is written. */
const toHtml = async (text: string): Promise<string | undefined> => {
  try {
    const { markdownToHtml } = await import("../markdown/html.ts");
    return markdownToHtml(text);
  } catch {
    return undefined;
  }
};
