// The TLS port, whose certificate can change. Bun.serve cannot do that: a new certificate needs a new listener on the same port. New
// connections are steered to it, and the listener before keeps its connections until the last one is closed, so that no call is lost.
import type { Server } from "bun";
import { OperatorError } from "../operator-error.ts";
import type { Certificate } from "./certificates.ts";
import { listeningSockets, sharePort, steer } from "./steering.ts";

export interface SecurePort {
  readonly port: number;
  readonly pendingRequests: () => number;
  /** Gives this certificate to new connections. @throws OperatorError when that fails; the current one then stays */
  readonly applyCertificate: (certificate: Certificate) => void;
  /** Accepts no new connections. @param isForced also closes the open ones */
  readonly stop: (isForced: boolean) => void;
}

/** When a listener last handled a call, by `performance.now()`. */
export interface Traffic {
  lastAt: number;
}

/** @param port undefined for the configured one. With a port, the listener shares it with those before. */
export type Open = (certificate: Certificate, traffic: Traffic, port: number | undefined) => Server<undefined>;

/** @param quietMilliseconds a listener without a call for this long has no connection left that a client would use */
export function openSecurePort(open: Open, certificate: Certificate, quietMilliseconds: number): SecurePort {
  let current = openListener(open, certificate, undefined);
  const port = current.server.port ?? 0;
  // In the order of the kernel's list.
  const listeners = [current];
  let closing: ReturnType<typeof setInterval> | undefined;

  const closeQuiet = () => {
    for (const listener of listeners.filter((each) => each !== current && isQuiet(each, quietMilliseconds))) {
      void listener.server.stop();
      removeInKernelOrder(listeners, listener);
      // In between the kernel may choose any listener, which is harmless: each can serve.
      if (current.socket !== undefined) steer(current.socket, listeners.indexOf(current));
    }
    if (listeners.length === 1) clearInterval(closing);
  };

  return {
    port,
    pendingRequests: () => listeners.reduce((sum, { server }) => sum + server.pendingRequests, 0),
    applyCertificate: (next) => {
      const before = listeningSockets(port);
      for (const socket of before) sharePort(socket);
      const listener = openListener(open, next, port);
      try {
        listener.socket = listeningSockets(port).find((socket) => !before.includes(socket));
        if (listener.socket === undefined) throw new OperatorError("the new socket could not be identified");
        steer(listener.socket, listeners.length);
      } catch (error) {
        void listener.server.stop();
        throw error;
      }
      // It becomes quiet now at the earliest: a connection may still be on its way to it.
      current.traffic.lastAt = performance.now();
      listeners.push(listener);
      current = listener;
      clearInterval(closing);
      closing = setInterval(closeQuiet, quietMilliseconds / checksPerQuietTime).unref();
    },
    stop: (isForced) => {
      clearInterval(closing);
      for (const { server } of listeners) void server.stop(isForced);
    },
  };
}

const checksPerQuietTime = 10;

interface Listener {
  readonly server: Server<undefined>;
  readonly traffic: Traffic;
  /** Its file descriptor, when known. */
  socket: number | undefined;
}

function openListener(open: Open, certificate: Certificate, port: number | undefined): Listener {
  const traffic = { lastAt: performance.now() };
  return { server: open(certificate, traffic, port), traffic, socket: undefined };
}

const isQuiet = ({ server, traffic }: Listener, milliseconds: number): boolean =>
  server.pendingRequests === 0 && performance.now() - traffic.lastAt > milliseconds;

/** Removes a listener as the kernel does: the last one moves to the free position (reuseport_detach_sock in Linux). */
function removeInKernelOrder(listeners: Listener[], listener: Listener): void {
  const last = listeners.pop();
  if (last !== undefined && last !== listener) listeners[listeners.indexOf(listener)] = last;
}
