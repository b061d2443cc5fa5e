// The formats of other tools: files made by hand after their documentation are recognized by what is in them, and read as listed here.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type FormatId, formatIds, writableFormatIds } from "../../src/library/formats/format-ids.ts";
import { formatNames } from "../../src/library/formats/format-names.ts";
import { formats, readFiles, writeFiles } from "../../src/library/formats/formats.ts";
import { unusedGroups } from "../../src/library/formats/paths-of-tree.ts";
import { countWarnings, type Tree, type Warning } from "../../src/library/formats/tree.ts";
import { writeZip } from "../../src/library/formats/zip.ts";
import { matchesIn, undefinedVariables } from "../support/espanso-files.ts";
import { fileOf, filesIn, shownAll } from "../support/tree-texts.ts";
import "../support/once.ts";

const fixtures = join(import.meta.dir, "../fixtures/formats");
/** One file, under a name that says nothing. */
const one = (name: string) => [fileOf("data", readFileSync(join(fixtures, name)))];
const named = (name: string) => [fileOf(name, readFileSync(join(fixtures, name)))];

const cases: Record<
  string,
  {
    files: () => { path: string; bytes: Uint8Array }[];
    format: FormatId;
    snippets: object[];
    problems?: string[];
    warnings?: string[];
  }
> = {
  Raycast: {
    files: () => one("raycast.json"),
    format: "raycast",
    snippets: [
      { title: "Signature", shortcut: "!sig", plaintext: "Best,\nAda {cursor}" },
      { title: "Date", plaintext: "{date}" },
    ],
    warnings: ["2 2 snippets contain Raycast placeholders, such as {cursor}. They are kept as plain text."],
  },
  "Text Blaze": {
    files: () => one("textblaze.json"),
    format: "textblaze",
    snippets: [
      { title: "Hello", shortcut: "/hi", plaintext: "Hello {formtext: name=who}", folder: "Support" },
      {
        title: "Thanks",
        shortcut: "/ty",
        plaintext: "Thank you",
        folder: "Support",
        further: [["HTML", "html", "<p><b>Thank you</b></p>"]],
      },
    ],
    warnings: [
      "7 1 snippet contains commands, such as {formtext: name=who}. They are kept as plain text.",
      "8 The formatted text is kept as a variation, in HTML.",
    ],
  },
  TextExpander: {
    files: () => named("textexpander.csv"),
    format: "textexpander",
    snippets: [
      { title: "Date today", shortcut: "ddate", plaintext: "%Y-%m-%d", folder: "textexpander" },
      { title: "ssig", shortcut: "ssig", plaintext: 'Best regards,\r\n"Ada"', folder: "textexpander" },
      { title: "Formatted", shortcut: "hh", html: "<p>Hello</p>", folder: "textexpander" },
    ],
    warnings: [
      "1 1 snippet contains TextExpander codes, such as %Y. They are kept as plain text.",
      "4 The text is formatted and is imported as HTML.",
    ],
  },
  Alfred: {
    files: () => [fileOf("Faces.zip", writeZip(filesIn(join(fixtures, "alfred"))))],
    format: "alfred",
    snippets: [{ title: "Shrug", shortcut: ";shrug&", plaintext: "¯\\_(ツ)_/¯", folder: "Faces" }],
    warnings: ["2 1 snippet has fields that are left out: dontautoexpand."],
  },
  JetBrains: {
    files: () => one("jetbrains.xml"),
    format: "jetbrains",
    snippets: [
      {
        title: "SDK: New link reference",
        shortcut: "{",
        code: "[$TEXT$]($LINK$)$END$",
        note: '```jetbrains\nhasTabStops: true\ntoShortenFQNames: "false"\nvariables:\n  - name: TEXT\n    expression: ""\n    defaultValue: ""\n    alwaysStopAt: "true"\n  - name: LINK\n    expression: complete()\n    defaultValue: ""\n    alwaysStopAt: "true"\ncontext:\n  MARKDOWN: "true"\n```',
        folder: "Markdown",
      },
      { title: "price", shortcut: "price", code: "costs $5\n<b>", folder: "Markdown" },
    ],
    problems: ['14 The template "own" has no text.'],
    warnings: [
      "2 1 snippet contains variables, such as $TEXT$. They are kept as plain text.",
      "2 1 snippet has settings that Commonplace has no field for (toShortenFQNames, variables, and context). These settings are kept in the note or, if they are too long for it, in a variation.",
    ],
  },
  UltiSnips: {
    files: () => named("python.snippets"),
    format: "ultisnips",
    snippets: [
      {
        title: "function",
        shortcut: "def",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a tab stop.
        python: "def ${1:name}($2):\n\t${0:pass}",
        note: '```ultisnips\nhasTabStops: true\noptions: b\npriority: "-50"\n```',
        folder: "python",
      },
      {
        title: "Two words",
        shortcut: "two words",
        python: "text with `!p snip.rv = 1`",
        note: '```ultisnips\nhasTabStops: true\npriority: "-50"\ncontext: \'"is_comment()"\'\n```',
        folder: "python",
      },
      {
        title: "plain",
        shortcut: "plain",
        python: "just text",
        note: '```ultisnips\npriority: "-50"\n```',
        folder: "python",
      },
    ],
    warnings: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a tab stop.
      "4 1 snippet contains tab stops or variables, such as ${1:name}. They are kept as plain text.",
      "10 1 snippet contains pieces of code, such as `!p snip.rv = 1`. They are kept as plain text.",
      "4 3 snippets have settings that Commonplace has no field for (options, priority, and context). These settings are kept in the note or, if they are too long for it, in a variation.",
      "undefined The comments in 1 file are left out.",
      "14 Code that runs before every snippet in the file is left out.",
    ],
  },
  SnipMate: {
    files: () => one("snipmate.snippets"),
    format: "snipmate",
    snippets: [
      {
        title: "A loop",
        shortcut: "for",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a tab stop.
        data: "for (${1:i} = 0; $1 < $2; $1++) {\n\n\t${0}\n}",
        note: '```snipmate\nhasTabStops: true\nversion: "1"\n```',
        folder: "data",
      },
      { title: "t", shortcut: "t", data: "text", folder: "data" },
    ],
    warnings: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a tab stop.
      "5 1 snippet contains tab stops or variables, such as ${1:i}. They are kept as plain text.",
      "undefined The comments in 1 file are left out.",
      '2 Snippets inherited from "html" are not included.',
    ],
  },
  ByteStash: {
    files: () => one("bytestash.json"),
    format: "bytestash",
    snippets: [
      {
        title: "Deploy",
        bash: "docker build .",
        note: "Both steps",
        tags: ["ops", "docker"],
        further: [["run.sh", "bash", "docker run x"]],
      },
    ],
  },
  Snipo: {
    files: () => one("snipo.json"),
    format: "snipo",
    snippets: [{ title: "Count", sql: "select count(*) from t", note: "Rows", folder: "SQL/Reports", tags: ["db"] }],
    warnings: [
      "5 1 snippet gets the time of the import as its creation date.",
      '5 "Count" is a favorite; that mark is not imported.',
    ],
  },
  "GitHub gists": {
    files: () => one("gists.json"),
    format: "gists",
    snippets: [
      {
        title: "Hello World Examples",
        ruby: "puts 'Hi'\n",
        note: "https://gist.github.com/aa5a315d61ae9438b18d",
        further: [["notes.md", "markdown", "# Hi\n"]],
      },
    ],
    problems: ['17 "listed.txt" has no text, because GitHub omits it from lists of gists. Save the gist itself.'],
    warnings: ["2 1 snippet gets the time of the import as its creation date."],
  },
  "massCode database": {
    files: () => one("masscode-db.json"),
    format: "masscode",
    snippets: [
      {
        title: "Center",
        css: "place-items: center;",
        note: "Both axes",
        folder: "Web/CSS",
        tags: ["layout"],
        further: [["Old", "plaintext", "margin: auto"]],
      },
    ],
    warnings: [
      "8 1 snippet gets the time of the import as its creation date.",
      '13 "Gone" is in massCode\'s trash, which is not imported.',
    ],
  },
  "massCode vault": {
    files: () => filesIn(join(fixtures, "masscode-vault")),
    format: "masscode",
    snippets: [
      {
        title: "Top: ten",
        sql: "select 1 -- ```",
        note: "The largest",
        folder: "Work/SQL",
        further: [["Shell", "shell-script", "psql -c top\n"]],
      },
    ],
    warnings: ["undefined 1 snippet gets the time of the import as its creation date."],
  },
  Markdown: {
    files: () => [fileOf("x", writeZip(filesIn(join(fixtures, "markdown"))))],
    format: "markdown",
    snippets: [
      {
        title: "Hello",
        shortcut: ";hi",
        plaintext: "Hello {{name}},\n",
        note: "For new customers",
        folder: "Mail",
        tags: ["mail", "greeting"],
        further: [["German", "plaintext", "Hallo {{name}},"]],
      },
      { title: "Readme", markdown: "# Read me\r\nNo fields here\r\n" },
    ],
  },
};

for (const [name, { files, format, snippets, problems = [], warnings = [] }] of Object.entries(cases))
  test(`a file of ${name} is recognized by its content, and nothing of it is lost silently`, () => {
    const read = readFiles(files());
    expect(read.format).toBe(format);
    expect(shownAll(read.tree)).toEqual(snippets);
    const shown = (notes: readonly Warning[]) => notes.map(({ place, message }) => `${place?.line} ${message}`);
    expect([shown(read.problems), shown(read.warnings)]).toEqual([problems, warnings]);
  });

const notesOf = ({ problems, warnings }: ReturnType<typeof readFiles>) =>
  [...problems, ...warnings].map(({ place, message }) => `${place?.file}:${place?.line} ${message}`);

test("what Espanso does with a match, and we do not, is named with its place, and what many have in common, once", () => {
  const file = `global_vars:
  - { name: who, type: echo, params: { echo: Ada } }
  - { name: unused, type: date }
imports: [other.yml]
matches:
  # The greetings
  - trigger: ":ip"
    replace: "{{ ip }} of {{who}}"
    vars: [{ name: ip, type: shell, params: { cmd: curl } }, { name: never, type: random }]
  - regex: ":add(?P<n>\\\\d+)"
    replace: "{{n}} $|$"
  - { triggers: [a, b], form: "Dear [[name]], {{other}}" }
  - { trigger: ":cat", image_path: cat.png }
  - { trigger: ":plain", replace: "Plain $|$" }
`;
  expect(notesOf(readFiles([fileOf("base.yml", file)]))).toEqual([
    "base.yml:10 2 snippets contain cursor markers, such as $|$. They are kept as plain text.",
    "base.yml:undefined The comments in 1 file are left out.",
    "base.yml:7 4 snippets have settings that Commonplace has no field for (vars, regex, and triggers). These settings are kept in the note or, if they are too long for it, in a variation.",
    'base.yml:4 The file\'s "imports" setting is left out.',
    'base.yml:7 The global variable "who" is copied into the snippet.',
    'base.yml:7 ":ip": Espanso fills in {{ip}} (shell) and {{who}} (echo). Here, these are placeholders: you are asked for their values when you copy the text.',
    'base.yml:10 "{{n}} $|$": Espanso fills in {{n}} (regex). Here, it is a placeholder: you are asked for its value when you copy the text. It has no shortcut, because its trigger is a regular expression.',
    'base.yml:12 "a": The form fields are kept as plain text: [[name]].',
    'base.yml:13 ":cat": The image is not imported, only its path.',
    'base.yml:3 The global variable "unused" is left out, because no match in the file uses it.',
  ]);
});

const snippetOf = (
  content: string,
  fields: { note?: string; shortcut?: string | null } = {},
): Tree["snippets"][number] => ({
  ...{ title: "T", note: null, shortcut: ":t", folder: null, tags: [], isArchived: false },
  ...{ createdAt: null, updatedAt: null, ...fields },
  variations: [{ name: "Default", type: "plaintext", content, changedAt: null, formerVersions: [] }],
});
const espansoOf = (...snippets: Tree["snippets"]) => writeFiles({ folders: [], tags: [], snippets }, "espanso");

test("a match for Espanso asks for our placeholders in a form, which an import takes for placeholders again", () => {
  const texts = [
    "Dear {{ name }}, {{first name}} {{name}} {{user.name}} {{first_name}}",
    "{{< figure >}} {{#if a}} {name} {{{a}}}",
  ];
  const { files, warnings } = espansoOf(...texts.map((text) => snippetOf(text)));
  expect(warnings).toEqual([]);
  expect(matchesIn(files)[0]).toEqual({
    trigger: ":t",
    label: "T",
    replace:
      "Dear {{ commonplace.name }}, {{commonplace.first_name}} {{commonplace.name}} {{commonplace.user_name}} {{commonplace.first_name_2}}",
    vars: [
      {
        ...{ name: "commonplace", type: "form" },
        params: {
          layout: "name: [[name]]\nfirst name: [[first_name]]\nuser.name: [[user_name]]\nfirst_name: [[first_name_2]]",
        },
      },
    ],
  });
  expect(undefinedVariables(files)).toEqual([]);
  const again = readFiles(files);
  expect(again.warnings).toEqual([]);
  expect(again.tree.snippets.map(({ note, variations }) => [note, variations[0]?.content])).toEqual(
    texts.map((text) => [null, text]),
  );
  // Braces that mean nothing to us would be a variable to Espanso.
  expect(matchesIn(espansoOf(snippetOf("{{\nname\n}}")).files)[0]?.replace).toBe("\\{\\{\nname\n\\}\\}");
});

test("a match for Espanso gets back its own settings, but no command, and nothing that Espanso would not understand", () => {
  const vars = `vars:
  - { name: today, type: date, params: { format: "%x" } }
  - { name: out, type: shell, params: { cmd: touch evil } }
  - { name: py, type: script, params: { args: [evil] } }
  - { name: later, type: new_type }
  - { name: shown, type: echo, params: { echo: ["{{today}}", "{{out}}"] }, depends_on: [today, out] }
  - { name: today, type: echo, params: { echo: "{{n}}" } }
  - { name: broken, type: echo, params: evil }`;
  const note = (data: string) => `\`\`\`espanso\n${data}\n\`\`\``;
  const text = "{{today}} {{out}} {{shown}} {{n}} {{form.x}}";
  const regex = 'regex: ":(?P<n>.)"';
  const { files, warnings } = espansoOf(
    snippetOf(text, { shortcut: null, note: note(`${regex}\nword: "yes"\npropagate_case: true\ncmd: evil\n${vars}`) }),
    snippetOf("{{n}}", {
      note: note(`${regex}\nvars:\nword: null\ntriggers: [":t", ":u"]\nreplace: evil\nlabel: evil`),
    }),
    snippetOf("Dear [[x]], {{who}} {{today}}", {
      note: note(`kind: form\nform_fields: { x: { multiline: true } }\n${vars}`),
    }),
    snippetOf("Dear [[x]], {{who}}", { note: note("kind: form") }),
    snippetOf("cat.png", { note: note("kind: image_path") }),
  );
  const matches = matchesIn(files);
  expect(undefinedVariables(files)).toEqual([]);
  expect(JSON.stringify(matches)).not.toMatch(/evil|shell|script|new_type|"yes"/);
  const form = (layout: string, name = "commonplace") => ({ name, type: "form", params: { layout } });
  const shown = { name: "shown", type: "echo", depends_on: [] };
  expect(matches).toEqual([
    {
      ...{ label: "T", regex: ":(?P<n>.)", propagate_case: true },
      replace: "{{today}} {{commonplace.out}} {{shown}} {{n}} {{commonplace.form_x}}",
      vars: [
        form("today: [[today]]\nout: [[out]]\nform.x: [[form_x]]"),
        { ...shown, params: { echo: ["{{commonplace.today}}", "{{commonplace.out}}"] } },
        { name: "today", type: "echo", params: { echo: "{{n}}" } },
      ],
    },
    {
      ...{ triggers: [":t", ":u"], label: "T", regex: ":(?P<n>.)" },
      ...{ replace: "{{commonplace.n}}", vars: [form("n: [[n]]")] },
    },
    {
      ...{ trigger: ":t", label: "T", replace: "Dear {{form1.x}}, {{form1.who}} {{today}}" },
      vars: [
        form("today: [[today]]\nout: [[out]]\nn: [[n]]"),
        { ...shown, params: { echo: ["{{commonplace.today}}", "{{commonplace.out}}"] } },
        { name: "today", type: "echo", params: { echo: "{{commonplace.n}}" } },
        {
          ...{ name: "form1", type: "form" },
          params: { layout: "Dear [[x]], [[who]] {{today}}", fields: { x: { multiline: true } } },
        },
      ],
    },
    { trigger: ":t", label: "T", form: "Dear [[x]], [[who]]" },
    { trigger: ":t", label: "T", image_path: "cat.png" },
  ]);
  expect(warnings.map(({ message }) => message)).toEqual([
    'Variables that could run a command are left out: {{out}} of "T", {{py}} of "T", {{later}} of "T", {{out}} of "T", {{py}} of "T", and {{later}} of "T". Espanso asks for their values. Comments in the files list all of them.',
    'Settings in notes that Espanso would not understand are left out: word of "T", cmd of "T", vars of "T", replace of "T", label of "T", and vars of "T". Comments in the files list all of them.',
  ]);
  expect(new TextDecoder().decode(files[0]?.bytes)).toStartWith(
    '# Left out of "T": {{out}}, {{py}}, {{later}}, word, cmd, vars\n# Left out of "T": replace, label\n',
  );
  // Lists of snippets, which cpl sync reads, have no further variations.
  const long = `matches:\n- { trigger: a, replace: "{{b}}", word: true, vars: [{ name: b, type: echo, params: { echo: ${"x".repeat(5_000)} } }] }`;
  const [read] = readFiles([fileOf("a.yml", long)]).tree.snippets;
  if (!read) throw new Error("no snippet");
  const whole = espansoOf({ ...read, folder: null });
  expect(matchesIn(whole.files)[0]).toMatchObject({
    replace: "{{b}}",
    word: true,
    vars: [{ name: "b", type: "echo" }],
  });
  expect(whole.warnings).toEqual([]);
  const listed = espansoOf({ ...read, folder: null, variations: read.variations.slice(0, 1) });
  expect(undefinedVariables(listed.files)).toEqual([]);
  expect(listed.warnings.map(({ message }) => message)).toEqual([
    'The settings of "a" are left out, because they were too long for the note and are stored in a variation. Comments in the files list all of them.',
  ]);
  const deep = `${"[".repeat(2_000)}${"]".repeat(2_000)}`;
  const nested = snippetOf("x", { note: note(`vars: [{ name: a, type: echo, params: { echo: ${deep} } }]`) });
  expect(matchesIn(espansoOf(nested).files)).toEqual([{ trigger: ":t", label: "T", replace: "x" }]);
});

test("what else files have that a snippet does not is named: tab stops, escapes, comments, fields, columns, cells, and files", () => {
  const notes = (name: string, text: string) => notesOf(readFiles([fileOf(name, text)]));
  const mustache = "{{ name }}";
  expect(
    notes(
      "go.json",
      `{ // Go\n"a": { "body": "x" },\n"b": { "body": ["\\\\$5", "\${1:x} ${mustache}"] },\n"c": { "body": "$TM_FILENAME" } }`,
    ),
  ).toEqual([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a tab stop.
    "go.json:3 2 snippets contain tab stops or variables, such as ${1:x}. They are kept as plain text.",
    "go.json:3 1 snippet contains escapes, such as \\$. They are kept as plain text.",
    "go.json:3 1 snippet contains placeholders, such as {{name}}. You are asked for their values when you copy the text.",
    "go.json:undefined The comments in 1 file are left out.",
  ]);
  // What is an escape in one tool is a text in another.
  expect(notes("a.txt", "\\$5 and $HOME")).toEqual([]);
  expect(notes("r.json", '[{"name":"a","text":"b","isPinned":true,"id":"1","tags":[]}]')).toEqual([
    "r.json:1 1 snippet has fields that are left out: isPinned.",
  ]);
  expect(notes("t.csv", "title,content,\na,b,c,d\n")).toEqual([
    "t.csv:1 The column 3 is left out.",
    "t.csv:2 More cells than columns. These are left out: d",
  ]);
  expect(notes("t.csv", "title,content,type\na,b,Visual/Basic+?\n")).toEqual([
    't.csv:2 1 snippet gets the content type "code", because this language name cannot be used as a content type: Visual/Basic+?.',
  ]);
  expect(notes("m.md", "---\ntitle: [a]\ntype: meeting\nvariation-of: gone.md # was\n---\n\ntext\n")).toEqual([
    "m.md:undefined The comments in 1 file are left out.",
    'm.md:undefined The field "title" is left out.',
    'm.md:undefined The field "type" is left out.',
    'm.md:undefined "gone.md" is missing, so this text is imported as a separate snippet, not as a variation.',
  ]);
  // What another tool may have written is not taken for a text silently.
  const unrecognized = (file: string) =>
    `The file looks like ${file}, but its format is not recognized. It becomes one snippet containing the whole file.`;
  expect(notes("a", "{}")).toEqual([`a:undefined ${unrecognized("JSON")}`]);
  expect(notes("a", "<?xml version='1.0'?><a/>")).toEqual([`a:undefined ${unrecognized("XML")}`]);
  expect(notes("a", "# b\n\nc:\n  d: 1\n")).toEqual([`a:undefined ${unrecognized("YAML")}`]);
  const several = [fileOf("a.yml", "b"), fileOf("c.yaml", "d"), fileOf("e.xml", "<!ENTITY f 'g'>")];
  expect(notesOf(readFiles(several))).toEqual([
    "e.xml:1 XML files that declare entities are not supported.",
    "a.yml:undefined 2 files look like YAML, but their format is not recognized. Each file becomes one snippet containing the whole file.",
  ]);
  expect(notesOf(readFiles(several, { format: "text" }))).toEqual([]);
  for (const text of ["// a\nb", "/* a */ b {}", "[a]\nb=c", "<!DOCTYPE html>\n<p>", "a: b\nc", "-- a\nb:\nc"])
    expect(notes("a", text)).toEqual([]);
  const withType = '<!DOCTYPE templateSet SYSTEM "a.dtd">\n<templateSet><template name="b" value="c"/></templateSet>';
  expect(readFiles([fileOf("a", withType)]).format).toBe("jetbrains");
  // An ending that is not a content type stays in the title.
  const titles = readFiles([fileOf("a/x.zig", "1"), fileOf("a/y.py", "2")]).tree.snippets.map(({ title }) => title);
  expect(titles).toEqual(["x.zig", "y"]);
});

test("the last text of a YAML file without a line break at its end has none either, as Espanso and YAML 1.2 read it", () => {
  const textOf = (yaml: string) =>
    readFiles([fileOf("a.yml", `matches:\n- replace: ${yaml}`)]).tree.snippets[0]?.variations[0]?.content;
  const read = ["|\n    a\n    b", ">+\n    a", "|\n    a\n", "|\n    a\n    ", "|\n    a\n# end", "|+\n    a\n\n"].map(
    textOf,
  );
  expect(read).toEqual(["a\nb", "a", "a\n", "a\n", "a\n", "a\n\n"]);
});

test("a number is read as it is written, where it is a text", () => {
  const yaml = `matches:\n- { trigger: 007, replace: 10.00, label: 0x1F, form_fields: { a: 1.50 } }\n`;
  const prices = readFiles([fileOf("prices.yml", yaml)]);
  expect(shownAll(prices.tree)).toMatchObject([{ title: "0x1F", shortcut: "007", plaintext: "10.00" }]);
  expect(shownAll(readFiles(writeFiles(prices.tree, "espanso").files).tree)).toEqual(shownAll(prices.tree));
  const file = "---\ntitle: 1.10\nshortcut: 007\ntags: [2.0, 3]\n---\n\nx\n";
  expect(shownAll(readFiles([fileOf("a.md", file)]).tree)).toMatchObject([
    { title: "1.10", shortcut: "007", tags: ["2.0", "3"] },
  ]);
});

test("of very many problems, the first are listed, and all are counted", () => {
  const { problems } = readFiles([fileOf("a.json", `[{"name":"a","text":"b"}${',{"name":"c"}'.repeat(10_005)}]`)]);
  expect([problems.length, countWarnings(problems), problems.at(-1)?.message]).toEqual([
    ...[10_001, 10_005, "5 more problems are not shown."],
  ]);
});

test("a table with chosen columns, in any order and with any separator, is read as chosen", () => {
  const file = fileOf("list.txt", 'what;said;who\r\n"a;b";"two\r\nlines";Ada\r\nc;d;Bob\r\n');
  const read = readFiles([file], { columns: { title: "who", content: "said", shortcut: "1" } });
  expect(shownAll(read.tree)).toEqual([
    { title: "Ada", shortcut: "a;b", plaintext: "two\r\nlines" },
    { title: "Bob", shortcut: "c", plaintext: "d" },
  ]);
  expect(read.places).toEqual([
    { file: "list.txt", line: 2 },
    { file: "list.txt", line: 4 },
  ]);
  expect(() => readFiles([file], { columns: { content: "4" } })).toThrow('The table has no column "4".');
});

for (const id of ["jetbrains", "ultisnips", "alfred", "textblaze", "raycast"] as const)
  test(`what ${id} writes, it reads as it was`, () => {
    const source = Object.values(cases).find(({ format }) => format === id);
    const before = readFiles(source?.files() ?? []);
    const written = writeFiles(before.tree, id).files;
    const after = readFiles(written);
    const texts = ({ tree }: typeof before) =>
      tree.snippets.map(({ title, shortcut, note, variations: [first] }) => [title, shortcut, note, first?.content]);
    expect(texts(after)).toEqual(texts(before));
  });

test("no file or folder of an export has a name that a shell would take for an option, or that is hidden", () => {
  const names = ["-rf", "--help", ".hidden", ". -x", "- - y", "-", "ok -f"];
  const rows = names.flatMap((name) => names.map((folder) => `${name},text,${folder} / ${name}`));
  const { tree } = readFiles([fileOf("t.csv", `title,content,folder\n${rows.join("\n")}\n`)]);
  for (const id of writableFormatIds) {
    const parts = writeFiles(tree, id).files.flatMap(({ path }) => path.split("/"));
    expect(parts.filter((part) => /^[-. ]/.test(part))).toEqual([]);
  }
});

test("an export to another tool says how many folders and tags it leaves out, because they have no snippets", () => {
  const { tree } = readFiles([fileOf("t.csv", "title,content,folder,tags\na,b,One / Two,x\n")]);
  const empty = { name: "Empty", color: null, createdAt: null, updatedAt: null };
  const folders = [...tree.folders, { ...empty, key: "e", parent: null }, { ...empty, key: "f", parent: "e" }];
  expect([tree, { ...tree, folders }, { ...tree, snippets: [] }].map(unusedGroups)).toEqual([
    [],
    [{ message: "Left out because no snippets use them: 2 folders." }],
    [{ message: "Left out because no snippets use them: 2 folders and 1 tag." }],
  ]);
});

test("the formats that an export can have are those that write files, and each has one name", () => {
  expect(Object.entries(formats).map(([id, { name }]) => [id, name])).toEqual(
    formatIds.map((id) => [id, formatNames[id]]),
  );
  expect<readonly string[]>(writableFormatIds).toEqual(formatIds.filter((id) => "write" in formats[id]));
});

test("the beginning of a table says what each column is read as, also where it has no headings, or none that mean something", () => {
  const tableOf = (name: string, text: string) => readFiles([fileOf(name, text)]).table;
  const wide = Array.from({ length: 60 }, (_, index) => `c${index}`).join("\t");
  expect(tableOf("a.csv", `Label;Text\n${"Hello;😀".repeat(1)}${"😀".repeat(200)}\n\n3;b\n4;b\n5;b\n6;b`)).toEqual({
    rows: [
      ["Label", "Text"],
      ["Hello", "😀".repeat(100)],
      ["3", "b"],
      ["4", "b"],
      ["5", "b"],
    ],
    ...{ fields: ["title", "content"], hasHeadings: true },
  });
  expect(tableOf("mine.txt", "!a,First\n!b,Second,B")).toEqual({
    rows: [
      ["!a", "First", ""],
      ["!b", "Second", "B"],
    ],
    ...{ fields: ["shortcut", "content", "title"], hasHeadings: false },
  });
  const unknown = tableOf("wide.tsv", `${wide}\n1`);
  expect([unknown?.fields, unknown?.hasHeadings, unknown?.rows[1]?.length]).toEqual([Array(50).fill(null), true, 50]);
  expect([tableOf("a.txt", "Dear all,\nhello, you"), tableOf("a.md", "a,b")]).toEqual([undefined, undefined]);
});
