// The beginning of a table, with a choice of the field for each column.
import { Checkbox, Select } from "../../components/field.tsx";
import { type ColumnFields, type Field, fieldNames, type Table, withField } from "./columns.ts";

interface ColumnsFieldProps {
  readonly table: Table;
  /** Undefined where nobody has chosen: then they are as they were read. */
  readonly value: ColumnFields | undefined;
  readonly onChange: (value: ColumnFields) => void;
}

export function ColumnsField({ table: { rows, fields, has_headings }, value: chosen, onChange }: ColumnsFieldProps) {
  const [first = []] = rows;
  const value = chosen ?? { fields, hasHeadings: has_headings };
  const shown = value.hasHeadings ? rows.slice(1) : rows;
  return (
    // Where every column is known, there is seldom anything to choose.
    <details open={fields.includes(null)} className="min-w-0">
      <summary className="mb-1.5 cursor-pointer font-medium">Columns</summary>
      <section
        aria-label="First rows of the table"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        className="border-line overflow-x-auto rounded-md border"
      >
        <table className="w-full border-collapse text-left">
          <thead>
            <tr>
              {first.map((heading, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file never change their order
                <th key={at} scope="col" className="border-line min-w-40 border-b p-2 align-top font-normal">
                  {value.hasHeadings && <span className="block max-w-60 truncate pb-1.5 font-medium">{heading}</span>}
                  <Select
                    aria-label={`Column ${at + 1}`}
                    value={value.fields[at] ?? ""}
                    // The options are the fields.
                    onChange={({ target }) => onChange(withField(value, at, (target.value || null) as Field | null))}
                  >
                    <option value="">Don’t import</option>
                    {Object.entries(fieldNames).map(([field, name]) => (
                      <option key={field} value={field}>
                        {name}
                      </option>
                    ))}
                  </Select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a file never change their order
              <tr key={row} className="border-line border-b last:border-b-0">
                {cells.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file never change their order
                  <td key={at} className="text-quiet max-w-60 truncate px-3 py-1.5 text-xs">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Checkbox
        label="The first row has headings"
        checked={value.hasHeadings}
        onChange={({ target }) => onChange({ ...value, hasHeadings: target.checked })}
      />
      {chosen && !value.fields.includes("content") && (
        <p role="alert" className="text-danger">
          Choose the column with the text of each snippet.
        </p>
      )}
    </details>
  );
}
