// Keeps what was typed last, also where somebody leaves at once.
import { useEffect, useEffectEvent } from "react";

/** A draft that waits for the next pause is kept before the page goes away. */
export function useSettleOnLeave(
  timer: { readonly current: ReturnType<typeof setTimeout> | undefined },
  settle: () => void,
): void {
  const settleNow = useEffectEvent(() => {
    if (timer.current !== undefined) settle();
  });
  useEffect(() => {
    const leave = () => settleNow();
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", leave);
    return () => {
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", leave);
      leave();
    };
  }, []);
}
