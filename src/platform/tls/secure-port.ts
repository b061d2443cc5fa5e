// The TLS port, which can change its certificate. Bun.serve can not: a new certificate needs a new listener on the same port. New
// connections are steered to it; the one before keeps those it has until the last is gone, so that no call is lost and nothing is cut.
import type { Server } from "bun";
import { OperatorError } from "../operator-error.ts";
import type { Certificate } from "./certificates.ts";
import { listeningSockets, share, steer } from "./steering.ts";

export interface SecurePort {
  readonly port: number;
  readonly pendingRequests: () => number;
  /** New connections get this certificate. @throws OperatorError when that can not be; all stays as it was then */
  readonly show: (certificate: Certificate) => void;
  /** Takes no new connection; `isForced` also closes those that there are. */
  readonly stop: (isForced: boolean) => void;
}

/** When a listener last had to do with a call, by `performance.now()`. */
export interface Traffic {
  lastAt: number;
}

/** @param port undefined for the one of the settings. With a port, it is shared with the listeners before. */
export type Open = (certificate: Certificate, traffic: Traffic, port: number | undefined) => Server<undefined>;

/** @param quietMilliseconds a listener without a call for so long has no connection left that a client would use */
export function openSecurePort(open: Open, certificate: Certificate, quietMilliseconds: number): SecurePort {
  let current = openListener(open, certificate, undefined);
  const port = current.server.port ?? 0;
  // In the order in which the system keeps them.
  const listeners = [current];
  let closing: ReturnType<typeof setInterval> | undefined;

  const closeQuiet = () => {
    for (const listener of listeners.filter((each) => each !== current && isQuiet(each, quietMilliseconds))) {
      void listener.server.stop();
      removeAsTheSystemDoes(listeners, listener);
      // In between the system may have chosen any of them, which harms nobody: each can serve.
      if (current.socket !== undefined) steer(current.socket, listeners.indexOf(current));
    }
    if (listeners.length === 1) clearInterval(closing);
  };

  return {
    port,
    pendingRequests: () => listeners.reduce((sum, { server }) => sum + server.pendingRequests, 0),
    show: (next) => {
      const before = listeningSockets(port);
      for (const socket of before) share(socket);
      const listener = openListener(open, next, port);
      try {
        listener.socket = listeningSockets(port).find((socket) => !before.includes(socket));
        if (listener.socket === undefined)
          throw new OperatorError("the system does not tell which socket is the new one");
        steer(listener.socket, listeners.length);
      } catch (error) {
        void listener.server.stop();
        throw error;
      }
      // Its quiet begins now at the earliest: a connection may be on its way to it.
      current.traffic.lastAt = performance.now();
      listeners.push(listener);
      current = listener;
      clearInterval(closing);
      closing = setInterval(closeQuiet, quietMilliseconds / closingRounds).unref();
    },
    stop: (isForced) => {
      clearInterval(closing);
      for (const { server } of listeners) void server.stop(isForced);
    },
  };
}

const closingRounds = 10;

interface Listener {
  readonly server: Server<undefined>;
  readonly traffic: Traffic;
  /** Its descriptor, where it is known. */
  socket: number | undefined;
}

function openListener(open: Open, certificate: Certificate, port: number | undefined): Listener {
  const traffic = { lastAt: performance.now() };
  return { server: open(certificate, traffic, port), traffic, socket: undefined };
}

const isQuiet = ({ server, traffic }: Listener, milliseconds: number): boolean =>
  server.pendingRequests === 0 && performance.now() - traffic.lastAt > milliseconds;

/** The last one takes the place that became free (reuseport_detach_sock in Linux). */
function removeAsTheSystemDoes(listeners: Listener[], listener: Listener): void {
  const last = listeners.pop();
  if (last !== undefined && last !== listener) listeners[listeners.indexOf(listener)] = last;
}
