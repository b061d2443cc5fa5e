// Texts from all of Unicode, those that well-meaning programs change in particular.
import type { Random, Weighted } from "./random.ts";

/** Ranges of code points, without NUL and the surrogates. */
type Ranges = readonly (readonly [first: number, last: number])[];

const planes: Ranges = Array.from({ length: 17 }, (_, plane): readonly [number, number] => [
  plane * 0x10000,
  plane * 0x10000 + 0xffff,
]);
const alphabets: Weighted<Ranges> = [
  [5, [[0x20, 0x7e]]],
  [5, planes],
  [
    2,
    [
      [0x1, 0x1f],
      [0x7f, 0x9f],
      [0x2028, 0x2029],
    ],
  ],
  // Not characters, and not forbidden either.
  [2, [[0xfdd0, 0xfdef], ...planes.map(([, last]): readonly [number, number] => [last - 1, last])]],
  // Combining marks, alone and on letters; composed and decomposed letters.
  [
    3,
    [
      [0x300, 0x36f],
      [0x61, 0x65],
      [0x1100, 0x11ff],
      [0xac00, 0xac40],
      [0xc0, 0x17f],
    ],
  ],
  // Directions, joiners, and what cannot be seen.
  [
    3,
    [
      [0x200b, 0x200f],
      [0x202a, 0x202e],
      [0x2060, 0x2069],
      [0xfeff, 0xfeff],
      [0xad, 0xad],
      [0x5d0, 0x5ea],
      [0x627, 0x64a],
      [0x30, 0x39],
    ],
  ],
  // What other cases, widths, and compatibility forms would change.
  [
    2,
    [
      [0x130, 0x131],
      [0xdf, 0xdf],
      [0x17f, 0x17f],
      [0x1e9e, 0x1e9e],
      [0x212a, 0x212b],
      [0xfb00, 0xfb06],
      [0xff01, 0xff5e],
      [0x1c4, 0x1cc],
    ],
  ],
  [
    2,
    [
      [0x1f300, 0x1f6ff],
      [0x200d, 0x200d],
      [0xfe0e, 0xfe0f],
      [0x1f1e6, 0x1f1ff],
      [0xe0020, 0xe007f],
    ],
  ],
  // Marks of JSON, SQL, HTML, and templates.
  [
    2,
    [
      [0x22, 0x22],
      [0x27, 0x27],
      [0x5c, 0x5c],
      [0x60, 0x60],
      [0x3c, 0x3e],
      [0x24, 0x26],
      [0x7b, 0x7d],
      [0x3a, 0x3b],
      [0x3f, 0x40],
      [0x0a, 0x0d],
    ],
  ],
];

const lengthUsualMax = 60;
const wholes = [
  "null",
  "NaN",
  "\\u0000",
  "%00",
  "'; drop table snippets; --",
  "\r\n",
  " ",
  "  both ends  ",
  "e\u0301",
  "\u00e9",
  "=1+1",
  "{}",
];

function codePoint(random: Random, ranges: Ranges): string {
  const [first, last] = random.pick(ranges);
  const point = random.integer(Math.max(1, first), last);
  return point >= 0xd800 && point <= 0xdfff ? "\ud7ff" : String.fromCodePoint(point);
}

/** A text of `min` to `max` code points, often of exactly that many. */
export function anyText(random: Random, min: number, max: number): string {
  if (random.isTrue(0.05))
    return random.pick(wholes.filter((text) => [...text].length >= min && [...text].length <= max));
  const usual = Math.min(max, lengthUsualMax);
  const length = random.weighted([
    [8, random.integer(min, usual)],
    [1, min],
    [1, max],
  ]);
  return textOf(random, length);
}

/** A text of exactly so many code points. */
export function textOf(random: Random, length: number): string {
  const ranges = random.weighted(alphabets);
  // A long text repeats a part of itself.
  const part = Array.from({ length: Math.min(length, 1_000) }, () => codePoint(random, ranges));
  if (part.length === 0) return "";
  const repeated = part.join("").repeat(Math.floor(length / part.length));
  return repeated + part.slice(0, length % part.length).join("");
}

/** A text that no database keeps, or one that is a character too long; undefined where the field has no such limit. */
export function refusedText(random: Random, min: number, max: number): { readonly text: string; readonly why: string } {
  const within = anyText(random, Math.max(1, min), Math.max(1, Math.min(max - 2, lengthUsualMax)));
  const points = [...within];
  const insert = (unit: string) => {
    const at = random.integer(0, points.length);
    return [...points.slice(0, at), unit, ...points.slice(at)].join("");
  };
  // Two surrogates next to each other would be one character.
  const lone = () => {
    const text = insert(random.pick(["\ud800", "\udbff", "\udc00", "\udfff"]));
    return text.isWellFormed() ? `a${random.pick(["\ud800", "\udfff"])}a` : text;
  };
  return random.pick([
    { text: insert("\0"), why: "a NUL character" },
    { text: lone(), why: "a lone surrogate" },
    { text: textOf(random, max + 1), why: min === 0 ? `at most ${max} characters` : `${min} to ${max} characters` },
  ]);
}
