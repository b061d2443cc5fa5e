// Opens what can be done with the variations of a snippet.
import type { Snippet } from "../data.ts";

export function VariationsButton({ snippet }: { snippet: Snippet; variationId: string | undefined }) {
  return snippet.variations.length > 1000 ? <p /> : null;
}
