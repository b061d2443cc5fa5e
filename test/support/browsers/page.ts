// A page in any browser, used as by hand: what is there is found by its role and name, and pressed with the mouse and the keyboard.
import type { Driver } from "./driver.ts";

/** What a person looks for. */
const selectors = {
  button: "button, [role=button]",
  link: "a[href]",
  field: "input, textarea, select, [contenteditable=true], [contenteditable=plaintext-only]",
  heading: "h1, h2, h3",
  dialog: "[role=dialog], [role=alertdialog]",
  item: "[role^=menuitem]",
  option: "[role=option]",
  status: "[role=status], [role=status] *",
  text: "*",
} as const;
export type Kind = keyof typeof selectors;

const timeoutMilliseconds = 15_000;
const lookEveryMilliseconds = 25;
/** The keys of the protocol that type no character. */
const keys: Readonly<Record<string, string>> = {
  Control: "\ue009",
  Shift: "\ue008",
  Enter: "\ue007",
  Escape: "\ue00c",
  Tab: "\ue004",
  ArrowDown: "\ue015",
  ArrowUp: "\ue013",
  End: "\ue010",
  Home: "\ue011",
};

export type OtherPage = ReturnType<typeof pageOf>;

export function pageOf({ open, evaluate, act, picture }: Driver) {
  /** Calls a function in the page, which must not use anything around it. */
  const run = async <Given extends readonly unknown[], Result>(
    work: (...given: Given) => Result,
    ...given: Given
  ): Promise<Awaited<Result>> =>
    // It returns what the function returns, if that is JSON.
    (await evaluate(`(${work})(...${JSON.stringify(given)})`)) as Awaited<Result>;

  const until = async <Value>(what: string, read: () => Promise<Value | null | undefined | false>): Promise<Value> => {
    const end = performance.now() + timeoutMilliseconds;
    for (;;) {
      const value = await read();
      if (value !== null && value !== undefined && value !== false) return value;
      if (performance.now() > end) {
        const shown = await run(() => `${location.href}\n${document.body.innerText.slice(0, 2000)}`);
        throw new Error(`Timed out: ${what}. The page: ${shown}`);
      }
      await Bun.sleep(lookEveryMilliseconds);
    }
  };
  const find = (kind: Kind, name: string) => run(findPlace, selectors[kind], name);
  /** Waits until it is there. @returns its middle */
  const see = (kind: Kind, name: string) => until(`${kind} “${name}”`, () => find(kind, name));
  const keyActions = (key: string) => {
    const pressed = key.length > 1 && key.includes("+") ? key.split("+") : [key];
    const values = pressed.map((one) => keys[one] ?? one);
    return [
      ...values.map((value) => ({ type: "keyDown", value })),
      ...values.reverse().map((value) => ({ type: "keyUp", value })),
    ];
  };
  /** `Control+v`, `Enter`, `j`: one after another, without waiting for the page. */
  const press = (...pressed: readonly string[]) =>
    act([{ type: "key", id: "keyboard", actions: pressed.flatMap(keyActions) }]);
  const clickAt = ({ x, y }: { readonly x: number; readonly y: number }) => {
    const actions = [
      { type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 0 },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    return act([{ type: "pointer", id: "mouse", actions }]);
  };
  return {
    run,
    until,
    see,
    press,
    picture,
    open: async (address: string) => {
      await open(address);
      await run(collectProblems);
    },
    gone: (kind: Kind, name: string) => until(`no ${kind} “${name}”`, async () => !(await find(kind, name))),
    type: (text: string) => press(...Array.from(text, (character) => (character === "\n" ? "Enter" : character))),
    click: async (kind: Kind, name: string) => clickAt(await see(kind, name)),
    /** Clicks into a field, again where the page has moved meanwhile. */
    enter: (name: string) =>
      until(`the focus in “${name}”`, async () => {
        await clickAt(await see("field", name));
        return (await find("field", name))?.isFocused;
      }),
    /** What the page itself has complained about since it was opened. */
    problems: () => run(() => Reflect.get(window, "problems") as readonly string[]),
    /** Pastes into an editor that is added to the page for it. */
    pasted: async (): Promise<{ readonly text: string; readonly html: string }> => {
      await clickAt(await run(addEditor));
      await press("Control+v");
      return until("something pasted", () => run(takePasted));
    },
  };
}

/** Runs in the page. */
function findPlace(selector: string, name: string): { x: number; y: number; isFocused: boolean } | null {
  const plain = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim();
  const namesOf = (element: Element): string[] => {
    const labelled = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
    const labels = "labels" in element ? Array.from((element as HTMLInputElement).labels ?? []) : [];
    return [
      plain(element.getAttribute("aria-label")),
      plain(labelled.map((id) => document.getElementById(id)?.textContent).join(" ")),
      ...labels.map((label) => plain(label.querySelector("span")?.textContent ?? label.textContent)),
      ...labels.map((label) => plain(label.textContent)),
      plain(element.textContent),
      // Without the keys that a button shows.
      plain(element instanceof HTMLElement ? element.firstElementChild?.nextSibling?.textContent : ""),
      plain(element.firstChild?.nodeType === Node.TEXT_NODE ? element.firstChild.textContent : ""),
    ];
  };
  for (const element of document.querySelectorAll(selector)) {
    if (!element.checkVisibility({ visibilityProperty: true }) || !namesOf(element).includes(name)) continue;
    element.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = element.getBoundingClientRect();
    const isFocused = element === document.activeElement;
    if (width > 0 && height > 0) return { x: left + width / 2, y: top + height / 2, isFocused };
  }
  return null;
}

/** Runs in the page. */
function collectProblems(): void {
  const problems: string[] = [];
  Reflect.set(window, "problems", problems);
  window.addEventListener("error", ({ message }) => problems.push(`error: ${message}`));
  window.addEventListener("unhandledrejection", ({ reason }) => problems.push(`rejection: ${reason}`));
  document.addEventListener("securitypolicyviolation", (event) =>
    problems.push(`policy: ${event.violatedDirective} ${event.blockedURI}`),
  );
}

/** Runs in the page. */
function addEditor(): { x: number; y: number } {
  const editor = document.createElement("div");
  editor.id = "pasted";
  editor.dataset.problems = String(Reflect.get(window, "problems").length);
  editor.contentEditable = "true";
  const [left, top, width, height] = [8, 8, 400, 80];
  Object.assign(editor.style, { whiteSpace: "pre-wrap", position: "fixed", zIndex: "100", background: "white" });
  Object.assign(editor.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  // A dialog takes the focus back from what is outside of it.
  (document.querySelector("[role=dialog]") ?? document.body).append(editor);
  const box = editor.getBoundingClientRect();
  return { x: box.left + width / 2, y: box.top + height / 2 };
}

/** Runs in the page. */
function takePasted(): { text: string; html: string } | null {
  const editor = document.getElementById("pasted");
  if (!editor || editor.innerHTML === "") return null;
  editor.remove();
  // Browsers paste with styles, which the page's policy refuses.
  Reflect.get(window, "problems").length = Number(editor.dataset.problems);
  for (const element of editor.querySelectorAll("*")) element.removeAttribute("style");
  // WebKit pastes the spaces beside elements so that they stay.
  return { text: editor.innerText, html: editor.innerHTML.replaceAll("&nbsp;", " ") };
}
