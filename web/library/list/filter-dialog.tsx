// The dialog with all filters. Those on teams, folders and tags are also in the left pane.
import { useState } from "react";
import { FormDialog } from "../../components/dialog.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { emptyView, type Shelf } from "../address.ts";
import { guessedType, languages } from "../editor/languages.ts";
import { useLibrary } from "../library-context.tsx";
import { useAuthors } from "./authors.ts";

/** Chosen to type a content type that only programs know. */
const other = "other";

const isListed = (contentType: string): boolean =>
  contentType === guessedType || languages.some(({ id }) => id === contentType);

export function FilterDialog({ onClose }: { onClose: () => void }) {
  const { view, change, tree, folders } = useLibrary();
  const authors = useAuthors(true);
  const [filters, setFilters] = useState(view);
  const [isOther, setIsOther] = useState(view.contentType !== undefined && !isListed(view.contentType));
  const set = (changes: Partial<typeof filters>) => setFilters((before) => ({ ...before, ...changes }));
  const optional = (value: string) => value.trim() || undefined;
  const folder = filters.folderId === undefined ? undefined : folders.get(filters.folderId);
  return (
    <FormDialog
      size="small"
      title="Filter snippets"
      submitLabel="Show snippets"
      onClose={onClose}
      onSubmit={() => {
        const { teamId, isInside, contentType, authorId, since, shelf } = filters;
        const isOfTeam = teamId === undefined || folder?.team_id === teamId;
        change({ teamId, isInside, contentType, authorId, since, shelf, ...(!isOfTeam && { folderId: undefined }) });
        onClose();
      }}
    >
      <SelectField
        label="Team"
        value={filters.teamId ?? ""}
        onChange={({ target }) => set({ teamId: optional(target.value) })}
      >
        <option value="">All teams</option>
        {tree?.teams.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {folder && (
        <SelectField
          label={`Subfolders of ${folder.folder_name}`}
          value={filters.isInside ? "yes" : "no"}
          onChange={({ target }) => set({ isInside: target.value === "yes" })}
        >
          <option value="yes">Included</option>
          <option value="no">Not included</option>
        </SelectField>
      )}
      <SelectField
        label="Created by"
        value={filters.authorId ?? ""}
        onChange={({ target }) => set({ authorId: optional(target.value) })}
      >
        <option value="">Anyone</option>
        {authors.map(({ id, name, kind }) => (
          <option key={id} value={id}>
            {kind === "key" ? `${name} (API key)` : name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Content type"
        value={isOther ? other : (filters.contentType ?? "")}
        onChange={({ target }) => {
          setIsOther(target.value === other);
          set({ contentType: target.value === other ? undefined : optional(target.value) });
        }}
      >
        <option value="">Any</option>
        <option value={guessedType}>Code (language not set)</option>
        {languages.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value={other}>Other</option>
      </SelectField>
      {isOther && (
        <TextField
          label="Other content type"
          hint="As programs write it, such as text/x-latex."
          autoComplete="off"
          spellCheck={false}
          maxLength={50}
          value={filters.contentType ?? ""}
          onChange={({ target }) => set({ contentType: optional(target.value) })}
        />
      )}
      <TextField
        label="Changed since"
        type="date"
        value={filters.since ?? ""}
        onChange={({ target }) => set({ since: optional(target.value) })}
      />
      <SelectField
        label="Archive"
        value={filters.shelf}
        // The options are shelves.
        onChange={({ target }) => set({ shelf: target.value as Shelf })}
      >
        <option value={emptyView.shelf}>Exclude archived snippets</option>
        <option value={"all" satisfies Shelf}>Include archived snippets</option>
        <option value={"archived" satisfies Shelf}>Only archived snippets</option>
      </SelectField>
    </FormDialog>
  );
}
