// Tags as small labels with their color.
import { classNames } from "../../components/class-names.ts";
import type { Tag } from "../data.ts";
import { drawableColor } from "../names.ts";

export function ColorDot({ color, className }: { color: string; className?: string }) {
  const backgroundColor = drawableColor(color);
  return (
    <span
      aria-hidden="true"
      className={classNames(
        "border-edge/50 size-2 shrink-0 rounded-full border",
        !backgroundColor && "bg-edge",
        className,
      )}
      style={backgroundColor ? { backgroundColor } : undefined}
    />
  );
}

export const TagChip = ({ tag }: { tag: Tag }) => (
  <span className="border-line bg-surface inline-flex max-w-24 shrink-0 items-center gap-1.5 rounded-full border px-1.5 text-xs leading-[1.125rem]">
    <ColorDot color={tag.tag_color} />
    <span className="truncate">{tag.tag_name}</span>
  </span>
);
