// The first administrator of an instance: a link that the first start prints. It is valid for an hour, until the instance has a person.
//
// Each start prints its own link, and all are valid until one is used: nodes that start together cannot know whose output is read.
import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import { lockForInstance } from "../../platform/database/instance-lock.ts";
import { addMinutes } from "../../platform/time.ts";
import { insertInvitation } from "../invitations/invitations.store.ts";
import {
  acceptInvitation,
  hashOfInvitationToken,
  type Invitation,
  newInvitationToken,
} from "../invitations/invitations.ts";
import { addMember } from "../members/members.store.ts";
import { hasPeople, insertPassword, insertPerson, listWorkspacesWithoutOwner } from "./people.store.ts";

/** @returns the token of the link; undefined in an instance with people */
export async function makeFirstLink(transaction: Transaction): Promise<string | undefined> {
  if (await hasPeople(transaction)) return undefined;
  const token = newInvitationToken();
  insertInvitation(transaction, {
    id: transaction.newId(),
    workspace_id: null,
    email: null,
    role: "owner",
    teams: "[]",
    invited_by: null,
    is_mailed: false,
    token_hash: hashOfInvitationToken(token),
    created_at: transaction.now,
    expires_at: addMinutes(transaction.now, consoleLimits.firstLinkMinutes),
  });
  return token;
}

/**
 * Returns a function that checks whether the instance has a person. It reads the database only until the answer is yes:
 * people are never removed, and anybody may ask.
 */
export function createSetupCheck(database: Pick<Database, "read">): () => Promise<boolean> {
  let isSetUp = false;
  return async () => {
    isSetUp ||= await database.read(hasPeople);
    return isSetUp;
  };
}

export interface FirstAdministrator {
  readonly personId: string;
  /** The workspaces that had no owner before. */
  readonly workspaceIds: readonly string[];
}

/** Creates the operator, who owns all workspaces without an owner. @throws Refusal `not_found` if another person was first */
export async function makeFirstAdministrator(
  transaction: Transaction,
  invitation: Invitation,
  person: { readonly name: string; readonly email: string; readonly passwordHash: string },
): Promise<FirstAdministrator> {
  // Two links used at the same moment run one after the other.
  lockForInstance(transaction);
  if (await hasPeople(transaction)) throw consoleErrors.notFound("invitation");
  const { name, email, passwordHash } = person;
  const personId = await insertPerson(transaction, { name, email, isEmailVerified: true, isOperator: true });
  if (personId === undefined) throw consoleErrors.notFound("invitation");
  insertPassword(transaction, personId, passwordHash);
  await acceptInvitation(transaction, invitation, personId);
  const workspaceIds = await listWorkspacesWithoutOwner(transaction);
  for (const workspaceId of workspaceIds) await addMember(transaction, workspaceId, personId, "owner");
  return { personId, workspaceIds };
}
