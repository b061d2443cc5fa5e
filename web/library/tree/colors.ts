// The colors that are offered for folders and tags. Each has a contrast of 3 to 1 against every background of both themes.
export const palette = [
  { name: "Gray", color: "#777c86" },
  { name: "Brown", color: "#a07152" },
  { name: "Red", color: "#de4135" },
  { name: "Orange", color: "#c55c16" },
  { name: "Amber", color: "#a3710d" },
  { name: "Olive", color: "#6f8321" },
  { name: "Green", color: "#298c4a" },
  { name: "Teal", color: "#188b7b" },
  { name: "Blue", color: "#227adf" },
  { name: "Indigo", color: "#6870dc" },
  { name: "Purple", color: "#9c5fd1" },
  { name: "Pink", color: "#d0419b" },
] as const;

/** The color of a new folder or tag: the next one in turn, so that neighbors differ. */
export const nextColor = (count: number): string => palette[count % palette.length]?.color ?? palette[0].color;
