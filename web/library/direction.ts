// In which direction a text is written. Where possible, browsers decide it themselves, by dir="auto".
import { placeholderPattern } from "../../src/library/placeholders.ts";

/** The first letter decides. */
const beginsRightToLeft =
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** That of its first letter, as dir="auto" finds it, but placeholders do not count: the reader sees something else in their place. */
export const directionOf = (text: string): "ltr" | "rtl" =>
  beginsRightToLeft.test(text.replace(placeholderPattern, "")) ? "rtl" : "ltr";
