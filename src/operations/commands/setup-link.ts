// ./commonplace setup-link: creates the link that the start of the service creates too, for nodes whose files and terminal nobody can see.
import { noWorkspace } from "../../accounts/audit/audit.ts";
import { invitationLink } from "../../accounts/invitations/invitations.ts";
import { makeFirstLink } from "../../accounts/people/first-administrator.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import type { Command } from "./command.ts";
import { inTransaction } from "./database-access.ts";
import { addressHint, findOrigin } from "./origin.ts";
import { bold, printResult } from "./output.ts";
import { recordCommand } from "./record.ts";

export const setupLink: Command = {
  name: "setup-link",
  summary: "Create a link for creating the operator account",
  options: {},
  notes: [
    "For the first account of an instance. The person who opens the link becomes the",
    "operator, and the owner of every workspace that has no owner.",
    `The link works once and expires in ${consoleLimits.firstLinkMinutes} minutes.`,
  ],
  run: async (context) => {
    if (!context.config.isConsoleOn) throw new OperatorError("the console is off (COMMONPLACE_CONSOLE)");
    const { origin, isKnown } = await findOrigin(context);
    const token = await inTransaction(context, async (transaction) => {
      const made = await makeFirstLink(transaction);
      if (made === undefined)
        throw new OperatorError(
          "an account exists already. To create another operator, run ./commonplace person create --operator --email ADDRESS",
        );
      recordCommand(transaction, noWorkspace, {
        action: "setup_link.create",
        target: { kind: "instance", id: null, name: null },
      });
      return made;
    });
    const link = invitationLink(origin, token);
    printResult(context, { link }, [
      "",
      `  ${bold(link)}`,
      "",
      "Open this link to create the operator account.",
      `It works once and expires in ${consoleLimits.firstLinkMinutes} minutes.`,
      ...addressHint(isKnown),
    ]);
  },
};
