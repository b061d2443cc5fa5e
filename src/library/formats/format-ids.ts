// The names of the formats, without the code that reads and writes them.
export * from "../../contract/formats.ts";
