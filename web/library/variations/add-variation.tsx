// Adds a variation to a snippet.
import { useState } from "react";
import { useConsoleMutation } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { FormError, SelectField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { toast } from "../../components/toast.tsx";
import { textLimits } from "../../limits.ts";
import { type Snippet, useReadText } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { refreshed } from "./refresh.ts";

const emptyStart = "";

export function AddVariation({ snippet, onAdded }: { snippet: Snippet; onAdded: () => void }) {
  const { view, change } = useLibrary();
  const readText = useReadText();
  const { variations } = snippet;
  const [name, setName] = useState("");
  const [startId, setStartId] = useState(view.variationId ?? variations[0]?.id ?? emptyStart);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const add = useConsoleMutation("postLibrarySnippetVariations", {
    invalidates: refreshed,
    onSuccess: ({ variations: [added] }) => {
      toast("Variation added");
      if (added) change({ mode: "edit", variationId: added.id }, "replace");
      onAdded();
    },
  });
  const isFull = variations.length >= textLimits.variationsPerSnippetMax;
  const submit = async () => {
    const variationName = name.trim();
    if (variationName === "") {
      setError("Enter a name.");
      return;
    }
    setIsBusy(true);
    setError(undefined);
    try {
      const start = variations.find(({ id }) => id === startId);
      const content = start
        ? { type: start.content_type, content: await readText(start) }
        : { type: variations[0]?.content_type ?? "plaintext", content: "" };
      add.mutate(
        { query: { snippetId: snippet.id }, body: { variations: [{ variationName, content }] } },
        { onError: setError },
      );
    } catch (cause) {
      setError(cause);
    } finally {
      setIsBusy(false);
    }
  };
  if (isFull) return <p className="text-quiet">This snippet has the maximum number of variations.</p>;
  return (
    <Form isBusy={isBusy || add.isPending} onSubmit={() => void submit()} className="gap-3">
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField
          label="New variation"
          placeholder="Name"
          autoComplete="off"
          maxLength={textLimits.variationNameLengthMax}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField label="Start from" value={startId} onChange={({ target }) => setStartId(target.value)}>
          <option value={emptyStart}>Blank</option>
          {variations.map((variation) => (
            <option key={variation.id} value={variation.id}>
              Copy of {variation.name}
            </option>
          ))}
        </SelectField>
      </div>
      <FormError error={error} />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" isBusy={isBusy || add.isPending}>
          Add variation
        </Button>
      </div>
    </Form>
  );
}
