// Which names of environment variables are settings, and what was probably meant by one that is not.
import { closestName } from "../contract/closest-name.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { settings } from "./settings.ts";

const prefix = "COMMONPLACE_";
const names = settings.map(({ name }) => name.slice(prefix.length));

/** More names do not help. */
const meantMax = 3;

const anyOf = new Intl.ListFormat("en", { type: "disjunction" });

/** @throws OperatorError that names the first variable that is not a setting */
export function requireKnownNames(environment: Readonly<Record<string, string | undefined>>): void {
  const unknown = Object.entries(environment).find(
    ([name, value]) =>
      name.startsWith(prefix) && !names.includes(name.slice(prefix.length)) && !isServiceLink(name, value),
  )?.[0];
  if (unknown === undefined) return;
  const meant = namesMeant(unknown.slice(prefix.length)).map((name) => `${prefix}${name}`);
  const advice =
    meant.length > 0 ? `Did you mean ${anyOf.format(meant)}?` : "Run ./commonplace serve --help for a list";
  throw new OperatorError(`${unknown} is not a setting. ${advice}`);
}

/** Kubernetes sets such variables in every pod: for a service named `commonplace`, `COMMONPLACE_PORT=tcp://10.96.0.7:443`. */
const isServiceLink = (name: string, value = ""): boolean =>
  /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(value));

/** The name that is misspelled, or else the few that have all words of it. Without the prefix, which makes all names similar. */
function namesMeant(name: string): readonly string[] {
  const closest = closestName(name, names);
  if (closest !== undefined) return [closest];
  const words = name.split("_");
  const longer = names.filter((known) => words.every((word) => known.split("_").includes(word)));
  return longer.length <= meantMax ? longer : [];
}
