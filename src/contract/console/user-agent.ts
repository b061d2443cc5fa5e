// Names browsers by their user agent.
const browsers = [
  ["Edge", /\bEdgA?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
] as const;
const systems = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
] as const;

/** A short name such as `Firefox on Windows`. The order of the patterns matters, since many browsers claim to be others too. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null || userAgent === "") return "Unknown browser";
  const [browser] = browsers.find(([, pattern]) => pattern.test(userAgent)) ?? [];
  const [system] = systems.find(([, pattern]) => pattern.test(userAgent)) ?? [];
  if (browser === undefined) return userAgent.slice(0, 60);
  return system === undefined ? browser : `${browser} on ${system}`;
}
