// The snippet plugins of Vim as readers of files for them: they read a file, and expand its snippets in a buffer.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OutputFile } from "../../src/library/formats/tree.ts";
import { temporaryDirectory } from "./service.ts";

const plugins = {
  ultisnips: {
    directories: ["/usr/share/vim-ultisnips"],
    snippets: "UltiSnips",
    expand: String.raw`\\<C-R>=UltiSnips#ExpandSnippet()\\<CR>`,
  },
  snipmate: {
    directories: ["/usr/share/vim-tlib", "/usr/share/vim-addon-mw-utils", "/usr/share/vim-snipmate"],
    snippets: "snippets",
    expand: String.raw`\\<C-R>=snipMate#TriggerSnippet()\\<CR>`,
  },
} as const;
type Plugin = keyof typeof plugins;

/** What a plugin made of files. */
export interface Expanded {
  /** What is in the buffer after each trigger. */
  readonly texts: readonly string[];
  /** For UltiSnips: what its own reader found in the files. */
  readonly definitions: readonly Definition[];
}

export interface Definition {
  readonly trigger: string;
  readonly description: string;
  readonly text: string;
  /** Python that it would run, besides code in the text. */
  readonly code: readonly string[];
}

/** Whether the tests that need a plugin must be skipped, which it says. */
export function isMissing(plugin: Plugin): boolean {
  const isThere = plugins[plugin].directories.every((path) => existsSync(path)) && Bun.which("vim") !== null;
  if (isThere && Bun.spawnSync(["vim", "--version"]).stdout.includes("+python3")) return false;
  console.warn(`Tests are skipped: there is no Vim with Python and ${plugin}`);
  return true;
}

/**
 * Expands each trigger in an empty buffer.
 * @param files whose snippets are for every type of file
 */
export function expandInVim(plugin: Plugin, files: readonly OutputFile[], triggers: readonly string[]): Expanded {
  const { directories, snippets, expand } = plugins[plugin];
  const home = temporaryDirectory();
  const [input, output, script] = ["triggers.json", "output.json", "run.vim"].map((name) => join(home, name));
  if (!input || !output || !script) throw new Error("there are three files");
  mkdirSync(join(home, snippets));
  const paths = files.map(({ path, bytes }) => {
    const file = join(home, snippets, path);
    writeFileSync(file, bytes);
    return file;
  });
  writeFileSync(input, JSON.stringify({ triggers, paths }));
  writeFileSync(script, scriptFor(plugin, { home, directories, expand, input, output }));
  const { exitCode, stdout } = Bun.spawnSync(["vim", "-Nu", script, "-i", "NONE", "-n", "--not-a-term", "-T", "dumb"], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8" },
    stdin: "ignore",
    stderr: "ignore",
  });
  if (exitCode !== 0 || !existsSync(output))
    throw new Error(`Vim ended with ${exitCode}: ${String(stdout).slice(-1_000)}`);
  return JSON.parse(readFileSync(output, "utf8"));
}

interface Script {
  readonly home: string;
  readonly directories: readonly string[];
  readonly expand: string;
  readonly input: string;
  readonly output: string;
}

/** Reads what is in the buffer through Python, since Vim's own functions cannot tell a NUL from a line end. */
const scriptFor = (plugin: Plugin, { home, directories, expand, input, output }: Script): string => `
set nocompatible noswapfile noexpandtab tabstop=8 shiftwidth=8 softtabstop=0 encoding=utf-8 hidden
set runtimepath=${[home, ...directories, "$VIMRUNTIME", ...directories.map((path) => `${path}/after`)].join(",")}
let g:UltiSnipsSnippetDirectories = ["UltiSnips"]
let g:UltiSnipsEnableSnipMate = 0
let g:snipMate = {"snippet_version": 1, "no_match_completion_feedkeys_chars": ""}
filetype plugin on
function! s:run()
  py3 << END
import json, vim
given = json.load(open("${input}", encoding="utf-8"))
definitions = []
if "${plugin}" == "ultisnips":
    from UltiSnips.snippet.source.file.ulti_snips import _parse_snippets_file
    for path in given["paths"]:
        for event, data in _parse_snippets_file(open(path, encoding="utf-8").read(), path):
            found = data[0] if event == "snippet" else None
            definitions.append({"trigger": str(data), "description": event, "text": "", "code": []} if found is None else {
                "trigger": found._trigger,
                "description": found._description.strip('"'),
                "text": found._value,
                "code": ([found._context_code] if found._context_code else []) + list(found._actions.values())
                    + [line for lines in found._globals.values() for line in lines],
            })
texts = []
for trigger in given["triggers"]:
    vim.current.buffer[:] = [trigger]
    vim.command('silent call feedkeys("A${expand}\\\\<Esc>", "tx")')
    texts.append("\\n".join(vim.current.buffer[:]))
json.dump({"texts": texts, "definitions": definitions}, open("${output}", "w"))
END
endfunction
autocmd VimEnter * ++nested try | call s:run() | catch | call writefile([v:exception, v:throwpoint], "/dev/stdout") | cquit | endtry | qall!
`;
