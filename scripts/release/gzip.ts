// Compresses with gzip, without a date and without the name of the operating system.

export function gzip(bytes: Uint8Array): Uint8Array {
  // The zlib of the runtime is the same code on all platforms.
  const compressed = Bun.gzipSync(new Uint8Array(bytes), { level: 9, library: "libdeflate" });
  compressed.fill(0, ...dateBytes);
  compressed[systemByte] = unknownSystem;
  return compressed;
}

const dateBytes = [4, 8] as const;
const systemByte = 9;
const unknownSystem = 255;
