// Taking back the last change, as long as it is offered.
import { toast } from "../../components/toast.tsx";

/** So long one can take back what one did. */
const undoSeconds = 10;

let last: { readonly run: () => void; readonly dismiss: () => void } | undefined;

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
  setTimeout(() => {
    if (last === offer) last = undefined;
  }, undoSeconds * 1000);
}

/** Takes back the last change. @returns false if none is offered */
export function undoLast(): boolean {
  const offer = last;
  if (!offer) return false;
  offer.dismiss();
  offer.run();
  return true;
}
