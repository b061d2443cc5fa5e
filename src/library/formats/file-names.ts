// Names of files that every system accepts.

const nameLengthMax = 100;
/** Windows refuses these, with any ending. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * A title as a file name: without what a system does not accept, and never empty. It is not hidden, and does not begin with a dash, which
 * programs would take for an option: `rm *`.
 */
export function fileName(title: string): string {
  const name = [
    ...title
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  ]
    .slice(0, nameLengthMax)
    .join("")
    .replace(/^[.\- ]+/, "")
    .replace(/[. ]+$/, "");
  return name === "" ? "untitled" : name.replace(reserved, "$&_");
}

/** Makes different names: `name`, `name (2)`. Those that differ only in case are equal, as on most systems. */
export class DifferentNames {
  readonly #used = new Set<string>();

  of(name: string, ending = ""): string {
    let [different, count] = [`${name}${ending}`, 1];
    while (this.#used.has(different.toLowerCase())) {
      count += 1;
      different = `${name} (${count})${ending}`;
    }
    this.#used.add(different.toLowerCase());
    return different;
  }
}
