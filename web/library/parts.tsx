// Parts of the page whose scripts are loaded when they are first needed.
import { lazyPart } from "../lazy-part.tsx";
import type { FeedProps } from "./activity/feed.tsx";
import type { EditorProps } from "./editor/editor.tsx";
import type { MarkdownPreviewProps } from "./editor/markdown-preview.tsx";
import type { HistoryProps } from "./history/history.tsx";
import type { PickerProps } from "./selection/pickers.tsx";
import type { TrashProps } from "./trash/trash.tsx";
import type { TrashedSnippetProps } from "./trash/trashed-snippet.tsx";
import type { VariationsDialogProps } from "./variations/variations-dialog.tsx";

export const Editor = lazyPart<EditorProps>("library editor", () => import("./editor/editor.tsx"));
export const History = lazyPart<HistoryProps>("library history", () => import("./history/history.tsx"));
export const TreeDialogs = lazyPart("library tree dialogs", () => import("./tree/dialogs.tsx"), null);
export const TransferDialogs = lazyPart("library transfer", () => import("./transfer/transfer-dialogs.tsx"), null);
export const FolderAndTagPicker = lazyPart<PickerProps>(
  "library picker",
  () => import("./selection/pickers.tsx"),
  null,
);
export const Feed = lazyPart<FeedProps>("library activity", () => import("./activity/feed.tsx"));
export const Trash = lazyPart<TrashProps>("library trash", () => import("./trash/trash.tsx"));
export const TrashedSnippet = lazyPart<TrashedSnippetProps>(
  "library trashed snippet",
  () => import("./trash/trashed-snippet.tsx"),
);
export const MarkdownPreview = lazyPart<MarkdownPreviewProps>(
  "library markdown",
  () => import("./editor/markdown-preview.tsx"),
);
export const VariationsDialog = lazyPart<VariationsDialogProps>(
  "library variations",
  () => import("./variations/variations-dialog.tsx"),
  null,
);
export const FirstTime = lazyPart("library first time", () => import("./first-time/first-time.tsx"), null);
