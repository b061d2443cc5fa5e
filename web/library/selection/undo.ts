// Taking back the last change, as long as it is offered.
import { toast } from "../../components/toast.tsx";

/** So long one can take back what one did. */
const undoSeconds = 10;

let last: { readonly run: () => void; readonly dismiss: () => void } | undefined;
/** The last change was not taken back in time. */
let isTooLate = false;

/** Says what was done and offers to take it back. A later change takes the place of an earlier one. */
export function offerUndo(text: string, run: () => void): void {
  last?.dismiss();
  const offer = {
    run: () => {
      if (last === offer) last = undefined;
      run();
    },
    dismiss: toast(text, "good", { seconds: undoSeconds, action: { label: "Undo", run: () => offer.run() } }),
  };
  last = offer;
  isTooLate = false;
  setTimeout(() => {
    if (last !== offer) return;
    last = undefined;
    isTooLate = true;
  }, undoSeconds * 1000);
}

/** Stops offering to take back the last change: it was taken back in another way. */
export function withdrawUndo(): void {
  last?.dismiss();
  last = undefined;
}

/** Takes back the last change, or says why not and where else it can be found. @param hasTrash deleted snippets can be restored */
export function undoLast(hasTrash: boolean): void {
  const offer = last;
  if (offer) {
    offer.dismiss();
    offer.run();
    return;
  }
  const reason = isTooLate
    ? `It’s too late to undo. Changes can be undone for ${undoSeconds} seconds.`
    : "Nothing to undo.";
  const trash = hasTrash ? " Deleted snippets are in the trash." : "";
  toast(`${reason} Earlier versions are in each snippet’s history.${trash}`, "warn");
}
