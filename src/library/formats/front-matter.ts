// The fields at the beginning of a Markdown file, in YAML between two lines of dashes.
import { InputFile } from "./input-file.ts";
import { readYaml, type YamlValue } from "./yaml.ts";
import { yamlText } from "./yaml-text.ts";

export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The same with numbers as they are written, for fields that are texts. */
  readonly texts: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly isPresent: boolean;
  /** Comments in the fields. */
  readonly hasComments: boolean;
}

/** @throws ReadError for fields that are not YAML */
export function frontMatterOf(file: InputFile): FrontMatter {
  const match = /^---[ \t]*(?:\r\n|\r|\n)(?<yaml>(?:[\s\S]*?(?:\r\n|\r|\n))??)---[ \t]*(?:\r\n|\r|\n|$)/.exec(
    file.text,
  );
  if (!match) return { fields: {}, texts: {}, body: file.text, isPresent: false, hasComments: false };
  const { fields, hasComments } = readYaml(new InputFile(file.path, match.groups?.yaml ?? ""), 2);
  return {
    fields: Object.fromEntries(
      fields.map(({ name, value, items }) => [name, items.length > 0 ? items.map(({ plain }) => plain) : value.plain]),
    ),
    texts: Object.fromEntries(
      fields.map(({ name, value, items }) => [name, items.length > 0 ? items.map(textOf) : textOf(value)]),
    ),
    body: file.text.slice(match[0].length),
    isPresent: true,
    hasComments,
  };
}

const textOf = ({ written, plain }: YamlValue): unknown => written ?? plain;

export const withFrontMatter = (fields: Readonly<Record<string, unknown>>, body: string): string =>
  `---\n${yamlText(fields)}---\n\n${body}${body.endsWith("\r") ? "\r\n" : "\n"}`;

/** What `withFrontMatter` puts around a text, which editors put there too: an empty line before it, and the end of its last line. */
export const bodyText = (body: string): string => body.replace(/^(?:\r\n|\r|\n)/, "").replace(/(?:\r\n|\r|\n)$/, "");
