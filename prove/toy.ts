import { expect } from "bun:test";
import { limits } from "../src/contract/limits.ts";
import { startService } from "../test/support/service.ts";
import type { Prove } from "./proof.ts";
export const toy: Prove = async (run) => {
  const { client } = await startService({});
  await client.getMe();
  for (let i = 0; i < 10; i++) {
    run.made.runs += 1;
    run.made.inputs += 3;
    run.show(`${i}`, i / 10);
    await Bun.sleep(50);
  }
  if (limits.titleLengthMax !== 200) expect({ title: 200 }).toEqual({ title: 201 });
  return ["a note"];
};
