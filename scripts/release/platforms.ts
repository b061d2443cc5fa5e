// The platforms that a release has executables for.

export interface Platform {
  /** As Node.js spells it: `process.platform` and `process.arch`. */
  readonly name: string;
  readonly os: "linux" | "darwin";
  readonly cpu: "x64" | "arm64";
  readonly target: Bun.Build.CompileTarget;
  /** The npm package with the runtime. package-lock.json has its version and checksum. */
  readonly runtime: string;
  /** The architecture of a Debian package; undefined if there is no package. */
  readonly debian?: "amd64" | "arm64";
}

export const platforms: readonly Platform[] = [
  {
    ...{ name: "linux-x64", os: "linux", cpu: "x64", target: "bun-linux-x64" },
    ...{ runtime: "@oven/bun-linux-x64", debian: "amd64" },
  },
  {
    ...{ name: "linux-arm64", os: "linux", cpu: "arm64", target: "bun-linux-arm64" },
    ...{ runtime: "@oven/bun-linux-aarch64", debian: "arm64" },
  },
  { name: "darwin-x64", os: "darwin", cpu: "x64", target: "bun-darwin-x64", runtime: "@oven/bun-darwin-x64" },
  { name: "darwin-arm64", os: "darwin", cpu: "arm64", target: "bun-darwin-arm64", runtime: "@oven/bun-darwin-aarch64" },
];
