// A strict parser of Prometheus' text format 0.0.4 that shares no code with the service: any violation throws.

export interface Family {
  readonly type: string;
  readonly help: string;
  /** Values by the name and labels of a series, as the format writes them with sorted labels. */
  readonly samples: ReadonlyMap<string, number>;
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const ofHistogram = ["_bucket", "_sum", "_count"];

/** The families by name. @throws Error that quotes the invalid line */
export function parseMetrics(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const families = new Map<string, { type: string; help: string; samples: Map<string, number> }>();
  let help: RegExpExecArray | null = null;
  let current = "";
  for (const line of text.slice(0, -1).split("\n")) {
    if (line === "") continue;
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line);
    if (comment?.[1] === "HELP") help = comment;
    else if (comment) {
      const [, , name = "", type = ""] = comment;
      if (help?.[2] !== name) throw new Error(`TYPE without a HELP before it: ${line}`);
      if (!["counter", "gauge", "histogram"].includes(type)) throw new Error(`no such type: ${line}`);
      if (families.has(name)) throw new Error(`a family told twice: ${line}`);
      families.set(name, { type, help: help[3] ?? "", samples: new Map() });
      current = name;
    } else {
      const sample = parseSample(line);
      const family = families.get(current);
      const names = family?.type === "histogram" ? ofHistogram.map((end) => current + end) : [current];
      if (!names.includes(sample.name)) throw new Error(`a sample outside its family: ${line}`);
      const series = seriesOf(sample);
      if (family?.samples.has(series)) throw new Error(`a series told twice: ${line}`);
      family?.samples.set(series, sample.value);
    }
  }
  for (const [name, { type, samples }] of families) if (type === "histogram") checkHistogram(name, samples);
  return families;
}

export function parseSample(line: string): Sample {
  const [, name = "", inBraces, value = ""] =
    /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[+-]Inf|NaN)$/.exec(line) ?? [];
  if (name === "") throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  let rest = inBraces ?? "";
  while (rest !== "") {
    const [whole = "", label = "", escaped = ""] = /^([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/.exec(rest) ?? [];
    if (whole === "" || label in labels) throw new Error(`wrong labels: ${line}`);
    labels[label] = escaped.replace(/\\(.)/g, (_, character) => (character === "n" ? "\n" : character));
    rest = rest.slice(whole.length);
  }
  return { name, labels, value: Number(value.replace("Inf", "Infinity")) };
}

const seriesOf = ({ name, labels }: Sample): string => {
  const written = Object.keys(labels)
    .sort()
    .map((label) => `${label}=${JSON.stringify(labels[label])}`);
  return written.length === 0 ? name : `${name}{${written.join(",")}}`;
};

/** Fails unless buckets never decrease, the last one is `+Inf` and equals the count, and there is a sum. */
function checkHistogram(name: string, samples: ReadonlyMap<string, number>): void {
  const groups = new Map<string, { le: number; count: number }[]>();
  for (const [series, count] of samples) {
    const bucket = /^(\w+)_bucket\{(?:(.*),)?le="([^"]+)"(.*)\}$/.exec(series);
    if (!bucket) continue;
    const labels = [bucket[2], bucket[4]?.replace(/^,/, "")].filter(Boolean).join(",");
    const buckets = groups.get(labels) ?? [];
    buckets.push({ le: Number(bucket[3]?.replace("Inf", "Infinity")), count });
    groups.set(labels, buckets);
  }
  for (const [labels, buckets] of groups) {
    const braces = labels === "" ? "" : `{${labels}}`;
    const last = buckets.at(-1);
    const isGrowing = buckets.every(
      ({ le, count }, at) => at === 0 || (le > (buckets[at - 1]?.le ?? 0) && count >= (buckets[at - 1]?.count ?? 0)),
    );
    if (!isGrowing) throw new Error(`${name}${braces}: the buckets do not grow`);
    if (last?.le !== Number.POSITIVE_INFINITY || last.count !== samples.get(`${name}_count${braces}`))
      throw new Error(`${name}${braces}: +Inf is not the count`);
    if (!samples.has(`${name}_sum${braces}`)) throw new Error(`${name}${braces}: no sum`);
  }
}

/** Every series with its value. */
export const seriesIn = (families: ReadonlyMap<string, Family>): Map<string, number> =>
  new Map([...families.values()].flatMap((family) => [...family.samples]));

/** Debian has it in the package prometheus. */
export const hasPromtool = Bun.which("promtool") !== null;

/** What promtool prints for these arguments and this input. */
export async function promtool(words: readonly string[], input = ""): Promise<{ status: number; text: string }> {
  const child = Bun.spawn(["promtool", ...words], { stdin: new Blob([input]), stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { status, text: stdout + stderr };
}
