// Limits the large bodies that are in memory at the same time: while they are read, and until their requests are done.
import { limits } from "../../contract/limits.ts";
import { InFlight } from "./in-flight.ts";

export class Uploads extends InFlight {
  constructor() {
    const bytes = limits.requestBodyBytesMax;
    super({ total: 8 * bytes, workspace: 6 * bytes, key: 4 * bytes }, 2 * bytes);
  }
}
