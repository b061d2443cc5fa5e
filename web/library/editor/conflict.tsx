// Somebody else has saved in between: both versions, and the person chooses or joins them. Nothing is overwritten unseen.
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { useIsPhone } from "../../components/data-table.tsx";
import { Notice } from "../../components/layout.tsx";
import { Time } from "../../components/time.tsx";
import { Comparison } from "../history/comparison.tsx";
import { useLibrary } from "../library-context.tsx";
import { initialNameOfAuthor, nameOfAuthor, pathOfFolder } from "../names.ts";
import type { Fields } from "./drafts.ts";
import { type FieldName, fieldsOf } from "./model.ts";
import type { SaveOutcome, TextConflict } from "./save.ts";
import type { Editing, ResolvedText } from "./use-editing.ts";

const labels: Record<FieldName, string> = {
  title: "Title",
  note: "Note",
  shortcut: "Shortcut",
  folderId: "Folder",
  tagIds: "Tags",
};

export const hasConflict = ({ fieldConflicts, textConflicts }: SaveOutcome): boolean =>
  fieldConflicts.length + textConflicts.length > 0;

interface ConflictProps {
  readonly outcome: SaveOutcome;
  readonly editing: Editing;
  /** Saves what was chosen. */
  readonly onResolved: () => void;
  /** Back to writing, with nothing chosen. */
  readonly onClose: () => void;
}

export function Conflict({ outcome, editing, onResolved, onClose }: ConflictProps) {
  const { snippet, fieldConflicts, textConflicts } = outcome;
  const theirs = fieldsOf(snippet);
  const [takesTheirs, setTakesTheirs] = useState<ReadonlySet<FieldName>>(new Set());
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const resolve = () => {
    const resolved = textConflicts.map(
      (conflict): ResolvedText => ({
        variationId: conflict.mine.variationId,
        type: conflict.mine.type === conflict.mine.base.type ? conflict.theirs.content_type : conflict.mine.type,
        content: texts.get(conflict.mine.variationId) ?? conflict.mine.content,
        theirs: conflict.theirs,
      }),
    );
    editing.resolve(outcome, takesTheirs, resolved);
    onResolved();
  };
  return (
    <section aria-labelledby="conflict-title" className="flex min-h-0 flex-1 flex-col">
      <div className="border-line flex flex-wrap items-center gap-2 border-b px-3 py-2 md:px-6">
        <h2 id="conflict-title" className="min-w-0 flex-1 basis-20 font-semibold">
          Resolve conflict
        </h2>
        <Button size="small" variant="quiet" onClick={onClose}>
          Back
        </Button>
        <Button size="small" variant="primary" onClick={resolve}>
          Save result
        </Button>
      </div>
      <div className="grid min-h-0 flex-1 content-start gap-5 overflow-y-auto px-3 py-4 md:px-6">
        <div role="alert">
          <Notice tone="warn">
            <p>
              <strong className="font-semibold">
                <bdi>{initialNameOfAuthor(snippet.updated_by)}</bdi> saved changes{" "}
                <Time at={snippet.updated_at} part="relative" />, while you were editing.
              </strong>{" "}
              Nothing has been overwritten. Choose what to keep.
            </p>
          </Notice>
        </div>
        {fieldConflicts.map((name) => (
          <FieldChoice
            key={name}
            name={name}
            mine={editing.fields}
            theirs={theirs}
            isTheirs={takesTheirs.has(name)}
            onChoose={(isTheirs) => {
              const next = new Set(takesTheirs);
              if (isTheirs) next.add(name);
              else next.delete(name);
              setTakesTheirs(next);
            }}
          />
        ))}
        {textConflicts.map((conflict) => (
          <TextChoice
            key={conflict.mine.variationId}
            conflict={conflict}
            hasName={snippet.variations.length > 1}
            onChange={(text) => setTexts((before) => new Map([...before, [conflict.mine.variationId, text]]))}
          />
        ))}
      </div>
    </section>
  );
}

function FieldChoice({
  name,
  mine,
  theirs,
  isTheirs,
  onChoose,
}: {
  name: FieldName;
  mine: Fields;
  theirs: Fields;
  isTheirs: boolean;
  onChoose: (isTheirs: boolean) => void;
}) {
  const { folders } = useLibrary();
  const textOf = (fields: Fields): string => {
    const value = fields[name];
    if (name !== "folderId") return String(value) || "Empty";
    if (typeof value !== "string") return "No folder";
    return pathOfFolder(folders, value)
      .map((folder) => folder.folder_name)
      .join(" / ");
  };
  return (
    <fieldset className="grid min-w-0 gap-2 sm:grid-cols-2">
      <legend className="mb-1 font-medium">{labels[name]}</legend>
      {[true, false].map((side) => (
        <label
          key={String(side)}
          className="border-line has-checked:border-accent has-checked:bg-accent-soft flex min-h-11 min-w-0 items-start gap-2.5 rounded-md border px-3 py-2"
        >
          <input
            type="radio"
            name={`conflict ${name}`}
            checked={isTheirs === side}
            onChange={() => onChoose(side)}
            className="accent-accent mt-0.5 size-4.5 shrink-0"
          />
          <span className="grid min-w-0 gap-0.5">
            <span className="text-quiet text-[0.8125rem]">{side ? "Theirs" : "Yours"}</span>
            <span dir="auto" className="wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">
              {textOf(side ? theirs : mine)}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function TextChoice({
  conflict: { mine, theirs },
  hasName,
  onChange,
}: {
  conflict: TextConflict;
  hasName: boolean;
  onChange: (text: string) => void;
}) {
  const isPhone = useIsPhone();
  /** What the editable side begins with, and how often it began. */
  const [start, setStart] = useState({ text: mine.content, count: 0 });
  const take = (text: string) => {
    setStart(({ count }) => ({ text, count: count + 1 }));
    onChange(text);
  };
  return (
    <section aria-label={`Text of ${theirs.name}`} className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 flex-1 basis-20 font-medium wrap-anywhere">{hasName ? theirs.name : "Text"}</h3>
        <Button size="small" onClick={() => take(theirs.content)}>
          Use theirs
        </Button>
        <Button size="small" onClick={() => take(mine.content)}>
          Use yours
        </Button>
      </div>
      <div className="border-line min-w-0 overflow-hidden rounded-md border">
        {!isPhone && (
          <div className="border-line bg-sunken text-quiet grid grid-cols-2 gap-9 border-b px-3 py-1.5 text-[0.8125rem] font-medium">
            <p>
              Theirs, by <bdi>{nameOfAuthor(theirs.changed_by)}</bdi>
            </p>
            <p>Yours (will be saved)</p>
          </div>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
        <section aria-label="Comparison" tabIndex={0} className="max-h-[60vh] overflow-y-auto">
          <Comparison
            key={start.count}
            before={{ label: "Their version", text: theirs.content }}
            after={{ label: "Your version", text: start.text }}
            contentType={mine.type}
            layout={isPhone ? "inline" : "side"}
            onChange={onChange}
          />
        </section>
      </div>
    </section>
  );
}
