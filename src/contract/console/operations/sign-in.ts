// Operations that need no sign-in: signing in and accepting an invitation.
import { z } from "zod";
import { id, message, object, text, timestamp } from "../../fields.ts";
import { objectBody } from "../../operation.ts";
import { teamRoles, workspaceRoles } from "../actions.ts";
import { email, mailedName, password } from "../fields.ts";
import { consoleLimits as most } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import { defaultsOf } from "./defaults.ts";

const signInOptions = z.strictObject({
  /** False until somebody has an account: the setup link creates the first one. */
  is_set_up: z.boolean(),
  /** False where no mail can be sent. */
  password_reset: z.boolean(),
  passkeys: z.boolean(),
  /** The name of the OpenID provider; null where none is set. */
  open_id: z.string().nullable(),
});

const invitationPreview = z.strictObject({
  kind: z.enum(["first administrator", "member"]),
  workspace_name: z.string().nullable(),
  email: z.string().nullable(),
  role: z.enum(workspaceRoles),
  teams: z.array(z.strictObject({ id: id(), name: z.string(), role: z.enum(teamRoles) })),
  invited_by: z.string().nullable(),
  /** Somebody with this address has an account already: they sign in and accept. */
  has_account: z.boolean(),
  expires_at: timestamp(),
});

const { read, change } = defaultsOf("Account");

export const signInOperations = {
  getSignIn: {
    ...read,
    path: "/sign-in",
    summary: "List the available sign-in methods",
    access: "public",
    isForTokens: false,
    isOwnTransaction: true,
    data: signInOptions,
  },
  postPasswordReset: {
    ...change,
    method: "POST",
    path: "/password-reset",
    summary: "Request a link to reset the password",
    description: "The response is the same whether or not an account with this address exists.",
    access: "public",
    confirmation: "never",
    isForTokens: false,
    isAudited: false,
    isOwnTransaction: true,
    body: objectBody(object({ email: email() })),
    data: message,
  },
  postSignInLink: {
    ...change,
    method: "POST",
    path: "/sign-in-link",
    summary: "Sign in with a link",
    description: "Only an instance that was started with `serve --try` creates such links. Each works once.",
    access: "public",
    confirmation: "never",
    isForTokens: false,
    isOwnTransaction: true,
    body: objectBody(object({ token: text(1, 200) })),
    data: message,
  },
  postInvitationPreview: {
    ...change,
    method: "POST",
    path: "/invitation/preview",
    summary: "Get an invitation by the token in its link",
    access: "public",
    confirmation: "never",
    isForTokens: false,
    isAudited: false,
    isOwnTransaction: true,
    body: objectBody(object({ token: text(1, 200) })),
    data: invitationPreview,
  },
  postInvitationAcceptance: {
    ...change,
    method: "POST",
    path: "/invitation/acceptance",
    summary: "Accept an invitation",
    description:
      "With `name` and `password`, creates an account and signs in. If you already have an account, sign in first and send only the token.",
    access: "public",
    confirmation: "never",
    isForTokens: false,
    isOwnTransaction: true,
    body: objectBody(
      object({
        token: text(1, 200),
        /** Only for the first administrator; else the invitation names it. */
        email: email().optional(),
        name: mailedName(most.personNameLengthMax).optional(),
        password: password().optional(),
      }),
    ),
    data: message,
  },
} as const satisfies Record<string, ConsoleOperation>;
