// Metrics of the process, under the names that Prometheus' own clients use, and the delay of its event loop.
import { readdirSync, readFileSync } from "node:fs";
import { Counter, Histogram, type Registry } from "prom-client";
import { addGauge } from "./gauge.ts";

const tickMilliseconds = 50;
const delayBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export function watchProcess(registry: Registry): void {
  // Computed once: a value that varies between scrapes would look like restarts.
  const startedAtSeconds = Math.round(Date.now() / 1_000 - process.uptime());
  addGauge(
    registry,
    "process_start_time_seconds",
    "When the process started, in seconds since 1970.",
    () => startedAtSeconds,
  );
  addGauge(registry, "process_uptime_seconds", "Seconds since the process started.", () => process.uptime());
  addGauge(registry, "process_resident_memory_bytes", "Resident memory of the process.", () =>
    process.memoryUsage.rss(),
  );
  addGauge(registry, "process_heap_bytes", "Memory used by the JavaScript heap.", () => process.memoryUsage().heapUsed);
  const filesMax = openFilesMax();
  if (filesMax !== undefined) {
    addGauge(registry, "process_open_fds", "Open files and connections.", openFiles);
    addGauge(registry, "process_max_fds", "Maximum number of open files and connections.", () => filesMax);
  }
  new Counter({
    name: "process_cpu_seconds_total",
    help: "CPU time used, user and system.",
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1_000_000);
    },
  });
}

/**
 * Measures how late a timer fires while other work blocks the loop. A histogram, so that several scrapers see the same.
 * @returns a function that ends it
 */
export function watchEventLoop(registry: Registry): () => void {
  const delay = new Histogram({
    name: "commonplace_event_loop_delay_seconds",
    help: "Delay of a timer that fires 20 times a second: how long requests wait for the CPU.",
    buckets: delayBucketsSeconds,
    registers: [registry],
  });
  let dueAt = performance.now() + tickMilliseconds;
  const timer = setInterval(() => {
    const now = performance.now();
    delay.observe(Math.max(0, now - dueAt) / 1_000);
    dueAt = now + tickMilliseconds;
  }, tickMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

const openFilesDirectory = "/proc/self/fd";

/** Without the descriptor that reading the directory takes. */
const openFiles = (): number => readdirSync(openFilesDirectory).length - 1;

/** Undefined on systems other than Linux, which do not report it. */
function openFilesMax(): number | undefined {
  try {
    openFiles();
    const max = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return max === undefined ? undefined : Number(max);
  } catch {
    return undefined;
  }
}
