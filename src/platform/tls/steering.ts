// Chooses which listening socket of a port gets its new connections. Linux keeps sockets that share a port (SO_REUSEPORT) in a list, and a
// filter of one instruction selects by position; Bun has no API for this, so the C library is called.
import { dlopen, ptr } from "bun:ffi";
import { readdirSync } from "node:fs";
import { OperatorError } from "../operator-error.ts";

/** The file descriptors of this process that listen on the port. @throws OperatorError when the system cannot list them */
export function listeningSockets(port: number): number[] {
  const { getsockopt, getsockname } = libc();
  const sizeOf = (value: NodeJS.ArrayBufferView) => new Uint32Array([value.byteLength]);
  return openDescriptors().filter((socket) => {
    const isListening = new Int32Array(1);
    const address = new Uint8Array(addressBytesMax);
    return (
      getsockopt(socket, socketLevel, acceptsConnections, isListening, sizeOf(isListening)) === 0 &&
      isListening[0] === 1 &&
      getsockname(socket, address, sizeOf(address)) === 0 &&
      // In both IPv4 and IPv6 addresses the port follows the family.
      new DataView(address.buffer).getUint16(2) === port
    );
  });
}

/** Lets further sockets of this user listen on the same port. @throws OperatorError when the system does not allow it */
export function sharePort(socket: number): void {
  const on = new Int32Array([1]);
  requireSuccess("SO_REUSEPORT", libc().setsockopt(socket, socketLevel, reusePort, on, on.byteLength));
}

/** The socket at this position of the list gets every new connection. @throws OperatorError when the system does not allow it */
export function steer(socket: number, position: number): void {
  // struct sock_fprog { u16 count; struct sock_filter *filters; } and behind it the filter { u16 code; u8 jt, jf; u32 value; }.
  const program = new ArrayBuffer(programBytes + filterBytes);
  new BigUint64Array(program)[1] = BigInt(ptr(program)) + BigInt(programBytes);
  new Uint16Array(program)[0] = 1;
  new Uint16Array(program)[programBytes / 2] = returnValue;
  new Uint32Array(program)[programBytes / 4 + 1] = position;
  const failed = libc().setsockopt(socket, socketLevel, attachFilter, new Uint8Array(program), programBytes);
  requireSuccess("SO_ATTACH_REUSEPORT_CBPF", failed);
}

const addressBytesMax = 128;
const programBytes = 16;
const filterBytes = 8;

/** From <asm-generic/socket.h> and <linux/bpf_common.h>: the same on x86-64 and on ARM. */
const socketLevel = 1;
const reusePort = 15;
const acceptsConnections = 30;
const attachFilter = 51;
const returnValue = 0x06;

type Libc = ReturnType<typeof openLibc>;
let opened: Libc | undefined;

const libc = (): Libc => {
  opened ??= openLibc();
  return opened;
};

function openLibc() {
  // The second is its name on Alpine.
  const names = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];
  for (const name of process.platform === "linux" ? names : [])
    try {
      return dlopen(name, {
        setsockopt: { args: ["int", "int", "int", "ptr", "u32"], returns: "int" },
        getsockopt: { args: ["int", "int", "int", "ptr", "ptr"], returns: "int" },
        getsockname: { args: ["int", "ptr", "ptr"], returns: "int" },
      }).symbols;
    } catch {
      // The next name may be the right one.
    }
  throw new OperatorError(`${process.platform} does not support a certificate change while the service is running`);
}

function openDescriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    throw new OperatorError("/proc is not available, so the certificate cannot change while the service is running");
  }
}

function requireSuccess(option: string, result: number): void {
  if (result !== 0)
    throw new OperatorError(
      `the system refuses ${option}, so the certificate cannot change while the service is running`,
    );
}
