// The fields of a snippet besides its texts.
import { type ReactNode, type Ref, useId, useState } from "react";
import { useIsPhone } from "../../components/data-table.tsx";
import { TextareaField, TextField } from "../../components/field.tsx";
import { Icon } from "../../components/icons.tsx";
import { textLimits } from "../../limits.ts";
import type { Fields } from "./drafts.ts";
import { FolderField, TagsField } from "./place-fields.tsx";

export function TitleField({
  value,
  onChange,
  isMissing,
  ref,
}: {
  value: string;
  onChange: (title: string) => void;
  /** Saved without one. */
  isMissing: boolean;
  ref?: Ref<HTMLInputElement>;
}) {
  const id = useId();
  const length = [...value].length;
  const error = isMissing
    ? "Enter a title."
    : length > textLimits.titleLengthMax
      ? `Use at most ${textLimits.titleLengthMax} characters. You’ve entered ${length}.`
      : undefined;
  return (
    <div className="grid min-w-0">
      <label htmlFor={id} className="sr-only">
        Title
      </label>
      <input
        ref={ref}
        id={id}
        dir="auto"
        value={value}
        placeholder="Title"
        autoComplete="off"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onChange(event.target.value)}
        // A heading rather than a field. While it is empty, the line below it says that one can write here.
        className="placeholder:text-quiet placeholder-shown:border-edge focus:border-accent aria-invalid:border-danger min-h-11 w-full min-w-0 border-b border-transparent bg-transparent text-xl font-semibold tracking-tight outline-none placeholder:font-normal sm:min-h-9"
      />
      {error && (
        <p id={`${id}-error`} role="alert" className="text-danger flex gap-1.5 text-[0.8125rem]">
          <Icon name="warning" className="mt-0.5 size-4" />
          {error}
        </p>
      )}
    </div>
  );
}

interface DetailFieldsProps {
  readonly teamId: string | undefined;
  readonly fields: Fields;
  readonly onChange: (changes: Partial<Fields>) => void;
  /** Before the others: the team of a new snippet. */
  readonly children?: ReactNode;
}

/** Folder, tags, shortcut, note. On a phone they are folded, so that the text comes first. */
export function DetailFields(props: DetailFieldsProps) {
  const isPhone = useIsPhone();
  if (!isPhone) return <Details {...props} />;
  return (
    <details className="border-line group rounded-md border">
      <summary className="flex min-h-11 items-center justify-between px-3 font-medium">
        Folder, tags, shortcut, note
        <Icon name="chevron" className="text-quiet size-4 group-open:rotate-180" />
      </summary>
      <div className="p-3 pt-1">
        <Details {...props} />
      </div>
    </details>
  );
}

function Details({ teamId, fields: { note, shortcut, folderId, tagIds }, onChange, children }: DetailFieldsProps) {
  const [hasNote, setHasNote] = useState(note !== "");
  return (
    <div className="flex min-w-0 flex-wrap gap-3">
      {children && <div className="min-w-0 flex-1 basis-32">{children}</div>}
      <div className="min-w-0 flex-1 basis-32">
        <FolderField teamId={teamId} folderId={folderId} onChange={(next) => onChange({ folderId: next })} />
      </div>
      <div className="min-w-0 flex-2 basis-44">
        <TagsField teamId={teamId} tagIds={tagIds} onChange={(next) => onChange({ tagIds: next })} />
      </div>
      <div className="min-w-0 flex-1 basis-24">
        <ShortcutField value={shortcut} onChange={(next) => onChange({ shortcut: next })} />
      </div>
      {hasNote || note !== "" ? (
        <TextareaField
          label="Note"
          rows={2}
          maxLength={textLimits.noteLengthMax}
          value={note}
          onChange={(event) => onChange({ note: event.target.value })}
          className="w-full [&>label]:text-quiet [&>label]:text-[0.8125rem]"
        />
      ) : (
        <button
          type="button"
          onClick={() => setHasNote(true)}
          className="text-quiet hover:text-text flex min-h-8 w-full items-center gap-1.5 rounded text-[0.8125rem]"
        >
          <Icon name="plus" className="size-3.5" />
          Add note
        </button>
      )}
    </div>
  );
}

const ShortcutField = ({ value, onChange }: { value: string; onChange: (shortcut: string) => void }) => (
  <TextField
    label="Shortcut"
    placeholder="None"
    autoComplete="off"
    spellCheck={false}
    maxLength={textLimits.shortcutLengthMax}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    className="gap-1! [&>label]:text-quiet [&>label]:text-[0.8125rem]"
  />
);
