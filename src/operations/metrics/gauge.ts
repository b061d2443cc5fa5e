// A figure that nobody keeps: it is looked up when Prometheus asks.
import { Gauge, type Registry } from "prom-client";

export function gauge(registry: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read());
    },
  });
}
