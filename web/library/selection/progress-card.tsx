// The progress of a change of many snippets. One can stop it, and go on with other things meanwhile.
import { Button } from "../../components/button.tsx";
import { formatCount, pluralize } from "../../components/format.ts";
import { bottomBar } from "../../components/toast.tsx";
import { useStore } from "../../store.ts";
import { progress } from "./run.ts";

/** Earlier, the pace says nothing. */
const secondsMin = 2;

/** How fast it goes, and how long it still takes. */
function describePace(done: number, total: number | undefined, seconds: number): string | undefined {
  if (seconds < secondsMin || done === 0) return undefined;
  const perSecond = done / seconds;
  const rate = `${formatCount(Math.max(1, Math.round(perSecond)))} per second`;
  if (total === undefined) return rate;
  const left = Math.ceil((total - done) / perSecond);
  return `${rate} · ${left < 60 ? pluralize(left, "second") : pluralize(Math.ceil(left / 60), "minute")} left`;
}

export function ProgressCard() {
  const running = useStore(progress);
  if (!running) return null;
  const { label, done, total, startedAt, stop } = running;
  const pace = describePace(done, total, (performance.now() - startedAt) / 1000);
  return (
    <div
      role="status"
      {...bottomBar}
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
      {pace && <p className="text-quiet -mt-1 text-xs tabular-nums">{pace}</p>}
      <progress aria-label={label} value={total === undefined ? undefined : done} max={total} className="progress" />
    </div>
  );
}
