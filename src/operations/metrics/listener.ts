// The listener of /metrics: plain HTTP on an address of its own, so that clients of the service cannot read the metrics.
import type { Registry } from "prom-client";
import { listenFailure } from "../../platform/http/listen-failure.ts";
import { OperatorError } from "../../platform/operator-error.ts";

const idleSeconds = 30;

/** @throws OperatorError if the port is taken */
export function listen(host: string, port: number, registry: Registry): { readonly port: number; stop(): void } {
  try {
    const server = Bun.serve({
      hostname: host,
      port,
      reusePort: false,
      idleTimeout: idleSeconds,
      development: false,
      fetch: (request) => answer(request, registry),
      error: () => text(500, "the metrics could not be read"),
    });
    return { port: server.port ?? port, stop: () => void server.stop(true) };
  } catch (error) {
    throw new OperatorError(listenFailure(host, port, "COMMONPLACE_METRICS_PORT", error));
  }
}

async function answer(request: Request, registry: Registry): Promise<Response> {
  if (new URL(request.url).pathname !== "/metrics") return text(404, "not found: the metrics are at /metrics");
  if (request.method !== "GET" && request.method !== "HEAD")
    return text(405, "only GET and HEAD", { Allow: "GET, HEAD" });
  const body = request.method === "HEAD" ? null : await registry.metrics();
  return new Response(body, { headers: { "Content-Type": registry.contentType, "Cache-Control": "no-store" } });
}

const text = (status: number, line: string, headers: Record<string, string> = {}): Response =>
  new Response(`${line}\n`, { status, headers: { "Content-Type": "text/plain; charset=utf-8", ...headers } });
