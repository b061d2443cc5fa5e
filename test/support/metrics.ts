// A service with metrics, and functions that read them.
import { parseMetrics, seriesIn } from "./prometheus.ts";
import { type Started, startService } from "./service.ts";

let shared: Promise<Started> | undefined;

/** One service for the tests that only count; they run one after another. */
export function startMeasured(): Promise<Started> {
  shared ??= startService({ isShared: true, config: { metricsPort: 0 } });
  return shared;
}

export const metricsAddress = (started: Started): string => `http://127.0.0.1:${started.service.metricsPort}`;

export const scrape = async (started: Started): Promise<string> =>
  (await fetch(`${metricsAddress(started)}/metrics`)).text();

/** Every series with its value, after the format was checked. */
export const scrapeSeries = async (started: Started): Promise<Map<string, number>> =>
  seriesIn(parseMetrics(await scrape(started)));
