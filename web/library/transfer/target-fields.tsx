// Where an import goes, and what it does with what the team has.
import { SelectField } from "../../components/field.tsx";
import { useLibrary } from "../library-context.tsx";
import { type Group, groupsOf, pathNames } from "../tree/group.ts";
import type { ImportTarget } from "./import-run.ts";

interface TargetFieldsProps {
  readonly target: ImportTarget;
  readonly onChange: (changes: Partial<ImportTarget>) => void;
}

export function TargetFields({ target: given, onChange }: TargetFieldsProps) {
  const { teamId, folderId, onDuplicate, allOrNothing } = given;
  const { tree } = useLibrary();
  const teams = tree?.teams.filter(({ may_write }) => may_write) ?? [];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Team"
        value={teamId}
        onChange={({ target }) => onChange({ teamId: target.value, folderId: undefined })}
      >
        {teams.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <FolderField teamId={teamId} value={folderId} onChange={(id) => onChange({ folderId: id })} />
      <SelectField
        label="Duplicates"
        hint="A duplicate has the same text as a snippet in the team, or the same shortcut and content type."
        value={onDuplicate}
        // The options are the choices.
        onChange={({ target }) => onChange({ onDuplicate: target.value as ImportTarget["onDuplicate"] })}
      >
        <option value="skip">Skip</option>
        <option value="replace">Replace the text with a new version</option>
        <option value="create">Keep both</option>
      </SelectField>
      <SelectField
        label="If something can’t be imported"
        hint="You get a list of what can’t be imported, with the reason."
        value={allOrNothing ? "nothing" : "rest"}
        onChange={({ target }) => onChange({ allOrNothing: target.value === "nothing" })}
      >
        <option value="rest">Import the rest</option>
        <option value="nothing">Import nothing</option>
      </SelectField>
    </div>
  );
}

interface FolderFieldProps {
  readonly teamId: string;
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

function FolderField({ teamId, value = "", onChange }: FolderFieldProps) {
  const { tree } = useLibrary();
  const groups = tree ? groupsOf(tree, "folder").filter((group) => group.teamId === teamId) : [];
  const byId = new Map(groups.map((group) => [group.id, group]));
  const pathOf = ({ name, parentId }: Group) => [pathNames(byId, parentId), name].filter(Boolean).join(" / ");
  return (
    <SelectField label="Folder" value={value} onChange={({ target }) => onChange(target.value || undefined)}>
      <option value="">No folder</option>
      {groups.map((group) => (
        <option key={group.id} value={group.id}>
          {pathOf(group)}
        </option>
      ))}
    </SelectField>
  );
}
