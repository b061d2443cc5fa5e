import { type FormEvent, useState } from "react";
import { usualWorkspace } from "../../address.ts";
import { useChange, useForgetting } from "../../api.ts";
import {
  Button,
  Choices,
  CodeBlock,
  Dialog,
  DialogActions,
  day,
  FormError,
  Notice,
  SelectField,
  TextField,
} from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { useSession } from "../../workspace.tsx";

const lifetimes = [7, 30, 90, 180, limits.tokenDaysMax - 1];
const dayMilliseconds = 86_400_000;
const after = (days: number): string => new Date(Date.now() + days * dayMilliseconds).toISOString();

/** Makes a token, and shows its secret: once. */
export function MakeToken({ onEnd }: { onEnd: () => void }) {
  const { memberships } = useSession();
  const own = memberships.filter(({ role }) => role !== null);
  const [name, setName] = useState("");
  const [workspaceId, setWorkspaceId] = useState(usualWorkspace(own)?.workspace_id ?? "");
  const [may, setMay] = useState<"read" | "write">("read");
  const [days, setDays] = useState("30");
  const make = useChange("postToken", { outdates: ["getTokens"] });
  useForgetting();
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (make.isPending) return;
    make.mutate({ body: { workspaceId, name, mayWrite: may === "write", expiresAt: after(Number(days)) } });
  };
  if (make.data)
    return (
      <Dialog open onOpenChange={onEnd} isKept title="Keep the token now">
        <div role="status">
          <Notice tone="good">
            <p>{make.data.name} was made. Its secret is shown this one time.</p>
          </Notice>
        </div>
        <CodeBlock label="Access token" text={make.data.secret} />
        <CodeBlock
          label="A first call"
          text={`curl -H 'Authorization: Bearer ${make.data.secret}' '${location.origin}/console/api/workspace?workspaceId=${make.data.workspace_id}'`}
        />
        <DialogActions>
          <Button variant="primary" onClick={onEnd}>
            I have kept it
          </Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <Dialog open onOpenChange={onEnd} title="Make an access token">
      <form className="grid gap-4" onSubmit={send}>
        <TextField
          label="Name"
          hint="What it is for, such as “Nightly report”."
          required
          maxLength={limits.tokenNameLengthMax}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField label="Workspace" value={workspaceId} onChange={(event) => setWorkspaceId(event.target.value)}>
            {own.map(({ workspace_id, workspace_name }) => (
              <option key={workspace_id} value={workspace_id}>
                {workspace_name}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="Lifetime"
            hint={`Until ${day(after(Number(days)))} (UTC).`}
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
        <Choices
          legend="What it may do"
          name="may"
          value={may}
          onChange={setMay}
          options={[
            { value: "read", label: "Read", hint: "Whatever you see in this workspace." },
            { value: "write", label: "Read and write", hint: "Also change what you may change, where a token can." },
          ]}
        />
        <FormError error={make.error} />
        <DialogActions>
          <Button onClick={onEnd}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={make.isPending}>
            Make token
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
