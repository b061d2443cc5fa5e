// The change of an audit entry: each field before and after.
import { formatCount, formatMoment, formatUsd } from "../../components/index.ts";
import { formatScopes } from "../account/scopes.tsx";
import { type AuditEntry, fieldLabel } from "./sentences.ts";

export function Details({ entry }: { entry: AuditEntry }) {
  const names = [...new Set([...Object.keys(entry.before ?? {}), ...Object.keys(entry.after ?? {})])].filter(
    // The password was right: nothing was refused.
    (name) => !(entry.action === "sign_in.password" && name === "reason"),
  );
  return (
    <div className="grid min-w-0 gap-3">
      {names.length > 0 && (
        <div className="border-line min-w-0 rounded-md border">
          <table className="w-full table-fixed border-collapse text-left text-[0.8125rem]">
            <caption className="sr-only">Changes</caption>
            <thead className="text-quiet text-xs">
              <tr>
                <th scope="col" className="w-[36%] px-3 py-1.5 font-medium sm:w-1/4">
                  Field
                </th>
                <th scope="col" className="px-3 py-1.5 font-medium">
                  Before
                </th>
                <th scope="col" className="px-3 py-1.5 font-medium">
                  After
                </th>
              </tr>
            </thead>
            <tbody>
              {names.map((name) => (
                <Row
                  key={name}
                  name={name}
                  label={fieldLabel(name, entry.action)}
                  before={entry.before?.[name]}
                  after={entry.after?.[name]}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <dl className="text-quiet grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-[0.8125rem]">
        <Fact name="Event" value={entry.action} />
        <Fact name="Time" value={entry.at} />
        <Fact name="IP address" value={entry.client_address ?? withoutAddress[entry.actor_kind]} />
        {entry.target_id !== null && <Fact name="ID" value={entry.target_id} />}
      </dl>
    </div>
  );
}

/** What stands in place of an address. Those of deleted accounts are removed, and people do not see those of operators. */
const withoutAddress: Readonly<Record<AuditEntry["actor_kind"], string>> = {
  person: "not available",
  token: "not available",
  command: "this server",
  payment: "this server",
  service: "this server",
  unknown: "multiple",
};

const Fact = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd className="text-text min-w-0 font-mono text-[0.6875rem] leading-5 tracking-tight break-all sm:text-xs sm:tracking-normal">
      {value}
    </dd>
  </>
);

interface RowProps {
  readonly name: string;
  readonly label: string;
  readonly before: unknown;
  readonly after: unknown;
}

function Row({ name, label, before, after }: RowProps) {
  const isChanged = JSON.stringify(before) !== JSON.stringify(after);
  return (
    <tr className="border-line border-t align-top">
      <th scope="row" className="text-quiet px-3 py-1.5 font-medium break-words">
        {label}
      </th>
      <td className="px-3 py-1.5">
        <Value name={name} value={before} />
      </td>
      <td className={isChanged && after !== undefined ? "px-3 py-1.5 font-medium" : "text-quiet px-3 py-1.5"}>
        <Value name={name} value={after} />
      </td>
    </tr>
  );
}

const Value = ({ name, value }: { name: string; value: unknown }) =>
  value === undefined ? (
    <span className="text-quiet">–</span>
  ) : (
    <bdi className="break-words whitespace-pre-wrap">{formatField(name, value)}</bdi>
  );

/** The values of some fields, in the words of the console. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sign_in: {
    any: "any method",
    second_factor: "two-factor authentication",
    single_sign_on: "single sign-on",
    second_factor_or_single_sign_on: "two-factor authentication or single sign-on",
  },
  method: { single_sign_on: "single sign-on" },
  second_factor: { recovery_code: "recovery code" },
  // Why a sign-in was refused.
  reason: {
    password: "incorrect password",
    code: "incorrect code",
    recovery_code: "incorrect recovery code",
    passkey: "passkey not accepted",
    single_sign_on: "single sign-on failed",
    link: "invalid password reset link",
    confirmation: "incorrect password while signed in",
    disabled: "disabled account",
    too_many: "too many attempts",
  },
  scope: { read: "read only", read_write: "read and write" },
  overlap: { now: "none", "1h": "1 hour", "24h": "24 hours", "7d": "7 days" },
};

const switches = new Set(["quota", "key_expiration", "refused_requests"]);

function formatField(name: string, value: unknown): string {
  if (name.endsWith("_cents") && typeof value === "number") return formatUsd(value);
  if (switches.has(name) && typeof value === "boolean") return value ? "on" : "off";
  if (name === "scopes" && isRecord(value)) return formatScopes(value);
  return (typeof value === "string" ? words[name]?.[value] : undefined) ?? formatValue(value);
}

const momentPattern = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Formats a JSON value for people. */
function formatValue(value: unknown): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return formatCount(value);
  if (typeof value === "string") return momentPattern.test(value) ? formatMoment(value) : value;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(formatValue).join(", ");
  if (!isRecord(value)) return String(value);
  // A team is shown by its name, and with the role in it. Entries of earlier versions have only the ID of an invitation's team.
  const subject = value.name ?? value.teamId ?? value.team_id;
  if (subject === undefined) return JSON.stringify(value);
  return typeof value.role === "string" ? `${formatValue(subject)} (${value.role})` : formatValue(subject);
}
