// Where an instance keeps its data: a file of its own, or a database server.
import { resolve } from "node:path";

export type DatabaseLocation =
  | { readonly engine: "sqlite"; readonly path: string }
  | { readonly engine: "postgres"; readonly url: string };

/** The same database for a process in another directory. */
export const absoluteLocation = (location: DatabaseLocation): DatabaseLocation =>
  location.engine === "sqlite" ? { ...location, path: resolve(location.path) } : location;
