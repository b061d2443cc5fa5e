// ./commonplace instance …: the key that is kept outside the database.
import { noWorkspace } from "../../accounts/audit/audit.ts";
import { announce } from "../../accounts/sign-in/account-mails.ts";
import { forgetKey } from "../../accounts/sign-in/instance-key.store.ts";
import { removeWebhooks } from "../../metering/alerts/settings.store.ts";
import { formatNumber } from "../format.ts";
import type { Command } from "./command.ts";
import { inTransaction } from "./database-access.ts";
import { announcingOf } from "./origin.ts";
import { printResult } from "./output.ts";
import { recordCommand } from "./record.ts";

export const instanceKeyCommands: readonly Command[] = [
  {
    name: "instance rekey",
    summary: "Replace a lost instance key",
    options: {},
    notes: [
      "Removes everything that cannot be read without the lost key: two-factor",
      "authentication with an app, recovery codes, and alert webhooks. Everyone is",
      "signed out. Passwords and passkeys are kept.",
      "",
      "The next time it starts, the service uses the key in COMMONPLACE_INSTANCE_KEY or",
      "in the key file. If there is none, it creates one.",
      "",
      "Stop the service first. This cannot be undone.",
    ],
    run: async (context) => {
      const announcing = await announcingOf(context);
      const { people, webhooks } = await inTransaction(context, async (transaction) => {
        const affected = await forgetKey(transaction);
        for (const person of affected) announce(announcing, transaction, person, "instance.rekey");
        const counts = { people: affected.length, webhooks: await removeWebhooks(transaction) };
        recordCommand(transaction, noWorkspace, {
          action: "instance.rekey",
          target: { kind: "instance", id: null, name: null },
          after: counts,
        });
        return counts;
      });
      printResult(context, { people, webhooks }, [
        "The database no longer needs the old instance key.",
        `Two-factor authentication is now off for ${formatNumber(people)} ${people === 1 ? "person" : "people"}.`,
        ...(webhooks > 0 ? [`Removed ${formatNumber(webhooks)} ${webhooks === 1 ? "webhook" : "webhooks"}.`] : []),
      ]);
    },
  },
];
