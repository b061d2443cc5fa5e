// Where an instance keeps its data: a file of its own, or a database server.

export type DatabaseLocation =
  | { readonly engine: "sqlite"; readonly path: string }
  | { readonly engine: "postgres"; readonly url: string };
