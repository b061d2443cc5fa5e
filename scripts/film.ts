// A film of a page: pictures of a real browser, each with its duration, encoded as an animated WebP picture. Needs img2webp: apt-get install webp.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";

const moveFrames = 8;
const moveFrameMilliseconds = 40;
/** How far apart frames can be in which only the mouse pointer moves. */
const settledMilliseconds = 350;

interface Frame {
  readonly picture: Uint8Array;
  milliseconds: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Takes the frames while a script uses the page like a person. The browser does not draw the mouse pointer, so the film does. */
export class Film {
  readonly #page: Page;
  readonly #frames: Frame[] = [];
  #pointer: Point;

  constructor(page: Page, pointer: Point) {
    this.#page = page;
    this.#pointer = pointer;
  }

  /** Shows the page as it is now. */
  async hold(milliseconds: number): Promise<void> {
    await this.#page.evaluate(drawPointer, this.#pointer);
    const picture = await this.#page.screenshot({ animations: "disabled", caret: "initial" });
    const last = this.#frames.at(-1);
    if (last && Buffer.compare(last.picture, picture) === 0) last.milliseconds += milliseconds;
    else this.#frames.push({ picture, milliseconds });
  }

  /** Moves the pointer there, and clicks. */
  async click(target: Locator): Promise<void> {
    const box = await target.boundingBox();
    if (box === null) throw new Error(`${target} cannot be seen`);
    const [from, to] = [this.#pointer, { x: box.x + Math.min(box.width / 2, 90), y: box.y + box.height / 2 }];
    for (let frame = 1; frame <= moveFrames; frame += 1) {
      const done = (1 - Math.cos((frame / moveFrames) * Math.PI)) / 2;
      this.#pointer = { x: from.x + (to.x - from.x) * done, y: from.y + (to.y - from.y) * done };
      await this.#page.mouse.move(this.#pointer.x, this.#pointer.y);
      await this.hold(moveFrameMilliseconds);
    }
    await target.click({ position: { x: to.x - box.x, y: to.y - box.y } });
  }

  /** Types a text, letter by letter. */
  async type(text: string, letterMilliseconds = 80): Promise<void> {
    for (const letter of text) {
      await this.#page.keyboard.type(letter);
      await this.hold(letterMilliseconds);
    }
  }

  /** Waits until what a click has started is drawn, which the film does not show. */
  async settle(): Promise<void> {
    await this.#page.waitForTimeout(settledMilliseconds);
  }

  get milliseconds(): number {
    return this.#frames.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  }

  /** The film as an animated WebP picture without losses, repeated forever. */
  encode(): Uint8Array {
    const directory = mkdtempSync(join(tmpdir(), "commonplace-film-"));
    try {
      const words = this.#frames.flatMap(({ picture, milliseconds }, index) => {
        const file = join(directory, `${index}.png`);
        writeFileSync(file, picture);
        return ["-d", String(milliseconds), file];
      });
      const film = join(directory, "film.webp");
      const encoder = ["img2webp", "-loop", "0", "-min_size", "-lossless", "-m", "6", ...words, "-o", film];
      const { success, stderr } = Bun.spawnSync(encoder);
      if (!success) throw new Error(stderr.toString());
      return readFileSync(film);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

/** Runs in the page. */
function drawPointer({ x, y }: Point): void {
  if (document.adoptedStyleSheets.length === 0) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("::-webkit-scrollbar { display: none }");
    document.adoptedStyleSheets = [sheet];
  }
  const id = "pointer-of-the-film";
  let pointer = document.getElementById(id);
  if (pointer === null) {
    pointer = document.createElement("div");
    pointer.id = id;
    pointer.innerHTML =
      '<svg width="20" height="26" viewBox="0 0 20 26"><path d="M2 1v19l5-5 3.5 8 3-1.300-3.500-7.700h7z" fill="#000" stroke="#fff" stroke-width="1.500"/></svg>';
    Object.assign(pointer.style, { position: "fixed", zIndex: "2147483647", pointerEvents: "none" });
  }
  // A modal dialog is above everything that is not inside it.
  const layer = document.querySelector("dialog[open]") ?? document.body;
  if (pointer.parentNode !== layer) layer.append(pointer);
  Object.assign(pointer.style, { left: `${x - 2}px`, top: `${y - 1}px` });
}
