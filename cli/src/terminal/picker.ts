// A list to choose a snippet from, with a preview, on the terminal's other screen.
import type { FoundSnippet } from "../../../sdk/src/index.ts";
import { inert } from "../../../src/contract/printable.ts";
import { fold } from "../../../src/library/search/folding.ts";
import { keys } from "./ask.ts";
import { bold, cyan, dim, fit, inverse, oneLine, pad, widthOf, wrap } from "./style.ts";

export interface Choice {
  readonly snippet: FoundSnippet;
  readonly isCopied: boolean;
}

const otherScreen = "\u001b[?1049h\u001b[?25l";
const ownScreen = "\u001b[?25h\u001b[?1049l";
const clear = "\u001b[H\u001b[2J";
const [up, down, pageUp, pageDown] = ["\u001b[A", "\u001b[B", "\u001b[5~", "\u001b[6~"];
const [enter, escapeKey, interrupt, copyKey, erase] = ["\r", "\u001b", "\u0003", "\u0019", "\u007f"];
/** The list takes this part of the screen, the preview the rest. */
const listShare = 0.4;
const shortcutColumnsMax = 24;
export const teamColumnsMax = 20;

interface View {
  /** Typed to narrow the list down. */
  readonly filter: string;
  readonly selected: number;
}

/** By ID; empty if the teams are not shown. */
type TeamNames = ReadonlyMap<string, string>;

/** @returns undefined if the person canceled */
export async function pick(all: readonly FoundSnippet[], teamNames: TeamNames): Promise<Choice | undefined> {
  let view: View = { filter: "", selected: 0 };
  const found = () => matching(all, view.filter, teamNames);
  const draw = () => process.stdout.write(clear + screen(view, found(), teamNames));
  process.stdout.write(otherScreen);
  process.stdout.on("resize", draw);
  try {
    for await (const key of keys(draw)) {
      if (key === escapeKey || key === interrupt) return undefined;
      const snippet = found()[view.selected];
      if (snippet && (key === enter || key === copyKey)) return { snippet, isCopied: key === copyKey };
      view = afterKey(view, key, found().length);
      draw();
    }
    return undefined;
  } finally {
    process.stdout.off("resize", draw);
    process.stdout.write(ownScreen);
  }
}

function afterKey(view: View, key: string, count: number): View {
  const steps = new Map([
    [up, -1],
    [down, 1],
    [pageUp, -listRows()],
    [pageDown, listRows()],
  ]);
  const step = steps.get(key);
  if (step !== undefined) {
    return { ...view, selected: Math.max(0, Math.min(count - 1, view.selected + step)) };
  }
  if (key === erase || key === "\b") return { filter: view.filter.slice(0, -1), selected: 0 };
  return key >= " " && key.length <= 2 ? { filter: view.filter + key, selected: 0 } : view;
}

function matching(all: readonly FoundSnippet[], filter: string, teamNames: TeamNames): readonly FoundSnippet[] {
  const words = fold(filter).folded.split(" ").filter(Boolean);
  if (words.length === 0) return all;
  return all.filter(({ title, shortcut, team_id }) => {
    const { folded } = fold(`${shortcut ?? ""} ${teamNames.get(team_id) ?? ""} ${title}`);
    return words.every((word) => folded.includes(word));
  });
}

const rows = (): number => process.stdout.rows || 24;
const columns = (): number => process.stdout.columns || 80;
const listRows = (): number => Math.max(1, Math.floor(rows() * listShare) - 1);

/** The line with the filter, the part of the list around the selection, and the selected text. */
function screen({ filter, selected }: View, found: readonly FoundSnippet[], teamNames: TeamNames): string {
  const height = listRows();
  const first = Math.max(0, Math.min(selected - Math.floor(height / 2), found.length - height));
  const teamOf = ({ team_id }: FoundSnippet) => oneLine(teamNames.get(team_id) ?? "");
  const width = Math.min(shortcutColumnsMax, Math.max(0, ...found.map(({ shortcut }) => shortcut?.length ?? 0)));
  const teamWidth = Math.min(teamColumnsMax, Math.max(0, ...found.map((snippet) => widthOf(teamOf(snippet)))));
  const lines = found.slice(first, first + height).map((snippet, index) => {
    const shortcut = `${pad(fit(oneLine(snippet.shortcut ?? ""), width), width)}  `;
    const team = teamWidth > 0 ? `${pad(fit(teamOf(snippet), teamWidth), teamWidth)}  ` : "";
    const line = fit(shortcut + team + oneLine(snippet.title), columns() - 2);
    return first + index === selected ? inverse(`> ${pad(line, columns() - 2)}`) : `  ${line}`;
  });
  const count = `${found.length === 0 ? 0 : selected + 1}/${found.length}`;
  const help = "Enter prints, Ctrl+Y copies, Esc cancels";
  const head = `${bold("Search:")} ${oneLine(filter)}${cyan("▏")} ${dim(fit(`${count}  ${help}`, columns() - filter.length - 12))}`;
  const rest = rows() - height - 3;
  const preview = inert(found[selected]?.content.content ?? "")
    .split("\n", rest)
    .flatMap((line) => wrap(line.replaceAll("\t", "    "), columns()))
    .slice(0, rest);
  const blank = Array.from({ length: height - lines.length }, () => "");
  return [head, ...lines, ...blank, dim("─".repeat(columns())), ...preview].join("\r\n");
}
