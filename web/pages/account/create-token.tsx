// Creates a personal access token.
import { useState } from "react";
import { defaultWorkspace } from "../../address.ts";
import { useConsoleMutation, useForgetSecrets } from "../../api.ts";
import {
  Button,
  CodeBlock,
  Dialog,
  DialogActions,
  Form,
  FormError,
  formatDay,
  Notice,
  quote,
  SelectField,
  TextField,
} from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { dayMilliseconds } from "../../time.ts";
import { useSession } from "../../workspace.tsx";
import { type Scopes, ScopesField } from "./scopes.tsx";

const lifetimes = [7, 30, 90, 180, limits.tokenDaysMax - 1];
const expiryAfter = (days: number): string => new Date(Date.now() + days * dayMilliseconds).toISOString();

/** Shows the secret of the new token once. */
export function CreateToken({ onClose }: { onClose: () => void }) {
  const { api, ...session } = useSession();
  const memberships = session.memberships.filter(({ role }) => role !== null);
  const [name, setName] = useState("");
  const [workspaceId, setWorkspaceId] = useState(defaultWorkspace(memberships)?.workspace_id ?? "");
  const [scopes, setScopes] = useState<Scopes>({ workspace: "read" });
  const [days, setDays] = useState("30");
  const create = useConsoleMutation("postToken", { invalidates: ["getTokens"] });
  useForgetSecrets();
  const submit = () => create.mutate({ body: { workspaceId, name, scopes, expiresAt: expiryAfter(Number(days)) } });
  // React keeps one dialog for the form and the secret, so that closing it returns the focus to the button of the page.
  if (create.data)
    return (
      <Dialog open onOpenChange={onClose} isPersistent title="Save your access token">
        <div role="status">
          <Notice tone="good">
            <p>Created {quote(create.data.name)}. Copy the token now. You won’t see it again.</p>
          </Notice>
        </div>
        <CodeBlock label="Access token" text={create.data.secret} />
        <CodeBlock
          label="Example request"
          text={`${api.curl} -H 'Authorization: Bearer ${create.data.secret}' '${location.origin}/console/api/workspace?workspaceId=${create.data.workspace_id}'`}
        />
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            I’ve saved my token
          </Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <Dialog open onOpenChange={onClose} title="Create access token">
      <Form isBusy={create.isPending} onSubmit={submit}>
        <TextField
          label="Name"
          hint="What you’ll use it for, such as “Nightly report”."
          required
          maxLength={limits.tokenNameLengthMax}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField label="Workspace" value={workspaceId} onChange={(event) => setWorkspaceId(event.target.value)}>
            {memberships.map(({ workspace_id, workspace_name }) => (
              <option key={workspace_id} value={workspace_id}>
                {workspace_name}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="Expiration"
            hint={`Expires ${formatDay(expiryAfter(Number(days)))} (UTC).`}
            value={days}
            onChange={(event) => setDays(event.target.value)}
          >
            {lifetimes.map((lifetime) => (
              <option key={lifetime} value={lifetime}>
                {lifetime} days
              </option>
            ))}
          </SelectField>
        </div>
        <ScopesField value={scopes} onChange={setScopes} />
        <FormError error={create.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={create.isPending}>
            Create access token
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
