// Markdown with its extensions, and with code blocks in their own languages.

import { markdownLanguage as base, markdown } from "@codemirror/lang-markdown";
import { LanguageDescription, LanguageSupport } from "@codemirror/language";
import { languageOfType } from "./languages.ts";

const descriptions = new Map<string, LanguageDescription>();

/** The language of a code block. Its script is loaded when the block is parsed. */
function describe(info: string): LanguageDescription | null {
  const row = languageOfType(/^[^\s{]+/.exec(info)?.[0] ?? "");
  if (!row?.load) return null;
  const { id, name, load } = row;
  const description =
    descriptions.get(id) ??
    LanguageDescription.of({ name, load: () => load().then((language) => new LanguageSupport(language)) });
  descriptions.set(id, description);
  return description;
}

export const markdownLanguage = markdown({ base, codeLanguages: describe, completeHTMLTags: false }).language;
