// A database with nothing in it, as a first start finds it.
import { writeFileSync } from "node:fs";
import { engine } from "./engine.ts";
import { temporaryDirectory } from "./service.ts";

/** @returns its data directory */
export async function newDatabase(): Promise<string> {
  const directory = temporaryDirectory();
  const location = await engine.locate(directory);
  // An empty file is as good as none, and can be opened before the service does.
  if (location.engine === "sqlite") writeFileSync(location.path, "");
  return directory;
}
