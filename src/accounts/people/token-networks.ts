// Where access tokens are used from: the first use from a network is audited, for the owner of the account and for the workspace.
import { networkOf } from "../../platform/client-network.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { recordAccountEntry, recordAuditEntry } from "../audit/audit.ts";
import { rememberTokenNetwork } from "../sign-in/evidence.store.ts";
import { type Client, programOf } from "../sign-in/evidence.ts";
import { findWorkspace } from "../workspaces/workspaces.store.ts";
import { findToken } from "./sessions.store.ts";

/** Of one token. Further ones are neither remembered nor audited: a flood must not fill the log. */
const networksMax = 1_000;

/** Audits the use of a token that works, where it was not used from this network before. */
export async function noteTokenUse(transaction: Transaction, secretHash: string, client: Client): Promise<void> {
  const token = await findToken(transaction, secretHash);
  if (!token) return;
  const { id, token_name: name, person_id, workspace_id, email } = token;
  const network = networkOf(client.address);
  if (!(await rememberTokenNetwork(transaction, id, network, networksMax))) return;
  const actor = { kind: "token", id: person_id, name: token.name, clientAddress: client.address } as const;
  const workspace = await findWorkspace(transaction, workspace_id);
  const after = { network, ...programOf(client) };
  recordAuditEntry(transaction, workspace_id, actor, {
    action: "token.use",
    target: { kind: "token", id, name },
    after,
  });
  recordAccountEntry(
    transaction,
    actor,
    { id: person_id, email },
    { action: "token.use", after: { name, workspace: workspace?.name, ...after } },
  );
}
