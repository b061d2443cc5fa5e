// Parts of the page whose scripts are loaded when they are first needed.
import { lazyPart } from "../script.tsx";
import type { FeedProps } from "./activity/feed.tsx";
import type { EditorProps } from "./editor/editor.tsx";
import type { HistoryProps } from "./history/history.tsx";
import type { MarkdownPreviewProps } from "./markdown/preview.tsx";
import type { PickerProps } from "./selection/pickers.tsx";
import type { TrashProps } from "./trash/trash.tsx";
import type { TrashedSnippetProps } from "./trash/trashed-snippet.tsx";
import type { VariationsDialogProps } from "./variations/variations-dialog.tsx";

export const Editor = lazyPart<EditorProps>(() => import("./editor/editor.tsx"));
export const History = lazyPart<HistoryProps>(() => import("./history/history.tsx"));
export const TreeDialogs = lazyPart(() => import("./tree/dialogs.tsx"), null);
export const TransferDialogs = lazyPart(() => import("./transfer/transfer-dialogs.tsx"), null);
export const FolderAndTagPicker = lazyPart<PickerProps>(() => import("./selection/pickers.tsx"), null);
export const Feed = lazyPart<FeedProps>(() => import("./activity/feed.tsx"));
export const Trash = lazyPart<TrashProps>(() => import("./trash/trash.tsx"));
export const TrashedSnippet = lazyPart<TrashedSnippetProps>(() => import("./trash/trashed-snippet.tsx"));
export const MarkdownPreview = lazyPart<MarkdownPreviewProps>(() => import("./markdown/preview.tsx"));
export const VariationsDialog = lazyPart<VariationsDialogProps>(
  () => import("./variations/variations-dialog.tsx"),
  null,
);
export const FirstTime = lazyPart(() => import("./first-time/first-time.tsx"), null);
