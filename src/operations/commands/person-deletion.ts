// ./commonplace person export and delete: what is stored about a person, for them, and the end of their account.
import { writeFileSync } from "node:fs";
import { noWorkspace } from "../../accounts/audit/audit.ts";
import { deleteAccount } from "../../accounts/people/delete-account.ts";
import { exportPerson } from "../../accounts/people/export-person.ts";
import { findPersonByEmail } from "../../accounts/people/people.store.ts";
import { settleDeparture } from "../../metering/keys/departure.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import type { Command } from "./command.ts";
import { inTransaction, readDatabase } from "./database-access.ts";
import { announcingOf } from "./origin.ts";
import { printResult } from "./output.ts";
import { linesOfKeys, linesOfRevocations, readEmail } from "./person.ts";
import { commandActor, recordCommand } from "./record.ts";

const emailOption = { value: "ADDRESS", meaning: "The person's email address", isRequired: true } as const;

export const personDeletionCommands: readonly Command[] = [
  {
    name: "person export",
    summary: "Export everything stored about a person, as JSON",
    options: {
      email: emailOption,
      to: { value: "FILE", meaning: "File to create; an existing file is never overwritten", isRequired: true },
    },
    run: async (context) => {
      const email = await readEmail(context.options);
      const to = context.options.required("to");
      const { id } = await readDatabase(context, async (transaction) => {
        const person = await requireAccount(transaction, email);
        const pieces: string[] = [];
        for await (const piece of exportPerson((work) => work(transaction), person.id)) pieces.push(piece);
        try {
          writeFileSync(to, pieces.join(""), { flag: "wx", mode: 0o600 });
        } catch (error) {
          throw new OperatorError(`the export cannot be written to ${to}: ${error}`);
        }
        return person;
      });
      await inTransaction(context, async (transaction) =>
        recordCommand(transaction, noWorkspace, {
          action: "account.export",
          target: { kind: "account", id, name: email },
        }),
      );
      printResult(context, { id, email, file: to }, [`Exported to ${to}.`]);
    },
  },
  {
    name: "person delete",
    summary: "Delete an account and replace its name with a pseudonym",
    options: { email: emailOption },
    notes: [
      "This cannot be undone. You cannot delete the only owner of a workspace. Also",
      "revokes the pending invitations that the person sent, and lists the API keys to",
      "rotate.",
    ],
    run: async (context) => {
      const email = await readEmail(context.options);
      const announcing = await announcingOf(context);
      const { deleted, keys } = await inTransaction(context, async (transaction) => {
        const { id } = await requireAccount(transaction, email);
        const deleted = await deleteAccount(transaction, id, commandActor(), context.config.mail !== undefined);
        return { deleted, keys: await settleDeparture(announcing, transaction, deleted, true) };
      });
      const { id, pseudonym, revoked } = deleted;
      printResult(context, { id, pseudonym, invitations_revoked: revoked.length, keys }, [
        `Deleted the account (${id}). Its name is now “${pseudonym}”.`,
        ...linesOfRevocations(revoked.length),
        ...linesOfKeys(keys),
      ]);
    },
  },
];

async function requireAccount(transaction: Transaction, email: string) {
  const person = await findPersonByEmail(transaction, email);
  if (!person) throw new OperatorError(`no account has the address ${email}`);
  return person;
}
