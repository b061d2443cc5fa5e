// The change of an audit entry: each field before and after.
import { formatCount, formatMoment, formatUsd } from "../../components/index.ts";
import { type AuditEntry, fieldLabel } from "./sentences.ts";

export function Details({ entry }: { entry: AuditEntry }) {
  const names = [...new Set([...Object.keys(entry.before ?? {}), ...Object.keys(entry.after ?? {})])];
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
                <Row key={name} name={name} before={entry.before?.[name]} after={entry.after?.[name]} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <dl className="text-quiet grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-[0.8125rem]">
        <Fact name="Event" value={entry.action} />
        <Fact name="Time" value={entry.at} />
        <Fact
          name="IP address"
          value={entry.client_address ?? (entry.actor_kind === "unknown" ? "several" : "this server")}
        />
        {entry.target_id !== null && <Fact name="ID" value={entry.target_id} />}
      </dl>
    </div>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd className="text-text min-w-0 font-mono text-[0.6875rem] leading-5 tracking-tight break-all sm:text-xs sm:tracking-normal">
      {value}
    </dd>
  </>
);

function Row({ name, before, after }: { name: string; before: unknown; after: unknown }) {
  const isChanged = JSON.stringify(before) !== JSON.stringify(after);
  return (
    <tr className="border-line border-t align-top">
      <th scope="row" className="text-quiet px-3 py-1.5 font-medium break-words">
        {fieldLabel(name)}
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
    <bdi className="break-words whitespace-pre-wrap">
      {name.endsWith("_cents") && typeof value === "number"
        ? formatUsd(value)
        : name === "overlap" && value === "now"
          ? "none"
          : name === "method" || name === "second_factor" || name === "reason"
            ? (words[String(value)] ?? formatValue(value))
            : formatValue(value)}
    </bdi>
  );

/** Ways to sign in, and why an attempt was refused. */
const words: Readonly<Record<string, string>> = {
  single_sign_on: "single sign-on",
  recovery_code: "recovery code",
  link: "password reset link",
  confirmation: "password confirmation",
  disabled: "disabled account",
  too_many: "too many attempts",
};

const momentPattern = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Formats a JSON value for people. */
function formatValue(value: unknown): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return formatCount(value);
  if (typeof value === "string") return momentPattern.test(value) ? formatMoment(value) : value;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(formatValue).join(", ");
  // An object with a name is shown by its name; the row with its id is separate.
  if (typeof value === "object" && "name" in value) return formatValue(value.name);
  return JSON.stringify(value);
}
