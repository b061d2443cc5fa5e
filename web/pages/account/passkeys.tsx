// The person's passkeys: a fingerprint or a face instead of a password.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callAuth, useConsoleQuery, useCustomMutation } from "../../api.ts";
import {
  Button,
  Card,
  DataTable,
  EmptyState,
  FormDialog,
  Menu,
  Notice,
  PasswordField,
  quote,
  TextField,
  Time,
  toast,
} from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { addPasskey, type Passkey, supportsPasskeys } from "../../passkeys.ts";
import { signInMessage } from "../../sign-in-messages.ts";
import { usePerson } from "../../workspace.tsx";
import { PasswordDialog } from "./second-factor-dialogs.tsx";

const nameOf = ({ name }: Passkey): string => name || "Passkey";

export function PasskeysCard() {
  const signInOptions = useConsoleQuery("getSignIn").data?.data;
  const passkeys = useQuery({
    queryKey: ["passkeys"],
    queryFn: () => callAuth<readonly Passkey[]>("GET", "/passkey/list-user-passkeys"),
  });
  const [naming, setNaming] = useState<Passkey | "new" | undefined>();
  const [removing, setRemoving] = useState<Passkey | undefined>();
  const remove = useCustomMutation(
    ({ id, password }: { id: string; password: string | undefined }) =>
      callAuth("POST", "/passkey/delete-passkey", { id, password }),
    () => {
      setRemoving(undefined);
      toast("Passkey removed");
    },
  );
  if (signInOptions?.passkeys === false) return null;
  const isSupported = supportsPasskeys();
  return (
    <Card
      title="Passkeys"
      description="Sign in with your fingerprint, face, or device PIN. Passkeys are phishing-resistant."
      isFlush
      actions={isSupported && <Button onClick={() => setNaming("new")}>Add passkey</Button>}
    >
      {!isSupported && (
        <div className="px-4 pb-4 sm:px-5">
          <Notice>
            <p>This browser doesn’t support passkeys.</p>
          </Notice>
        </div>
      )}
      <DataTable
        label="Your passkeys"
        rows={passkeys.data}
        rowKey={({ id }) => id}
        error={passkeys.error}
        onRetry={() => void passkeys.refetch()}
        empty={<EmptyState icon="passkey" title="No passkeys yet" />}
        columns={[
          {
            id: "name",
            head: "Name",
            isTitle: true,
            cell: (row) => <span className="break-words">{nameOf(row)}</span>,
          },
          {
            id: "kind",
            head: "Stored",
            cell: ({ backedUp }) => (backedUp ? "In your password manager" : "On one device"),
          },
          { id: "added", head: "Added", cell: ({ createdAt }) => <Time at={createdAt} part="day" /> },
          {
            id: "actions",
            head: "Actions",
            isActions: true,
            cell: (row) => (
              <Menu
                label={`Actions for ${nameOf(row)}`}
                items={[
                  { label: "Rename", onSelect: () => setNaming(row) },
                  { label: "Remove", tone: "danger", onSelect: () => setRemoving(row) },
                ]}
              />
            ),
          },
        ]}
      />
      {naming && <NameDialog passkey={naming} onClose={() => setNaming(undefined)} />}
      {removing && (
        <PasswordDialog
          title={`Remove ${quote(nameOf(removing))}?`}
          submitLabel="Remove passkey"
          tone="danger"
          isBusy={remove.isPending}
          error={remove.error}
          onSubmit={(password) => remove.mutate({ id: removing.id, password })}
          onClose={() => setRemoving(undefined)}
        >
          <p>
            You won’t be able to sign in with this passkey. Your device may keep offering it until you remove it there
            too.
          </p>
        </PasswordDialog>
      )}
    </Card>
  );
}

function NameDialog({ passkey, onClose }: { passkey: Passkey | "new"; onClose: () => void }) {
  const isNew = passkey === "new";
  const [name, setName] = useState(isNew ? "" : nameOf(passkey));
  const { has_password } = usePerson();
  const [password, setPassword] = useState("");
  const save = useCustomMutation(
    async () => {
      if (isNew) await addPasskey(name, has_password ? password : undefined);
      else await callAuth("POST", "/passkey/update-passkey", { id: passkey.id, name });
    },
    () => {
      toast(isNew ? "Passkey added" : "Passkey renamed");
      onClose();
    },
  );
  return (
    <FormDialog
      size="small"
      title={isNew ? "Add passkey" : "Rename passkey"}
      {...(isNew && { description: "Next, your browser will ask where to save it." })}
      submitLabel={isNew ? "Continue" : "Save name"}
      isBusy={save.isPending}
      error={signInMessage(save.error)}
      onSubmit={() => save.mutate(undefined)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="A name you’ll recognize, such as “Work laptop”."
        required
        maxLength={limits.tokenNameLengthMax}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {isNew && has_password && (
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
    </FormDialog>
  );
}
