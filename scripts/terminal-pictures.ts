// The pictures of cpl for the README: real sessions in a pseudo-terminal, drawn by a terminal emulator in the browser.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Terminal } from "@xterm/xterm";
import type { Browser } from "playwright-core";
import { wrap } from "../cli/src/terminal/style.ts";
import { Commonplace } from "../sdk/src/index.ts";

export const terminalPictureNames = ["terminal", "editors", "agents"] as const;
type Name = (typeof terminalPictureNames)[number];

interface Window {
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
  /** What the program wrote, with its control sequences. */
  readonly output: string;
}

export interface Access {
  readonly url: string;
  readonly ca: string;
  readonly key: string;
  readonly readOnlyKey: string;
}

const root = join(import.meta.dir, "..");
const modules = join(root, "node_modules");
const themes = {
  light: {
    page: "#ffffff",
    frame: "#d9dbd4",
    title: "#5d6259",
    background: "#fafaf7",
    foreground: "#22261f",
    cursor: "#fafaf7",
    cyan: "#11707f",
    green: "#2f7d5d",
    yellow: "#8a6414",
    brightBlack: "#6c7168",
  },
  dark: {
    page: "#0d1117",
    frame: "#343b36",
    title: "#a3aaa3",
    background: "#161b18",
    foreground: "#e3e8e2",
    cursor: "#161b18",
    cyan: "#6cc6d4",
    green: "#7cc49f",
    yellow: "#d9b35c",
    brightBlack: "#8f978f",
  },
} as const;
const [down, interrupt] = ["\u001b[B", "\u0003"];
const waitMilliseconds = 30_000;
const pollMilliseconds = 20;
/** What is corrected while it is watched. */
const corrected = { title: "Connections by client", shortcut: "pgconn", folder: "SQL" };
const agentColumns = 104;
const font = { family: "DejaVu Sans Mono", size: 14 };

/** Takes the pictures in both themes. @param access of a key for all teams of the demo */
export async function takeTerminalPictures(
  browser: Browser,
  access: Access,
  names: readonly Name[],
  save: (name: string, picture: Uint8Array) => void,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "commonplace-terminal-"));
  try {
    const session = new Session(home, access);
    for (const name of names) {
      const windows = await record[name](session, access);
      for (const theme of ["light", "dark"] as const)
        save(`${name}-${theme}-wide.png`, await draw(browser, windows, themes[theme]));
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const record: Readonly<Record<Name, (session: Session, access: Access) => Promise<readonly Window[]>>> = {
  terminal: async (session) => {
    const size = { columns: 96, rows: 21 };
    const output = await session.run(size, async ({ type, press, waitFor }) => {
      type("cpl search order");
      await waitFor("Search:");
      for (let step = 0; step < 2; step += 1) press(down);
      await waitFor("3/");
    });
    return [{ title: "cpl search order", ...size, output }];
  },
  editors: async (session, access) => {
    const columns = 98;
    const output = await session.run({ columns, rows: 7 }, async ({ type, press, waitFor }) => {
      type("cpl sync vscode --team Platform --watch");
      await waitFor("Watching");
      await correct(access);
      await waitFor("Updated");
      press(interrupt);
    });
    const directory = join(session.home, ".config/Code/User/snippets");
    const [file = ""] = readdirSync(directory).filter((name) => name.includes(corrected.folder));
    const lines = readFileSync(join(directory, file), "utf8").split("\n");
    const first = lines.findIndex((line) => line.includes(`"${corrected.title}"`));
    const shown = lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
    return [
      { title: "Terminal", columns, rows: 7, output },
      { title: `~/.config/Code/User/snippets/${file}`, columns, rows: shown.length, output: shown.join("\r\n") },
    ];
  },
  agents: async (session) => {
    const lines = await session.ask();
    const size = { columns: agentColumns, rows: lines.length };
    return [{ title: "An agent with a read-only key", ...size, output: lines.join("\r\n") }];
  },
};

/** A colleague changes the text of a snippet. */
async function correct({ url, ca, key }: Access): Promise<void> {
  const client = new Commonplace({
    baseUrl: url,
    apiKey: key,
    fetch: (address, init) => fetch(address, { ...init, tls: { ca } }),
  });
  const { data } = await client.getShortcut({ shortcut: corrected.shortcut });
  const text = data.content.content.replace("group by 1, 2, 3", "group by application_name, client_addr, state");
  await client.putSnippet({ id: data.id, content: { type: data.content.type, content: text } });
}

interface Hand {
  readonly type: (command: string) => void;
  readonly press: (keys: string) => void;
  /** Resolves once these words were written. */
  readonly waitFor: (words: string) => Promise<void>;
}

/** A home directory and a key, with which cpl runs. */
class Session {
  readonly home: string;
  readonly #environment: Readonly<Record<string, string>>;

  readonly #readOnlyKey: string;

  constructor(directory: string, { url, ca, key, readOnlyKey }: Access) {
    this.home = directory;
    this.#readOnlyKey = readOnlyKey;
    const bin = join(directory, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "cpl"), `#!/bin/sh\nexec "${process.execPath}" "${join(root, "cli/src/main.ts")}" "$@"\n`, {
      mode: 0o755,
    });
    const caPath = join(directory, "ca.crt");
    writeFileSync(caPath, ca);
    this.#environment = {
      HOME: directory,
      PATH: `${bin}:${process.env.PATH}`,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      CPL_URL: url,
      CPL_KEY: key,
      CPL_CA: caPath,
    };
  }

  /** Types commands into a shell. @returns what the terminal showed, with another name for the home directory */
  async run({ columns, rows }: Pick<Window, "columns" | "rows">, work: (hand: Hand) => Promise<void>): Promise<string> {
    let output = "";
    const decoder = new TextDecoder();
    const shell = Bun.spawn(["bash", "--norc", "--noprofile"], {
      env: { ...this.#environment, PS1: "\\[\\e[32m\\]$\\[\\e[39m\\] " },
      terminal: {
        cols: columns,
        rows,
        data: (_terminal, bytes) => {
          output += decoder.decode(bytes, { stream: true });
        },
      },
    });
    const press = (keys: string) => void shell.terminal?.write(keys);
    const waitFor = async (words: string) => {
      for (let waited = 0; !output.includes(words); waited += pollMilliseconds) {
        if (waited > waitMilliseconds) throw new Error(`The terminal did not show "${words}":\n${output}`);
        await Bun.sleep(pollMilliseconds);
      }
    };
    try {
      await waitFor("$");
      await work({ type: (command) => press(`${command}\r`), press, waitFor });
      return output.replaceAll(this.home, "/home/ada");
    } finally {
      shell.kill("SIGKILL");
    }
  }

  /** An agent with the read-only key lists its tools and uses two of them. @returns lines with parts of what it received */
  async ask(): Promise<string[]> {
    const agent = new Client({ name: "pictures", version: "1" });
    const env = { ...this.#environment, CPL_KEY: this.#readOnlyKey };
    await agent.connect(new StdioClientTransport({ command: "cpl", args: ["mcp"], env }));
    const { tools } = await agent.listTools();
    const query = "damaged item";
    const found = await agent.callTool({ name: "search_snippets", arguments: { query } });
    const { total_count, snippets } = factsOf(found);
    const given = { shortcut: "rfp", placeholders: { name: "Ada", item: "the lamp", amount: "$20" } };
    const got = await agent.callTool({ name: "get_snippet", arguments: given });
    const { title, missing } = factsOf(got);
    await agent.close();
    return [
      asked("tools/list"),
      answered(tools.map(({ name }) => name).join(", ")),
      "",
      asked("search_snippets", { query }),
      answered(JSON.stringify({ total_count, snippets: snippets.map(({ shortcut, title }) => ({ shortcut, title })) })),
      "",
      asked("get_snippet", given),
      answered(JSON.stringify({ title, missing })),
      ...textOf(got)
        .trimEnd()
        .split("\n")
        .flatMap((line) => wrap(line, agentColumns - 2))
        .map((line) => `  ${line}`),
    ];
  }
}

const asked = (name: string, given?: unknown): string =>
  `\u001b[32m→ \u001b[1m${name}\u001b[22;39m ${given === undefined ? "" : JSON.stringify(given)}`;
const answered = (text: string): string => `\u001b[36m←\u001b[39m ${text}`;

interface Facts {
  readonly title: string;
  readonly missing: readonly string[];
  readonly total_count: number;
  readonly snippets: readonly { readonly shortcut: string; readonly title: string }[];
}

const factsOf = ({ content: [first] }: CallToolResult): Facts => JSON.parse(first?.type === "text" ? first.text : "{}");
const textOf = ({ content: [, second] }: CallToolResult): string =>
  second?.type === "resource" && "text" in second.resource ? second.resource.text : "";

/** Draws windows below each other. @returns a PNG */
async function draw(
  browser: Browser,
  windows: readonly Window[],
  colors: (typeof themes)[keyof typeof themes],
): Promise<Uint8Array> {
  const page = await browser.newPage({ viewport: { width: 1_600, height: 900 }, deviceScaleFactor: 2 });
  try {
    const face = readFileSync(join(modules, "dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf")).toString("base64");
    const bold = readFileSync(join(modules, "dejavu-fonts-ttf/ttf/DejaVuSansMono-Bold.ttf")).toString("base64");
    await page.setContent(`<style>
      @font-face { font-family: "${font.family}"; src: url(data:font/ttf;base64,${face}) }
      @font-face { font-family: "${font.family}"; font-weight: bold; src: url(data:font/ttf;base64,${bold}) }
      body { margin: 0; background: ${colors.page} }
      main { display: inline-flex; flex-direction: column; gap: 12px; padding: 2px }
      section { border: 1px solid ${colors.frame}; border-radius: 10px; overflow: hidden; background: ${colors.background} }
      h2 { margin: 0; padding: 8px 16px; border-bottom: 1px solid ${colors.frame}; color: ${colors.title}; font: 12px "${font.family}" }
      section > div { padding: 12px 16px }
      .xterm .scrollbar { display: none !important }
    </style><main></main>`);
    await page.addStyleTag({ path: join(modules, "@xterm/xterm/css/xterm.css") });
    await page.addScriptTag({ path: join(modules, "@xterm/xterm/lib/xterm.js") });
    await page.evaluate(
      async ({ windows, colors, font }) => {
        await Promise.all([
          document.fonts.load(`16px "${font.family}"`),
          document.fonts.load(`bold 16px "${font.family}"`),
        ]);
        const Emulator: typeof Terminal = Reflect.get(globalThis, "Terminal");
        for (const { title, columns, rows, output } of windows) {
          const heading = Object.assign(document.createElement("h2"), { textContent: title });
          const place = document.createElement("div");
          const section = document.createElement("section");
          section.append(heading, place);
          document.querySelector("main")?.append(section);
          const { background, foreground, cursor, cyan, green, yellow, brightBlack } = colors;
          const terminal = new Emulator({
            cols: columns,
            rows,
            fontFamily: font.family,
            fontSize: font.size,
            lineHeight: 1.25,
            theme: { brightGreen: green, background, foreground, cursor, cyan, green, yellow, brightBlack },
          });
          terminal.open(place);
          await new Promise<void>((done) => terminal.write(`${output}\u001b[?25l`, done));
        }
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      },
      { windows, colors, font },
    );
    return await page.locator("main").screenshot();
  } finally {
    await page.close();
  }
}
