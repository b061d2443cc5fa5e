// Tags as small labels with their color.

import type { SearchQuery } from "../../../src/library/search/pieces.ts";
import { classNames } from "../../components/class-names.ts";
import { Icon } from "../../components/icons.tsx";
import type { Tag } from "../data.ts";
import { Marked } from "../marks/marked.tsx";
import { drawableColor } from "../names.ts";

interface ColorDotProps {
  readonly color: string;
  readonly shape?: "dot" | "folder";
  readonly className?: string;
}

/** The color of a folder or a tag. One that cannot be drawn is a gray. */
export function ColorDot({ color, shape = "dot", className }: ColorDotProps) {
  const drawn = drawableColor(color);
  if (shape === "folder")
    return (
      <span aria-hidden="true" className={classNames("shrink-0", !drawn && "text-quiet")} style={{ color: drawn }}>
        <Icon name="folder" className={classNames("size-4.5", className)} />
      </span>
    );
  return (
    <span
      aria-hidden="true"
      className={classNames("border-edge/50 size-2 shrink-0 rounded-full border", !drawn && "bg-edge", className)}
      style={{ backgroundColor: drawn }}
    />
  );
}

export const TagChip = ({ tag, query }: { tag: Tag; query: SearchQuery }) => (
  <span className="border-line bg-surface inline-flex max-w-24 shrink-0 items-center gap-1.5 rounded-full border px-1.5 text-xs leading-[1.125rem]">
    <ColorDot color={tag.tag_color} />
    <span className="truncate">
      <Marked what="text" text={tag.tag_name} query={query} />
    </span>
  </span>
);
