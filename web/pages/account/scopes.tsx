// What an access token may do, area by area: chosen in a form, and shown in a list.
import { useId } from "react";
import type { BodyOf } from "../../call.ts";
import { Select } from "../../components/index.ts";
import { useSession } from "../../workspace.tsx";

export type Scopes = BodyOf<"postToken">["scopes"];
type Area = keyof Scopes;

const areas: Readonly<Record<Area, string>> = {
  workspace: "Workspace",
  library: "Library",
  keys: "API keys",
  usage: "Usage",
  log: "Request log",
  billing: "Billing",
  members: "Members",
  invitations: "Invitations",
  owners: "Owners",
  teams: "Teams",
  audit: "Audit log",
};
const names = Object.keys(areas) as Area[];
/** There is nothing to change in these. */
const isReadOnly = (area: Area): boolean => area === "usage" || area === "log" || area === "audit";
/** Reading is part of the members. */
const isWriteOnly = (area: Area): boolean => area === "owners";

export function ScopesField({ value, onChange }: { value: Scopes; onChange: (value: Scopes) => void }) {
  const hintId = useId();
  const { is_billing_on } = useSession();
  const offered = names.filter((area) => area !== "billing" || is_billing_on);
  const choose = (area: Area, level: string) => {
    const { [area]: _, ...rest } = value;
    onChange(level === "read" || level === "write" ? { ...rest, [area]: level } : rest);
  };
  return (
    <fieldset className="grid min-w-0 gap-2" aria-describedby={hintId}>
      <legend className="mb-1 font-medium">Access</legend>
      <p id={hintId} className="text-quiet text-[0.8125rem]">
        A token can never do more than you can. To change who is an owner, a token needs access to “Owners” and also to
        “Members” or “Invitations”.
      </p>
      <ul className="border-line divide-line max-h-64 divide-y overflow-y-auto rounded-md border">
        {offered.map((area) => (
          <li key={area} className="flex items-center justify-between gap-3 px-3 py-1.5">
            <label htmlFor={`scope-${area}`} className="min-w-0 flex-1">
              {areas[area]}
            </label>
            <Select
              id={`scope-${area}`}
              className="w-40 shrink-0"
              value={value[area] ?? ""}
              onChange={(event) => choose(area, event.target.value)}
            >
              <option value="">No access</option>
              {!isWriteOnly(area) && <option value="read">Read</option>}
              {!isReadOnly(area) && <option value="write">{isWriteOnly(area) ? "Change" : "Read and write"}</option>}
            </Select>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** In one line: `Library: read; API keys: read and write` */
export const formatScopes = (scopes: Readonly<Record<string, unknown>>): string =>
  names
    .filter((area) => scopes[area] !== undefined)
    .map(
      (area) => `${areas[area]}: ${scopes[area] === "read" ? "read" : isWriteOnly(area) ? "change" : "read and write"}`,
    )
    .join("; ");

/** The areas that a token reads, and those that it also changes. */
export function ScopesText({ scopes }: { scopes: Readonly<Record<string, string>> }) {
  const of = (level: string) => names.filter((area) => scopes[area] === level).map((area) => areas[area].toLowerCase());
  const [read, written] = [of("read"), of("write")];
  return (
    <span className="block">
      {read.length > 0 && <span className="block">Read: {read.join(", ")}</span>}
      {written.length > 0 && <span className="block">Read and write: {written.join(", ")}</span>}
    </span>
  );
}
