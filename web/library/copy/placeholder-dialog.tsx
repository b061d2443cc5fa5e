// The form that fills in a text's placeholders. Enter goes to the next empty field, and copies once all are filled in.
import { useEffect, useId, useRef, useState } from "react";
import { cutAtPlaceholders, describeEmpty } from "../../../src/library/placeholders.ts";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import type { Form as PlaceholderForm } from "./use-copy.ts";

/** A browser lays out this many characters in a few milliseconds. */
const previewMax = 20_000;

export function PlaceholderDialog({ form }: { form: PlaceholderForm }) {
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const [focused, setFocused] = useState<string>();
  /** Enter was pressed while fields were empty: pressed again, it copies. */
  const [isAsked, setIsAsked] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const empty = form.names.filter((name) => !values.get(name));
  const pressEnter = (from: string) => {
    const at = form.names.indexOf(from);
    const next = [...form.names.slice(at + 1), ...form.names.slice(0, at + 1)].find((name) => empty.includes(name));
    if (next === undefined || isAsked) return form.submit(values);
    setIsAsked(true);
    fields.current?.querySelectorAll("input")[form.names.indexOf(next)]?.focus();
  };
  const id = useId();
  return (
    <Dialog open onOpenChange={form.close} title="Fill in placeholders" description={form.title}>
      <Form isBusy={false} onSubmit={() => form.submit(values)}>
        <div
          ref={fields}
          className={classNames(
            "-m-1 grid max-h-[calc((100dvh-var(--keyboard))*0.45)] gap-3 overflow-y-auto p-1",
            form.names.length > 2 && "sm:grid-cols-2",
          )}
        >
          {form.names.map((name, index) => {
            const recent = form.recent.get(name) ?? [];
            const listId = `${id}-${index}`;
            return (
              <div key={name}>
                <TextField
                  label={name}
                  autoComplete="off"
                  list={listId}
                  placeholder={recent.length > 0 ? `Recent: ${recent.join(", ")}` : undefined}
                  onFocus={() => setFocused(name)}
                  value={values.get(name) ?? ""}
                  onChange={({ target }) => {
                    setValues(new Map(values).set(name, target.value));
                    setIsAsked(false);
                  }}
                  onKeyDown={(event) => {
                    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
                    event.preventDefault();
                    pressEnter(name);
                  }}
                />
                <datalist id={listId}>
                  {recent.map((value) => (
                    <option key={value} value={value} />
                  ))}
                </datalist>
              </div>
            );
          })}
        </div>
        <Preview text={form.text} values={values} focused={focused} />
        <p role="status" className="text-quiet text-[0.8125rem] empty:hidden">
          {isAsked && `${describeEmpty(form.names, values)}. Press Enter again to copy anyway.`}
        </p>
        <DialogActions>
          <Button variant="quiet" onClick={form.copyRaw}>
            Copy as is
          </Button>
          <Button type="submit" variant="primary">
            Copy
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface PreviewProps {
  readonly text: string;
  readonly values: ReadonlyMap<string, string>;
  /** The placeholder whose value is being typed. */
  readonly focused: string | undefined;
}

/** How the text will read. It follows the field that is typed in. */
function Preview({ text, values, focused }: PreviewProps) {
  const box = useRef<HTMLParagraphElement>(null);
  const typed = focused === undefined ? undefined : values.get(focused);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed moves its place
  useEffect(() => {
    const scroller = box.current;
    const mark = scroller?.querySelector<HTMLElement>("mark[data-focused]");
    if (!scroller || !mark) return;
    const isAbove = mark.offsetTop < scroller.scrollTop;
    const isBelow = mark.offsetTop + mark.offsetHeight > scroller.scrollTop + scroller.clientHeight;
    if (isAbove || isBelow) scroller.scrollTop = mark.offsetTop - scroller.clientHeight / 3;
  }, [focused, typed]);
  return (
    <figure className="border-line bg-sunken min-w-0 rounded-md border">
      <figcaption className="sr-only">Preview</figcaption>
      <p
        ref={box}
        // Each line has the direction of its own text.
        dir="auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="relative max-h-24 overflow-y-auto px-3 py-2 wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext] sm:max-h-40"
      >
        {cutAtPlaceholders(text.slice(0, previewMax)).map(({ text: piece, placeholder }, index) => {
          if (placeholder === undefined) return piece;
          const value = values.get(placeholder);
          const isFocused = placeholder === focused;
          return (
            <mark
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no id, and never change places
              key={index}
              dir="auto"
              data-focused={isFocused || undefined}
              className={classNames(
                "rounded px-0.5 font-medium",
                value ? "bg-accent-soft text-accent" : "bg-warn-soft text-warn",
                isFocused && "outline-accent outline-2",
              )}
            >
              {value || piece}
            </mark>
          );
        })}
        {text.length > previewMax && "…"}
      </p>
    </figure>
  );
}
