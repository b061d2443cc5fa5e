// What the listener reports to the metrics about each request.
import type { RequestKind } from "./routes.ts";

export interface AnsweredRequest {
  readonly kind: RequestKind;
  readonly status: number;
  /** The stable code of a refusal. */
  readonly code: string | undefined;
  readonly units: number;
  readonly milliseconds: number;
}

/** Called once when a request arrives, and once when its response is made or its client has left. It must be quick, and must not throw. */
export interface RequestObserver {
  received(): void;
  /** The client canceled it, or left, before it was begun. */
  abandoned(): void;
  answered(request: AnsweredRequest): void;
}
