// The form that fills in a text's placeholders. Enter copies the result.
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { cutAtPlaceholders } from "./placeholders.ts";
import type { Form as PlaceholderForm } from "./use-copy.ts";

const previewMax = 2_000;

export function PlaceholderDialog({ form }: { form: PlaceholderForm }) {
  const [values, setValues] = useState(form.values);
  const own = new Map(form.names.flatMap((name) => [[name, values.get(name) ?? ""] as const]));
  return (
    <Dialog open onOpenChange={form.close} title="Fill in placeholders" description={form.title}>
      <Form isBusy={false} onSubmit={() => form.submit(own)}>
        <div
          className={classNames(
            "-m-1 grid max-h-[45dvh] gap-3 overflow-y-auto p-1",
            form.names.length > 2 && "sm:grid-cols-2",
          )}
        >
          {form.names.map((name) => (
            <TextField
              key={name}
              label={name}
              autoComplete="off"
              // What was typed before is replaced by typing.
              onFocus={({ target }) => target.select()}
              value={own.get(name) ?? ""}
              onChange={({ target }) => setValues(new Map(values).set(name, target.value))}
            />
          ))}
        </div>
        <Preview text={form.text} values={own} />
        <DialogActions>
          <Button variant="quiet" onClick={form.copyRaw}>
            Copy with placeholders
          </Button>
          <Button type="submit" variant="primary">
            Copy
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** How the text will read. */
const Preview = ({ text, values }: { text: string; values: ReadonlyMap<string, string> }) => (
  <figure className="border-line bg-sunken min-w-0 rounded-md border">
    <figcaption className="sr-only">Preview</figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
    <p tabIndex={0} className="max-h-24 overflow-y-auto sm:max-h-40 px-3 py-2 wrap-anywhere whitespace-pre-wrap">
      {cutAtPlaceholders(text.slice(0, previewMax)).map(({ text: piece, placeholder }, index) =>
        placeholder === undefined ? (
          piece
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no id, and never change places
          <mark key={index} className="bg-accent-soft text-accent rounded px-0.5 font-medium">
            {values.get(placeholder) || piece}
          </mark>
        ),
      )}
      {text.length > previewMax && "…"}
    </p>
  </figure>
);
