#!/usr/bin/env node
// Runs the Commonplace executable for this machine. Without a command, it starts the service.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { name, optionalDependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const platform = `${process.platform}-${process.arch}`;

/** The path of the executable; undefined where npm did not install one. */
function findExecutable() {
  const holder = Object.keys(optionalDependencies).find((each) => each === `${name}-${platform}`);
  try {
    return holder && require.resolve(`${holder}/bin/commonplace`);
  } catch {
    return undefined;
  }
}

const executable = findExecutable();
if (executable === undefined) {
  const platforms = Object.keys(optionalDependencies).map((each) => each.slice(name.length + 1));
  console.error(
    `commonplace: there is no executable for ${platform}. ${name} has one for ${platforms.join(", ")}; on Linux, it needs glibc. ` +
      "If this is one of these, install the package again, without --omit=optional.",
  );
  process.exit(1);
}

const words = process.argv.slice(2);
const isCommand = words.length > 0 && (!words[0].startsWith("-") || ["--help", "-h", "--version"].includes(words[0]));
/** Undefined until it has started. */
let child;
// Before it starts: a signal at that moment would end only this process. Ctrl+C in a terminal reaches the executable by itself, and a second
// one would end it at once.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => {
    if (signal === "SIGTERM" || !process.stdin.isTTY) child?.kill(signal);
  });
child = spawn(executable, isCommand ? words : ["serve", ...words], { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`commonplace: ${executable} cannot be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (status, signal) => {
  if (signal === null) process.exit(status);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
