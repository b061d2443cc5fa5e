// The files in deploy/ for Prometheus and Grafana name only metrics that a node has, and their tools accept them.
import "../support/once.ts";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { scrape, startMeasured } from "../support/metrics.ts";
import { root } from "../support/program.ts";
import { hasPromtool, parseMetrics, promtool } from "../support/prometheus.ts";
import { temporaryDirectory } from "../support/service.ts";

// promtool plays hours of alerts.
setDefaultTimeout(60_000);

const path = (name: string): string => join(root, "deploy", name);

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Target {
  readonly refId: string;
  readonly expr: string;
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly (Target & { readonly datasource: unknown })[];
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly options?: { readonly yAxis?: { readonly unit: string } };
}
interface Dashboard {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] };
  readonly annotations: { readonly list: readonly { readonly expr?: string }[] };
}

const dashboard: Dashboard = await Bun.file(path("grafana-dashboard.json")).json();
const rules = (
  Bun.YAML.parse(await Bun.file(path("alerts.yml")).text()) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const panels = dashboard.panels.filter((panel) => panel.type !== "row");
const queries = panels.flatMap((panel) => (panel.targets ?? []).map((target) => target.expr));
const isOurs = /\b(?:commonplace|process)_[a-z_]+/g;

/** Every name that a query may use: `up` is Prometheus' own. */
async function toldNames(): Promise<Set<string>> {
  const families = parseMetrics(await scrape(await startMeasured()));
  const names = [...families].flatMap(([name, { type }]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set(names);
}

/** Fails unless every label that a query selects or groups by exists on its metric. */
async function toldLabels(): Promise<Set<string>> {
  const written = await scrape(await startMeasured());
  const labels = [...written.matchAll(/^(\w+)\{(.*)\} /gm)].flatMap(([, , inBraces = ""]) =>
    [...inBraces.matchAll(/(\w+)="/g)].map(([, label = ""]) => label),
  );
  return new Set([...labels, "job", "instance"]);
}

describe("only what a node tells", () => {
  test.each([
    ["the dashboard", [...queries, ...dashboard.annotations.list.flatMap((annotation) => annotation.expr ?? [])]],
    ["the alerts", rules.map((rule) => rule.expr)],
  ])("%s", async (_, expressions) => {
    const [names, labels] = [await toldNames(), await toldLabels()];
    const used = new Set(expressions.flatMap((expression) => expression.match(isOurs) ?? []));
    expect([...used].filter((name) => !names.has(name))).toEqual([]);
    expect(used.size).toBeGreaterThan(10);
    const asked = expressions.flatMap((expression) => [
      ...[...expression.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = ""]) => label),
      ...[...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", ")),
    ]);
    expect([...new Set(asked)].filter((label) => !labels.has(label))).toEqual([]);
  });

  test("the dashboard shows every figure that there is", async () => {
    const shown = new Set(queries.flatMap((query) => query.match(isOurs) ?? []));
    const families = parseMetrics(await scrape(await startMeasured()));
    const isShown = (name: string) => [...shown].some((used) => used.replace(/_(bucket|sum|count)$/, "") === name);
    const known = "process_start_time_seconds"; // Shown as the uptime, and as an annotation at each start.
    expect([...families.keys()].filter((name) => name !== known && !isShown(name))).toEqual([]);
  });

  test("codes, statuses and kinds that are asked for exist", async () => {
    const written = await scrape(await startMeasured());
    const codes = [...queries, ...rules.map((rule) => rule.expr)].flatMap((expression) =>
      [...expression.matchAll(/(?:code|operation)(?:=~|!~|=)"([^"]+)"/g)].flatMap(([, value = ""]) => value.split("|")),
    );
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !written.includes(`"${code}"`))).toEqual([]);
  });
});

describe("the dashboard", () => {
  test("is one that Grafana imports: a data source to choose, panels with ids and units of their own", () => {
    expect(dashboard).toMatchObject({ uid: "commonplace", title: "Commonplace", schemaVersion: 38, id: null });
    expect(dashboard.templating.list.map((variable) => variable.name)).toEqual(["datasource", "job", "instance"]);
    const ids = dashboard.panels.map((panel) => panel.id);
    expect(new Set(ids).size).toBe(ids.length);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how Grafana writes its variables.
    const source = { type: "prometheus", uid: "${datasource}" };
    for (const { title, description, type, datasource, targets = [], fieldConfig, options } of panels) {
      expect({ title, datasource }).toEqual({ title, datasource: source });
      expect({ title, description }).toEqual({ title, description: expect.stringMatching(/.{10}\.$/) });
      expect(targets.length).toBeGreaterThan(0);
      expect(targets.map((target) => target.refId)).toEqual([..."ABCD"].slice(0, targets.length));
      for (const target of targets) expect(target.datasource).toEqual(source);
      const unit = fieldConfig?.defaults.unit ?? options?.yAxis?.unit;
      if (type !== "table") expect({ title, unit }).toEqual({ title, unit: expect.any(String) });
    }
  });

  test("every query asks for the nodes that were chosen", () => {
    for (const query of queries) {
      const figures = query.match(/\b(?:commonplace_|process_|up\{)/g) ?? [];
      const selections = query.match(/\{job=~"\$job", instance=~"\$instance"/g) ?? [];
      expect({ query, selections: selections.length }).toEqual({ query, selections: figures.length });
    }
  });

  test("no panel lies on another or outside the grid, and each row stands above its own", () => {
    const taken = new Map<string, string>();
    for (const { title, gridPos } of dashboard.panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect({ title, below: taken.get(`${x},${y}`) }).toEqual({ title, below: undefined });
          taken.set(`${x},${y}`, title);
        }
    }
    const tops = dashboard.panels.map((panel) => panel.gridPos.y);
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
    const rows = dashboard.panels.filter((panel) => panel.type === "row").map((panel) => panel.title);
    expect(rows).toEqual([
      "Now",
      "Traffic",
      "Latency",
      "Errors and refusals",
      "Units",
      "Database",
      "Background jobs",
      "Process",
    ]);
  });
});

describe("the alerts", () => {
  test("each alert says what is wrong and what to do", () => {
    const names = rules.map((rule) => rule.alert);
    expect(new Set(names).size).toBe(names.length);
    for (const { alert, labels, annotations } of rules) {
      expect(alert).toStartWith("Commonplace");
      expect({ alert, severity: labels.severity }).toEqual({
        alert,
        severity: expect.stringMatching(/^(critical|warning)$/),
      });
      expect({ alert, annotations }).toEqual({
        alert,
        annotations: {
          summary: expect.stringMatching(/^.{20,120}$/),
          runbook: expect.stringMatching(/^.{40,400}\.$/),
        },
      });
    }
  });

  test.skipIf(!hasPromtool)(
    "promtool takes rules and configuration, and each alert fires where it must and nowhere else",
    async () => {
      const rulesSaid = await promtool(["check", "rules", path("alerts.yml")]);
      expect(rulesSaid).toEqual({ status: 0, text: expect.stringContaining(`${rules.length} rules found`) });
      expect(await promtool(["check", "config", path("prometheus.yml")])).toMatchObject({ status: 0 });
      expect(await promtool(["test", "rules", path("alerts.test.yml")])).toMatchObject({ status: 0 });
      const tested = await Bun.file(path("alerts.test.yml")).text();
      expect(rules.filter((rule) => !tested.includes(`alertname="${rule.alert}"`)).map((rule) => rule.alert)).toEqual(
        [],
      );
    },
  );

  test.skipIf(!hasPromtool)("promtool understands every query of the dashboard", async () => {
    const directory = temporaryDirectory();
    const records = queries.map((query, at) => ({
      record: `query_${at}`,
      expr: query.replaceAll("$__rate_interval", "1m").replaceAll(/\$\w+/g, ".+"),
    }));
    const file = join(directory, "queries.yml");
    await Bun.write(file, JSON.stringify({ groups: [{ name: "dashboard", rules: records }] }));
    const said = await promtool(["check", "rules", file]);
    expect(said).toEqual({ status: 0, text: expect.stringContaining(`${queries.length} rules found`) });
  });
});
