// Line icons, 20 by 20 pixels, in the color of the text. Screen readers skip them, since a label is always next to them.
const paths = {
  library: "M4 4v12M7.5 4v12M11 4.5l4.5 11.5M4 4h3.5M4 16h3.5M11 4.5l2-.7 4.3 11.4-1.8.8",
  overview: "M3 10.5 10 4l7 6.5M5 9v7h10V9M8.5 16v-4h3v4",
  key: "M12.5 11.5a4 4 0 1 0-3.8-2.8L3 14.4V17h2.6v-1.8h1.8v-1.8h1.8l1.1-1.1c.7.2 1.4.2 2.2.2ZM13.5 7.5h.01",
  usage: "M3 17h14M5.5 14v-4M10 14V5M14.5 14V8",
  log: "M4 5h12M4 8.5h12M4 12h8M4 15.5h5",
  billing: "M3 5.5h14v9H3zM3 8.5h14M6 12h3",
  members:
    "M7.5 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM3 16c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M12.5 4.8a2.5 2.5 0 0 1 0 4.4M14 12.3c1.8.5 3 1.8 3 3.7",
  teams: "M3.5 4h5.5v5.5H3.5zM11 4h5.5v5.5H11zM3.5 11.5h5.5V17H3.5zM11 11.5h5.5V17H11z",
  audit: "M10 3l6 2.5V10c0 3.5-2.5 6-6 7-3.5-1-6-3.5-6-7V5.5zM7.5 10l2 2 3.5-3.8",
  settings: "M3 6h6M13 6h4M11 4v4M3 14h3M10 14h7M8 12v4",
  workspaces: "M4 17V5l6-2v14M10 7l6 2v8M3 17h14M6.5 7.5h1M6.5 10.5h1M6.5 13.5h1M12.7 11.5h.8M12.7 14.3h.8",
  person: "M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM4 17c.3-3 2.7-4.7 6-4.7s5.7 1.7 6 4.7",
  menu: "M3 5.5h14M3 10h14M3 14.5h14",
  close: "M5 5l10 10M15 5 5 15",
  chevron: "M6 8l4 4 4-4",
  sort: "M7 8l3-3 3 3M7 12l3 3 3-3",
  check: "M4.5 10.5l3.5 3.5 7.5-8",
  copy: "M7.5 7.5h8.5v8.5H7.5zM12.5 7.5V4H4v8.5h3.5",
  plus: "M10 4v12M4 10h12",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  warning: "M10 3.5 17.5 16.5h-15zM10 8.5v3.5M10 14.3h.01",
  info: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 9.5v4M10 6.7h.01",
  history: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 6v4l2.5 2",
  download: "M10 3.5v9M6.5 9.5l3.5 3.5 3.5-3.5M4 16.5h12",
  search: "M9 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM12.8 12.8 16.5 16.5",
  arrow: "M4 10h12M11 5l5 5-5 5",
  trash: "M4 5.5h12M8 5.5V3.5h4v2M5.5 5.5l.7 11h7.6l.7-11",
  passkey:
    "M8 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 16.5c.2-2.7 2.3-4.3 5.5-4.3 1 0 1.9.2 2.7.5M14.5 12.5a2.3 2.3 0 1 0-1.2 0v5l1 .8 1.2-1.2-.8-.9.8-.9-.6-.8z",
  lock: "M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9",
  folder: "M3 6.5V15h14V7h-7L8.5 5H3z",
  newFolder: "M3 6.5V15h14V7h-7L8.5 5H3zM10 9v4M8 11h4",
  tag: "M3.5 3.5h6l7 7-6 6-7-7zM7 7h.01",
  newTag: "M14.5 8.5l-5-5h-6v6l7 7 .7-.7M7 7h.01M15 11.5v5M12.5 14h5",
  archive: "M3.5 4h13v3.5h-13zM4.5 7.5V16h11V7.5M8.5 10.5h3",
  filter: "M3.5 5.5h13M6 10h8M8.5 14.5h3",
  sidebar: "M3.5 4.5h13v11h-13zM8 4.5v11",
  back: "M16 10H4M9 5l-5 5 5 5",
  rows: "M4 4.5h12M4 8.2h12M4 11.8h12M4 15.5h12",
  people:
    "M10 9a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 10 9ZM5 16.5c.2-2.8 2.2-4.5 5-4.5s4.8 1.7 5 4.5M4.2 9.8a1.8 1.8 0 1 1 .3-3.5M1.8 14.5c0-1.4.7-2.4 1.9-2.9M15.8 9.8a1.8 1.8 0 1 0-.3-3.5M18.2 14.5c0-1.4-.7-2.4-1.9-2.9",
  accountLog: "M5 3h7l3.5 3.5V17H5zM12 3v3.5h3.5M8 10h5M8 13.5h5",
  instance: "M3.5 4h13v5h-13zM3.5 11h13v5h-13zM6.5 6.5h.01M6.5 13.5h.01M10 6.5h3.5M10 13.5h3.5",
  keyboard: "M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 11.5h7",
  device: "M3 4.5h14v9H3zM8 16.5h4M10 13.5v3",
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name, className = "size-5" }: { name: IconName; className?: string }) => (
  <svg viewBox="0 0 20 20" className={`shrink-0 ${className}`} aria-hidden="true" focusable="false">
    <path
      d={paths[name]}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" ? 2.2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
