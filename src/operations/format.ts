// Numbers, sizes, durations and timestamps as commands and checks show them.

/** A whole number with separators between thousands: 12,345. */
export const formatNumber = (value: number): string => value.toLocaleString("en-US");

/** A number with its unit, where "bytes" become KB, MB or GB: 1.2 GB, 12,345 rows, 1 row. */
export function formatAmount(value: number, unit: string): string {
  const count = Math.round(value);
  if (unit !== "bytes") return `${formatNumber(count)} ${count === 1 ? unit.replace(/(?<=.)s$/, "") : unit}`;
  const size = value < 1e6 ? ([1e3, "KB"] as const) : value < 1e9 ? ([1e6, "MB"] as const) : ([1e9, "GB"] as const);
  return `${(value / size[0]).toFixed(value / size[0] < 10 ? 1 : 0)} ${size[1]}`;
}

/** A size in the unit of the settings: 12.3 MiB, 1,024 MiB. */
export const formatMebibytes = (bytes: number): string => {
  const mebibytes = bytes / 2 ** 20;
  const digits = mebibytes < 10 && !Number.isInteger(mebibytes) ? 1 : 0;
  return `${mebibytes.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })} MiB`;
};

/** A duration: 0:07, 12:30, 3:05:00. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const tail = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** A stored timestamp for people: to the minute, in UTC. */
export const formatMoment = (iso: string | null): string =>
  iso === null ? "never" : `${iso.slice(0, 16).replace("T", " ")} UTC`;

/** How long something took: 0.4 s, 12 s, 3 min 20 s. */
export function formatElapsed(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${Math.max(0.1, seconds).toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
