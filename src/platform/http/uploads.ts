// Limits the large bodies that are in memory at the same time: while they are read, and until their requests are done.
import { limits } from "../../contract/limits.ts";
import { InFlight } from "../in-flight.ts";

export class Uploads extends InFlight {
  constructor() {
    const bytes = limits.requestBodyBytesMax;
    super({ total: 6 * bytes, workspace: 5 * bytes, key: 3 * bytes }, 2 * bytes);
  }
}
