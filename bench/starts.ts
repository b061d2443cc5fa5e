// The time from the start of the process to its first response, compared with a bare server.
import { join } from "node:path";
import { apiPath, tls } from "./fill.ts";
import type { Plan } from "./plan.ts";
import { type Server, startBareServer } from "./processes.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { recordResponse } from "./requests.ts";
import type { Site } from "./site.ts";
import { median } from "./statistics.ts";

const millisecondsMax = 300;

export async function measureStarts({ directory, engine, instance }: Site, { starts }: Plan): Promise<Result[]> {
  const [target] = instance.snippets;
  if (!target) return [];
  const path = `/snippet?id=${target.id}`;
  const response = join(directory, "first-response.json");
  const first = await engine.startService();
  await recordResponse(response, first, { tenant: target.tenant, path });
  await first.stop();

  const time = async (start: () => Promise<Server>): Promise<number> => {
    const startedAt = performance.now();
    const server = await start();
    const answer = await fetch(`https://127.0.0.1:${server.port}${apiPath}${path}`, {
      headers: { Authorization: `Bearer ${target.tenant.keys[0]}` },
      keepalive: false,
      tls,
    });
    if (answer.status !== 200) throw new Error(`GET /snippet: ${await answer.text()}`);
    const milliseconds = performance.now() - startedAt;
    await server.stop();
    return milliseconds;
  };
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let count = 1; count <= starts; count += 1) {
    showProgress("Starting", `${count} of ${starts}`);
    ours.push(await time(() => engine.startService()));
    theirs.push(await time(() => startBareServer(join(directory, "tls"), response)));
  }
  return [
    {
      group: "Start",
      name: "time to the first response",
      unit: "ms",
      service: median(ours),
      baseline: median(theirs),
      aim: { of: "service", atMost: millisecondsMax },
    },
  ];
}
