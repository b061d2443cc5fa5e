// The text of a variation. One that was too long to come with its snippet is read by itself.
import type { ReactNode } from "react";
import { useConsoleQuery } from "../../api.ts";
import { Loaded } from "../../components/states.tsx";
import type { Variation } from "../data.ts";

interface VariationContentProps {
  readonly variation: Variation;
  readonly children: (text: string) => ReactNode;
}

export const VariationContent = ({ variation, children }: VariationContentProps) =>
  variation.content === null ? (
    <LongContent variation={variation}>{children}</LongContent>
  ) : (
    children(variation.content)
  );

function LongContent({ variation, children }: VariationContentProps) {
  const read = useConsoleQuery("getLibrarySnippetVariation", { query: { variationId: variation.id } });
  return <Loaded query={read}>{({ data }) => children(data.content.content)}</Loaded>;
}
