// Colors of code: the same parsers and class names as in the console, so that both have one style sheet.
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { python } from "@codemirror/lang-python";
import { sql } from "@codemirror/lang-sql";
import { yaml } from "@codemirror/lang-yaml";
import { type Language, StreamLanguage } from "@codemirror/language";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { classHighlighter, highlightCode } from "@lezer/highlight";

/** By the word after the three backticks. */
const languages: Readonly<Record<string, Language>> = {
  sh: StreamLanguage.define(shell),
  json: json().language,
  ts: javascript({ typescript: true }).language,
  python: python().language,
  sql: sql().language,
  yaml: yaml().language,
};

/** The code as HTML. Code in other languages has no colors. */
export function highlight(code: string, name: string): string {
  if (name === "console") return code.split("\n").map(terminalLine).join("\n");
  const language = languages[name];
  if (!language) return escapeHtml(code);
  const parts: string[] = [];
  highlightCode(
    code,
    language.parser.parse(code),
    classHighlighter,
    (text, classes) => parts.push(classes ? `<span class="${classes}">${escapeHtml(text)}</span>` : escapeHtml(text)),
    () => parts.push("\n"),
  );
  return parts.join("");
}

/** A prompt with a command, or what the command prints. A reader copies only the command. */
function terminalLine(line: string): string {
  if (!line.startsWith(prompt)) return `<span class="printed">${escapeHtml(line)}</span>`;
  return `<span class="prompt">${prompt}</span>${highlight(line.slice(prompt.length), "sh")}`;
}

const prompt = "$ ";

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
