// P2: no key reads, changes, counts, or infers anything of another workspace or of a team that it does not reach.
import { isInQuery, type Place, type Request } from "../test/support/case.ts";
import { startService } from "../test/support/service.ts";
import { cellsOfPlace, makeStranger, placesOfAll, proveCells } from "./isolation-cells.ts";
import type { Prove, Run } from "./proof.ts";
import { Random } from "./random.ts";
import { proveTwoWorlds } from "./two-worlds.ts";

const roundsOf = { long: 2, short: 0, control: 1 };
const sequencesOf = { long: 2_000, short: 6, control: 60 };

export const prove: Prove = async (run) => {
  const sequences = () => proveTwoWorlds(run, sequencesOf[run.form]);
  // Most planted faults are found by a few sequences.
  if (run.form === "control") return [await sequences(), await proveAllCells(run)];
  return [await proveAllCells(run), await sequences()];
};

async function proveAllCells(run: Run): Promise<string> {
  const random = new Random(run.seed);
  const rounds = roundsOf[run.form];
  let cells = 0;
  for (let round = 0; round < rounds && !run.isOver(); round += 1) {
    const strangers = await makeStranger();
    for (const [name, , place] of placesOfAll) {
      await proveCells(await startService(), strangers, name, place, round === 0 ? undefined : spelling(place, random));
      cells += cellsOfPlace;
      run.made.inputs += cellsOfPlace;
      run.show(`${cells} cells of ${placesOfAll.length} places`, cells / (rounds * placesOfAll.length * cellsOfPlace));
    }
    run.made.runs += 1;
  }
  return `${cells.toLocaleString("en-US")} cells of ${placesOfAll.length} places that carry an ID`;
}

/** Writes a request in another way that means the same: under another name, in capitals, as a JSON array. */
function spelling(place: Place, random: Random): (request: Request) => Request {
  if (!isInQuery(place)) return (request) => request;
  const [name, isUpper, isArray] = [
    random.pick(place.names),
    random.isTrue(),
    place.role === "list" && random.isTrue(),
  ];
  return ({ query = {}, ...rest }) => ({
    ...rest,
    query: Object.fromEntries(
      Object.entries(query).map(([parameter, value]) => {
        if (parameter !== place.names[0]) return [parameter, value];
        const spelled = isUpper ? value.toUpperCase() : value;
        return [name, isArray ? JSON.stringify([spelled]) : spelled];
      }),
    ),
  });
}
