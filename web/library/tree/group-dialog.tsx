// The dialogs that create a folder or a tag, and that rename it or change its color.
import { useState } from "react";
import { classNames } from "../../components/class-names.ts";
import { FormDialog } from "../../components/dialog.tsx";
import { NameField, SelectField } from "../../components/field.tsx";
import { quote } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { toast } from "../../components/toast.tsx";
import type { Team } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { drawableColor } from "../names.ts";
import { nextColor, palette } from "./colors.ts";
import type { GroupDialogProps } from "./dialogs.tsx";
import { type Group, useChangeGroup, useCreateGroup } from "./group.ts";
import { closeTreeDialog, type GroupKind, type TreeDialog } from "./open-dialog.ts";

/** As the service accepts it. */
const nameLengthMax = 1_000;

type CreateProps = Extract<TreeDialog, { act: "create" }> & {
  readonly teams: readonly Team[];
  /** All of its kind. */
  readonly groups: readonly Group[];
};

export function CreateDialog({ kind, teamId: givenTeamId, parentId, teams, groups }: CreateProps) {
  const { change } = useLibrary();
  const allowed = teams.filter((team) => team.may_write);
  const given = allowed.find(({ id }) => id === givenTeamId);
  const largest = allowed.toSorted((one, other) => other.snippet_count - one.snippet_count)[0];
  const [teamId, setTeamId] = useState((given ?? largest)?.id ?? "");
  const [name, setName] = useState("");
  const [color, setColor] = useState(() => nextColor(groups.filter((group) => group.teamId === teamId).length));
  const [isSubmitted, setIsSubmitted] = useState(false);
  const parent = groups.find(({ id }) => id === parentId);
  const { create, error, isPending } = useCreateGroup(kind, (id) => {
    toast(`Created ${kind} ${quote(name.trim())}`);
    closeTreeDialog();
    if (kind === "folder") change({ shelf: "current", teamId: undefined, tagIds: [], folderId: id });
  });
  return (
    <FormDialog
      size="small"
      title={parent ? `New ${kind} in ${quote(parent.name)}` : `New ${kind}`}
      submitLabel={`Create ${kind}`}
      noValidate
      isBusy={isPending}
      error={error}
      onClose={closeTreeDialog}
      onSubmit={() => {
        setIsSubmitted(true);
        if (name.trim() !== "") create(teamId, name.trim(), color, parent?.id ?? null);
      }}
    >
      <NameField
        value={name}
        onChange={setName}
        maxLength={nameLengthMax}
        isMissing={isSubmitted && name.trim() === ""}
      />
      {!parent && allowed.length > 1 && (
        <SelectField label="Team" value={teamId} onChange={({ target }) => setTeamId(target.value)}>
          {allowed.map((team) => (
            <option key={team.id} value={team.id}>
              {team.name}
            </option>
          ))}
        </SelectField>
      )}
      <ColorField kind={kind} value={color} onChange={setColor} />
    </FormDialog>
  );
}

export function EditDialog({ group }: GroupDialogProps) {
  const { kind, id } = group;
  const [name, setName] = useState(group.name);
  const [color, setColor] = useState(group.color);
  const { change, error, isPending } = useChangeGroup(kind, () => {
    toast("Changes saved");
    closeTreeDialog();
  });
  return (
    <FormDialog
      size="small"
      title={kind === "folder" ? "Edit folder" : "Edit tag"}
      submitLabel="Save"
      noValidate
      isBusy={isPending}
      error={error}
      onClose={closeTreeDialog}
      onSubmit={() => {
        const changes = {
          ...(name.trim() !== group.name && { name: name.trim() }),
          ...(color !== group.color && { color }),
        };
        if (name.trim() === "") return;
        if (Object.keys(changes).length === 0) closeTreeDialog();
        else change(id, changes);
      }}
    >
      <NameField value={name} onChange={setName} maxLength={nameLengthMax} isMissing={name.trim() === ""} />
      <ColorField kind={kind} value={color} stored={group.color} onChange={setColor} />
    </FormDialog>
  );
}

interface ColorFieldProps {
  readonly kind: GroupKind;
  readonly value: string;
  /** What the service has; a program may have set any other color. */
  readonly stored?: string;
  readonly onChange: (color: string) => void;
}

/** The palette as radio buttons. A stored color outside of it stays a choice. */
function ColorField({ kind, value, stored, onChange }: ColorFieldProps) {
  const colors: { readonly name: string; readonly color: string }[] = [...palette];
  if (stored !== undefined && !palette.some(({ color }) => color === stored))
    colors.unshift({ name: `Current color, ${stored}`, color: stored });
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Color</legend>
      <div className="flex flex-wrap gap-1 sm:grid sm:grid-cols-6 sm:justify-items-start sm:max-w-72">
        {colors.map(({ name, color }) => (
          <label
            key={color}
            title={name}
            className="hover:bg-hover has-focus-visible:outline-accent relative grid size-11 place-items-center rounded-md has-focus-visible:outline-2 sm:size-9"
          >
            <input
              type="radio"
              name={`${kind}-color`}
              aria-label={name}
              checked={value === color}
              onChange={() => onChange(color)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <span
              className={classNames(
                "grid size-6 place-items-center rounded-full",
                drawableColor(color) === undefined && "border-edge border border-dashed",
                value === color && "ring-text ring-offset-surface ring-2 ring-offset-2",
              )}
              style={{ backgroundColor: drawableColor(color) }}
            >
              {value === color && <Icon name="check" className="size-3.5 text-white" />}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
