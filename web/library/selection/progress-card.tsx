// The progress of a change of many snippets. One can stop it, and go on with other things meanwhile.
import { Button } from "../../components/button.tsx";
import { formatCount } from "../../components/format.ts";
import { useStore } from "../../store.ts";
import { progress } from "./run.ts";

export function ProgressCard() {
  const running = useStore(progress);
  if (!running) return null;
  const { label, done, total, stop } = running;
  return (
    <div
      role="status"
      aria-label={label}
      className="bg-surface border-line shadow-high animate-rise fixed inset-x-4 bottom-4 z-40 mx-auto grid max-w-md gap-2 rounded-lg border p-3"
    >
      <div className="flex items-center gap-3">
        <p className="min-w-0 flex-1 truncate">{label}</p>
        <p className="text-quiet text-xs tabular-nums">
          {formatCount(done)}
          {total !== undefined && ` of ${formatCount(total)}`}
        </p>
        <Button size="small" onClick={stop}>
          Stop
        </Button>
      </div>
      <progress aria-label={label} value={total === undefined ? undefined : done} max={total} className="progress" />
    </div>
  );
}
