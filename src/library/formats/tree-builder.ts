// Collects what a format reads, and makes each folder and tag once.
import { counted, listed } from "./messages.ts";
import { ReadError } from "./read-error.ts";
import { readLimits } from "./read-limits.ts";
import {
  firstVariationName,
  type Place,
  type Reading,
  type TreeGroup,
  type TreeSnippet,
  type TreeVariation,
  type Warning,
} from "./tree.ts";

/** A snippet as most formats have it: one text, everything else optional. */
export interface FoundSnippet {
  /** Empty: the beginning of the text. */
  readonly title: string;
  readonly content: string;
  readonly type?: string | undefined;
  readonly note?: string | null | undefined;
  readonly shortcut?: string | null | undefined;
  /** The names of its folder and of those around it, the outermost first. */
  readonly folder?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly isArchived?: boolean | undefined;
  /** Only mentioned: the snippet gets the time of the import. */
  readonly createdAt?: string | null | undefined;
  readonly variationName?: string | undefined;
  /** Further texts. */
  readonly further?: readonly { readonly name: string; readonly type: string; readonly content: string }[] | undefined;
}

const noTimes = { createdAt: null, updatedAt: null } as const;

export class TreeBuilder {
  readonly #folders = new Map<string, TreeGroup>();
  readonly #tags = new Map<string, TreeGroup>();
  readonly #snippets: TreeSnippet[] = [];
  readonly #places: Place[] = [];
  readonly #problems = new Notes("problem");
  readonly #warnings = new Notes("warning");
  readonly #summaries = new Map<string, Summary>();

  /** Says what is read differently, or that something without a text of its own is not read. */
  warn(place: Place, message: string): void {
    this.#warnings.add({ place, message });
  }

  /**
   * Says once what holds for several, with their number, at the place of the first.
   * @param topic the same for all of them
   * @param names what the message can list
   */
  summarize(place: Place, topic: string, describe: Describe, names: readonly string[] = []): void {
    const summary = this.#summaries.get(topic) ?? { place, describe, count: 0, names: new Set() };
    summary.count += 1;
    for (const name of names) summary.names.add(name);
    this.#summaries.set(topic, summary);
  }

  /** Says that a snippet, or a file of snippets, cannot be read. */
  leaveOut(place: Place, message: string): void {
    this.#problems.add({ place, message });
  }

  /** @returns the key of a folder, which is made with those around it if it is new; null for an empty path */
  folder(names: readonly string[], color: string | null = null): string | null {
    let parent: string | null = null;
    for (const [index, name] of names.entries()) {
      const key = JSON.stringify(names.slice(0, index + 1));
      if (!this.#folders.has(key))
        this.#folders.set(key, { key, name, parent, color: index === names.length - 1 ? color : null, ...noTimes });
      parent = key;
    }
    return parent;
  }

  tag(name: string, color: string | null = null): string {
    if (!this.#tags.has(name)) this.#tags.set(name, { key: name, name, color, parent: null, ...noTimes });
    return name;
  }

  add(place: Place, found: FoundSnippet): void {
    const { content, further = [] } = found;
    const variation = (name: string, language: string, text: string): TreeVariation => {
      const type = contentType(language);
      if (type === typeOfUnknown && language.trim().toLowerCase() !== type)
        this.summarize(place, "languages", describeLanguages, [language]);
      return { name, type, content: text, changedAt: null, formerVersions: [] };
    };
    if (found.createdAt) this.summarize(place, "times", describeTimes);
    this.addSnippet(place, {
      title: found.title.trim() === "" ? titleOf(content) : found.title,
      note: found.note || null,
      shortcut: found.shortcut || null,
      folder: this.folder(found.folder ?? []),
      tags: [...new Set(found.tags ?? [])].map((name) => this.tag(name)),
      isArchived: found.isArchived ?? false,
      variations: [
        variation(found.variationName ?? firstVariationName, found.type ?? "plaintext", content),
        ...further.map((each) => variation(each.name, each.type, each.content)),
      ],
      ...noTimes,
    });
  }

  /** Adds a snippet whose folder and tags are in the tree already. */
  addSnippet(place: Place, snippet: TreeSnippet): void {
    if (this.#snippets.length >= readLimits.snippetsMax)
      throw new ReadError(
        `There are more than ${readLimits.snippetsMax.toLocaleString("en-US")} snippets. Import them in parts.`,
        place,
      );
    this.#snippets.push(snippet);
    this.#places.push(place);
  }

  get snippetCount(): number {
    return this.#snippets.length;
  }

  addGroups(kind: "folders" | "tags", groups: readonly TreeGroup[]): void {
    const all = kind === "folders" ? this.#folders : this.#tags;
    for (const group of groups) all.set(group.key, group);
  }

  finish(): Reading {
    return {
      tree: { folders: [...this.#folders.values()], tags: [...this.#tags.values()], snippets: this.#snippets },
      places: this.#places,
      problems: this.#problems.list(),
      warnings: [
        ...[...this.#summaries.values()].map(({ place, describe, count, names }) => ({
          place,
          message: describe(count, [...names]),
        })),
        ...this.#warnings.list(),
      ],
    };
  }
}

/** The message of a summary. */
type Describe = (count: number, names: readonly string[]) => string;

interface Summary {
  readonly place: Place;
  readonly describe: Describe;
  count: number;
  readonly names: Set<string>;
}

/** The first ones, and how many there are more. */
class Notes {
  readonly #noun: string;
  readonly #notes: Warning[] = [];
  #moreCount = 0;

  constructor(noun: string) {
    this.#noun = noun;
  }

  add(note: Warning): void {
    if (this.#notes.length < readLimits.warningsMax) this.#notes.push(note);
    else this.#moreCount += 1;
  }

  list(): Warning[] {
    const more =
      this.#moreCount === 1
        ? `1 more ${this.#noun} is not shown.`
        : `${this.#moreCount.toLocaleString("en-US")} more ${this.#noun}s are not shown.`;
    return this.#moreCount === 0 ? this.#notes : [...this.#notes, { message: more, count: this.#moreCount }];
  }
}

/** Says which fields are not read. @param noun what has them */
export const warnOfFields = (place: Place, names: readonly string[], into: TreeBuilder, noun = "snippet"): void => {
  if (names.length > 0)
    into.summarize(
      place,
      `fields of ${noun}s`,
      (count, all) =>
        `${counted(count, noun)} ${count === 1 ? "has" : "have"} fields that are left out: ${listed(all)}.`,
      names,
    );
};

/** Says that comments of a file are not read. */
export const warnOfComments = (place: Place, into: TreeBuilder): void =>
  into.summarize(place, "comments", (files) => `The comments in ${counted(files, "file")} are left out.`);

const describeTimes = (count: number): string =>
  `${counted(count, "snippet")} ${count === 1 ? "gets" : "get"} the time of the import as ${count === 1 ? "its" : "their"} creation date.`;

const describeLanguages = (count: number, languages: readonly string[]): string =>
  `${counted(count, "snippet")} ${count === 1 ? "gets" : "get"} the content type "${typeOfUnknown}", because ${languages.length === 1 ? "this language name cannot be used as a content type" : "these language names cannot be used as content types"}: ${listed(languages)}.`;

const titleLengthDefault = 60;

/** A title for a text that has none: the beginning of its first line that is not empty. */
export function titleOf(content: string): string {
  const line = /\S[^\r\n]*/.exec(content.slice(0, 10_000))?.[0].trim() ?? "";
  const characters = [...line];
  if (characters.length > titleLengthDefault) return `${characters.slice(0, titleLengthDefault - 1).join("")}…`;
  return line || "Untitled";
}

const typeOfUnknown = "code";

/** A content type that the service accepts, as close as possible to what a tool calls a language. */
export function contentType(language: string): string {
  const type = language.trim().toLowerCase().replaceAll(/\s+/g, "-");
  if (/^[a-z0-9._+/-]{1,50}$/.test(type)) return type;
  if (type === "c#") return "csharp";
  if (type === "f#") return "fsharp";
  return type === "" ? "plaintext" : typeOfUnknown;
}
