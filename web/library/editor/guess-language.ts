// Guesses the language of code from signs that are frequent in one language and rare in the others.
import { guessedType, type LanguageRow, languageOfType } from "./languages.ts";

/** Where a text begins, it shows its language. */
const readMax = 10_000;
/** Weaker evidence than this is no guess. */
const evidenceMin = 2;

/** A pattern, and how much it says for the language. A pattern counts once, however often it occurs. */
type Sign = readonly [pattern: RegExp, evidence: number];

const signs: Readonly<Record<string, readonly Sign[]>> = {
  python: [
    [/^\s*def \w+\(.*\).*:\s*$/m, 3],
    [/^\s*class \w+(\([\w., ]*\))?:\s*$/m, 3],
    [/^from [\w.]+ import /m, 3],
    [/^import \w+(\.\w+)*( as \w+)?\s*$/m, 2],
    [/^\s*(if|elif|for|while|with|try|except|else)\b[^{;]*:\s*$/m, 1],
    [/\b(self|None|True|False|elif|lambda \w+:)/, 1],
    [/^\s*@\w+(\.\w+)*(\(.*\))?\s*\n\s*(async )?def /m, 2],
    [/\bprint\(/, 1],
  ],
  typescript: [
    [/^\s*(export )?(interface|type) \w+(<[^>]*>)? ?[={]/m, 3],
    [/\b(const|let|var) \w+: ?[\w<>[\]{}| ]+ =/, 3],
    [/[(,] ?\w+\??: ?(string|number|boolean|unknown|any|void|readonly )/, 3],
    [/\): ?(Promise<|string|number|boolean|void)/, 2],
    [/\bas (const|unknown|string|number)\b/, 2],
    [/^import type /m, 3],
    [/\b(const|let) \w+ =/, 1],
    [/=>/, 1],
  ],
  javascript: [
    [/\b(const|let) (\w+|\{[^}\n]*\}|\[[^\]\n]*\]) =/, 2],
    [/\bfunction\s*\*?\s*\w*\([^)]*\) *\{/, 2],
    [/=> *[{(]?/, 1],
    [/^import .* from ["']/m, 2],
    [/\bexport (default|const|function|class) /, 2],
    [/\bconsole\.(log|error|warn)\(/, 2],
    [/\b(require\(["']|module\.exports|document\.|window\.|await )/, 2],
    [/===|!==/, 1],
  ],
  java: [
    [/^\s*(public|private|protected)( static)?( final)? (class|interface|enum|void|\w+(<[\w, ]+>)?) \w+/m, 3],
    [/\bpublic static void main\(String/, 4],
    [/\bSystem\.out\.print/, 3],
    [/^import (java|javax|org|com)\.[\w.]+(\.\*)?;/m, 4],
    [/^package [\w.]+;/m, 3],
    [/@Override\b/, 2],
  ],
  kotlin: [
    [/^\s*(override |private |suspend |inline )*fun (<\w+> )?[\w.]*\(.*\).*[{=]/m, 3],
    [/^\s*(val|var) \w+(: ?[\w<>?]+)? =/m, 2],
    [/\bdata class \w+\(/, 4],
    [/\bprintln\(/, 1],
    [/\bwhen ?\(.*\) ?\{/, 2],
  ],
  csharp: [
    [/^\s*using [A-Z][\w.]+;/m, 4],
    [/^\s*namespace [\w.]+/m, 3],
    [/\bConsole\.(Write|Read)/, 4],
    [/\{ ?get; ?(private |init|set)?/, 4],
    [/\bpublic (async )?(static )?(class|record|void|Task|string|int|bool)\b/, 2],
  ],
  c: [
    [/^\s*#include *<\w+\.h>/m, 4],
    [/\bint main\((void|int argc)/, 3],
    [/\b(printf|malloc|sizeof|free)\(/, 2],
    [/^\s*(static |const |unsigned )*(int|char|void|size_t|struct \w+) \*?\w+\(.*\) *\{?/m, 2],
    [/->\w+/, 1],
  ],
  cpp: [
    [/^\s*#include *<(iostream|vector|string|map|memory|algorithm|cstd\w+)>/m, 5],
    [/\bstd::\w+/, 4],
    [/\busing namespace std;/, 4],
    [/\btemplate ?<(typename|class) /, 4],
    [/\b(cout|cerr) ?<</, 3],
  ],
  go: [
    [/^package \w+\s*$/m, 4],
    [/^func (\(\w+ \*?\w+\) )?\w+\(.*\).*\{/m, 4],
    [/\w+ := /, 2],
    [/\bfmt\.\w+\(/, 3],
    [/\bif err != nil\b/, 4],
  ],
  rust: [
    [/^\s*(pub(\(\w+\))? )?(async )?fn \w+(<[^>]*>)?\(.*\)/m, 4],
    [/\blet mut \w+/, 4],
    [/^\s*use [\w:]+(::\{|;|::\w+;)/m, 3],
    [/\b(println|vec|format|panic)!\(?/, 3],
    [/^\s*impl(<.*>)? \w+/m, 3],
    [/&(mut |str\b|self\b)/, 2],
    [/#\[\w+(\(.*\))?\]/, 2],
  ],
  ruby: [
    [/^\s*def \w+[?!]?(\(.*\))?\s*$/m, 3],
    [/^\s*end\s*$/m, 2],
    [/\bdo \|\w+(, ?\w+)*\|/, 4],
    [/^\s*require ['"]/m, 2],
    [/\b(puts|attr_(reader|accessor)|elsif|unless) /, 2],
    [/^\s*(class|module) [A-Z]\w*( < [\w:]+)?\s*$/m, 2],
  ],
  php: [
    [/<\?php/, 6],
    [/\$\w+ ?= ?[^=]/, 1],
    [/\$this->\w+/, 4],
    [/\becho ["'$]/, 1],
    [/\bfunction \w+\([^)]*\$\w+/, 4],
  ],
  swift: [
    [/^\s*(import (UIKit|SwiftUI|Foundation)|@main)\s*$/m, 5],
    [/\bfunc \w+\(.*\) (throws )?-> \w+/, 4],
    [/\b(guard|if) let \w+/, 3],
    [/^\s*(let|var) \w+(: ?[\w[\]?]+)? = /m, 1],
  ],
  sql: [
    [
      /^\s*select\b[\s\S]{1,2000}?\bfrom\s+[\w."`]+\s*($|[;,)]|(where|join|inner|left|right|order|group|limit|as)\b)/im,
      4,
    ],
    [/^\s*(insert into|delete from|create (table|index|view|unique)|alter table|drop table)\b/im, 4],
    [/^\s*update \S+\s+set\b/im, 4],
    [/^\s*(group by|order by|(left|inner|right) join)\b/im, 2],
    [/^\s*with \w+ as \(/im, 3],
  ],
  shell: [
    [/^\s*(if|while|until) (\[\[?|!) /m, 3],
    [/^\s*(fi|done|esac)\s*$/m, 3],
    [/^\s*(export|alias|source) \w+/m, 2],
    [/\$\{?\w+\}?/, 0.5],
    [/^\s*\$ \w+/m, 2],
    [/^\s*(sudo|curl|git|npm|npx|docker|kubectl|apt(-get)?|cd|echo|grep|ssh|mkdir|chmod|ls|cat|tar|rm) /m, 2],
    [/ \| (grep|sed|awk|xargs|sort|jq|wc|head|tail)\b/, 3],
    [/ (&&|\\)\s*$/m, 1],
  ],
  powershell: [
    [/\b(Get|Set|New|Remove|Write|Invoke|Import|Start|Stop)-[A-Z]\w+/, 4],
    [/\$(env:|_\b|PSScriptRoot)/, 3],
    [/^\s*param ?\(/im, 2],
  ],
  html: [
    [/^\s*<!doctype html/i, 8],
    [/<(html|head|body|div|span|p|a|ul|li|table|form|input|section|h[1-6]|button|img|script|style)(\s[^<>]*)?>/i, 3],
    [/<\/(html|head|body|div|span|p|a|ul|li|table|form|section|h[1-6]|button|script|style)>/i, 2],
  ],
  xml: [
    [/^\s*<\?xml /, 8],
    [/<\/[\w-]+:[\w-]+>/, 4],
    [/^\s*<([\w-]+)(\s[^<>]*)?>[\s\S]*<\/\1>\s*$/, 2],
  ],
  css: [
    [/^\s*[.#]?[\w-]+([ .:>#,][^{}\n;]*)?\s*\{\s*(\n\s*)?[\w-]+: ?[^;{}\n]+;/m, 3],
    [/^\s*(@media|@import|@font-face|:root)\b/m, 3],
    [/\b(color|margin|padding|display|font-size|background|border): ?[^;\n]+;/, 2],
    [/\b\d+(px|rem|em|vh|vw)\b/, 1],
  ],
  scss: [
    [/^\s*\$[\w-]+: ?[^;\n]+;/m, 4],
    [/@(include|mixin|extend|use) /, 4],
    [/&:\w+|&\.\w+/, 3],
  ],
  yaml: [
    [/^---\s*$/m, 1],
    [/^[\w-]+: *(\S.*)?$(\n^( {2,}|- ).*$)+/m, 3],
    [/^[\w-]+: [^;{}]*$(\n[\w-]+: [^;{}]*$)+/m, 2],
    [/^\s*- [\w-]+: /m, 2],
    [/^(apiVersion|version|services|on|jobs|kind): ?/m, 2],
  ],
  toml: [
    [/^\[\[?[\w.-]+\]\]?\s*$/m, 2],
    [/^[\w-]+ = ("|\[|\d|true|false)/m, 2],
  ],
  ini: [
    [/^\[[\w .-]+\]\s*$/m, 1.5],
    [/^[\w.-]+=[^=\n]*$/m, 1],
    [/^;.*$/m, 1],
    [/^[A-Z][A-Z0-9_]+=.*$(\n^[A-Z][A-Z0-9_]+=.*$)+/m, 3],
  ],
  dockerfile: [
    [/^FROM [\w./:-]+( AS \w+)?\s*$/im, 3],
    [/^(RUN|COPY|WORKDIR|ENTRYPOINT|CMD|EXPOSE|ENV) \S/m, 2],
  ],
  nginx: [
    [/^\s*(server|location [^{]*|upstream \w+) \{/m, 3],
    [/^\s*(listen|server_name|proxy_pass|root) [^;]+;/m, 3],
  ],
  diff: [
    [/^diff --git /m, 6],
    [/^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/m, 6],
    [/^--- \S.*\n\+\+\+ \S/m, 4],
  ],
  markdown: [
    [/^#{1,6} \S/m, 2],
    [/^```/m, 2],
    [/\[[^\]\n]+\]\([^)\n]+\)/, 2],
    [/^\s*[-*] \S.*\n\s*[-*] \S/m, 1],
    [/\*\*[^*\n]+\*\*/, 2],
    [/^\|.*\|\s*\n\|[ :|-]+\|/m, 3],
  ],
  lua: [
    [/\blocal (function )?\w+/, 3],
    [/\bthen\s*$/m, 1],
    [/~=|\.\.\s/, 1],
    [/^\s*end\s*$/m, 1],
  ],
  perl: [
    [/^\s*use (strict|warnings);/m, 6],
    [/\bmy [$@%]\w+/, 4],
    [/\$\w+ =~ /, 3],
  ],
  r: [
    [/\w+ <- /, 2],
    [/\blibrary\(\w+\)/, 4],
    [/%>%|\bfunction\(.*\) \{/, 1],
  ],
  haskell: [
    [/^\w+ :: .+/m, 4],
    [/^module [A-Z][\w.]* /m, 2],
    [/^import (qualified )?[A-Z][\w.]+/m, 2],
  ],
  latex: [
    [/\\(documentclass|begin\{|usepackage)/, 5],
    [/\\(section|textbf|cite|frac)\{/, 3],
  ],
};

const interpreters: readonly (readonly [RegExp, string])[] = [
  [/python/, "python"],
  [/node|deno|bun/, "javascript"],
  [/ruby/, "ruby"],
  [/perl/, "perl"],
  [/php/, "php"],
  [/pwsh/, "powershell"],
  [/sh\b/, "shell"],
];

const isJson = (text: string): boolean => {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The rest of a long one is not read.
    return text.length >= readMax && /^\s*[{[]\s*(\{\s*)?"[^"\n]*"\s*[:,]/.test(text);
  }
};

/** The content type of the language that a text is probably written in; undefined where nothing speaks for one. */
export function guessLanguage(whole: string): string | undefined {
  const text = whole.slice(0, readMax);
  const [, interpreter] = /^#!(.*)$/m.exec(text.slice(0, 200)) ?? [];
  if (interpreter !== undefined) return interpreters.find(([pattern]) => pattern.test(interpreter))?.[1] ?? "shell";
  if (isJson(text)) return "json";
  const found = Object.entries(signs).map(([id, own]) => ({
    id,
    evidence: own.reduce((sum, [pattern, evidence]) => sum + (pattern.test(text) ? evidence : 0), 0),
  }));
  // Of equals the first one counts: the table begins with what is most common.
  const best = found.reduce((left, right) => (right.evidence > left.evidence ? right : left));
  return best.evidence >= evidenceMin ? best.id : undefined;
}

/** The language to show a text in: the one that its content type names, or for `code` the guessed one. */
export function languageOf(contentType: string, text: string): LanguageRow | undefined {
  if (contentType !== guessedType) return languageOfType(contentType);
  const guessed = guessLanguage(text);
  return guessed === undefined ? undefined : languageOfType(guessed);
}
