// What is read of a file that may be hostile. All of it is in memory at once.
import { bytesPerMebibyte, limits } from "../../contract/limits.ts";

export const readLimits = {
  /** What one request can send. */
  requestBytesMax: limits.requestBodyBytesMax,
  /** One file as it was given, and all of them together. */
  sourceBytesMax: 128 * bytesPerMebibyte,
  /** One file in an archive, decompressed. */
  entryBytesMax: 64 * bytesPerMebibyte,
  /** All files, decompressed. */
  totalBytesMax: 256 * bytesPerMebibyte,
  filesMax: 20_000,
  pathLengthMax: 1_000,
  /** Files whose parsers take more time or memory per byte. */
  yamlBytesMax: 2 * bytesPerMebibyte,
  xmlBytesMax: 16 * bytesPerMebibyte,
  jsonBytesMax: 16 * bytesPerMebibyte,
  csvBytesMax: 64 * bytesPerMebibyte,
  /** Arrays and objects in each other. */
  depthMax: 100,
  /** What a YAML text is nested in, for its parser: fields, lists, and brackets in each other. Files of other tools have at most a dozen. */
  yamlDepthMax: 32,
  /** Lists and maps that are names of fields, in each other. */
  yamlKeysInKeysMax: 1,
  /** How often the anchors of a YAML file may be used. */
  yamlAliasesMax: 100,
  snippetsMax: 200_000,
  /** Further warnings are only counted. */
  warningsMax: 10_000,
} as const;
