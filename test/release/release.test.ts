// A whole release, built and then installed from: npm packages, Debian packages, archives, and the image.
import "../support/all-only.ts";
import "../support/once.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { platforms } from "../../scripts/release/platforms.ts";
import { runToEnd } from "../support/program.ts";
import { type BuiltRelease, buildElsewhere, buildMilliseconds, findRelease, version } from "./built-release.ts";
import { testDebianPackage } from "./debian.ts";
import { formatOf, libcVersionOf, signedPages } from "./executable-formats.ts";
import { testImage } from "./image.ts";
import { testNpmPackages } from "./npm.ts";

let release: BuiltRelease;
beforeAll(async () => {
  release = await findRelease();
}, buildMilliseconds);

test("has every file that its checksums name, and no other", async () => {
  const names = [...release.sums.keys()];
  expect(
    readdirSync(release.directory)
      .filter((name) => !name.startsWith("SHA256SUMS"))
      .sort(),
  ).toEqual(names.toSorted());
  const npm = ["server", "client", "cpl", ...platforms.map(({ name }) => `server-${name}`)];
  const expected = [
    ...platforms.flatMap(({ name }) => ["commonplace", "cpl"].map((program) => `${program}-${version}-${name}.tar.gz`)),
    ...npm.map((name) => `commonplace-app-${name}-${version}.tgz`),
    ...["amd64", "arm64"].map((architecture) => `commonplace_${version}_${architecture}.deb`),
    ...[`commonplace_${version}_oci.tar`, `commonplace-docs-${version}.tar.gz`, `commonplace-${version}.cdx.json`],
    ...["LICENSE", "THIRD-PARTY.md", "NOTES.md"],
  ];
  expect(names.toSorted()).toEqual(expected.toSorted());
  const checked = await runToEnd(["sha256sum", "--check", "--quiet", "SHA256SUMS"], {}, release.directory);
  expect(checked).toEqual({ status: 0, stdout: "", stderr: "" });
});

test(
  "is the same when it is built again, in another directory and for one platform",
  async () => {
    const again = await buildElsewhere("--platform", "linux-x64");
    const image = `commonplace_${version}_oci.tar`;
    const others = [...again.sums].filter(([name]) => name !== image);
    expect(others.length).toBeGreaterThan(8);
    expect(others.filter(([name, sum]) => release.sums.get(name) !== sum)).toEqual([]);
    // The image for one platform is a part of the one for both.
    const [part, both] = [await again.unpack(image), await release.unpack(image)];
    const blobs = (directory: string) => readdirSync(join(directory, "blobs/sha256"));
    const onlyInPart = blobs(part).filter((digest) => !blobs(both).includes(digest));
    const index = JSON.parse(readFileSync(join(part, "index.json"), "utf8")).manifests[0].digest;
    expect(onlyInPart).toEqual([index.replace("sha256:", "")]);
  },
  buildMilliseconds,
);

describe("the archives", () => {
  const formats: Readonly<Record<string, string>> = {
    "linux-x64": "ELF x64",
    "linux-arm64": "ELF arm64",
    "darwin-x64": "Mach-O x64",
    "darwin-arm64": "Mach-O arm64",
  };

  test.each(platforms)(
    "$name: executables of its format, with everything that belongs to them",
    async ({ name, os }) => {
      for (const program of ["commonplace", "cpl"]) {
        const archive = `${program}-${version}-${name}`;
        const directory = join(await release.unpack(`${archive}.tar.gz`), archive);
        const files = [...new Bun.Glob("**/*").scanSync({ cwd: directory })].sort();
        expect(files).toEqual(
          [
            ...[program, "LICENSE", "THIRD-PARTY.md", `man/man1/${program}.1`],
            ...[`completions/${program}.bash`, `completions/_${program}`, `completions/${program}.fish`],
            ...(program === "cpl"
              ? []
              : ["commonplace.service", "commonplace.env.example", "commonplace-admin"].map(
                  (file) => `deploy/${file}`,
                )),
          ].sort(),
        );
        const executable = readFileSync(join(directory, program));
        expect(formatOf(executable)).toBe(formats[name]);
        expect(executable.includes(program === "cpl" ? "CPL_URL" : "COMMONPLACE_REQUESTS_PER_MINUTE")).toBeTrue();
        // What the Debian package asks for.
        if (os === "linux") expect(libcVersionOf(executable)).toBe("2.17");
        else expect(signedPages(executable)).toBeGreaterThan(1_000);
      }
    },
    60_000,
  );

  test.skipIf(`${process.platform}-${process.arch}` !== "linux-x64")("linux-x64: the programs run", async () => {
    for (const [program, shown] of [
      ["commonplace", `commonplace ${version}\n`],
      ["cpl", `cpl ${version}\n`],
    ] as const) {
      const archive = `${program}-${version}-linux-x64`;
      const directory = await release.unpack(`${archive}.tar.gz`);
      const ran = await runToEnd([join(directory, archive, program), "--version"], { PATH: "/nonexistent" });
      expect(ran).toEqual({ status: 0, stdout: shown, stderr: "" });
    }
  });
});

testNpmPackages(() => release);
testDebianPackage(() => release);
testImage(() => release);
