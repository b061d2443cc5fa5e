import { CommonplaceError } from "./errors.ts";
import type { RawAnswer } from "./exchange.ts";
import { type Operation } from "./operation.ts";
/**
 * @param apiKey what no error may show, even where a proxy's page repeats the request
 * @returns the envelope with its `response`, or the error that the answer stands for
 */
export declare function readAnswer(operation: Operation, answer: RawAnswer, apiKey: string): object | CommonplaceError;
