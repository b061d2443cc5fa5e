// Opens the variations of a snippet, to change them.
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icons.tsx";
import type { Snippet } from "../data.ts";
import { VariationsDialog } from "../parts.tsx";

export function VariationsButton({ snippet }: { snippet: Snippet }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setIsOpen(true)}>
        <Icon name={snippet.variations.length > 1 ? "sort" : "plus"} className="size-4" />
        {snippet.variations.length > 1 ? "Variations" : "Add variation"}
      </Button>
      {isOpen && <VariationsDialog snippet={snippet} onClose={() => setIsOpen(false)} />}
    </>
  );
}
