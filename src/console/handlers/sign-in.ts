// Handlers of operations that need no sign-in: sign-in methods, forgotten passwords, invitation links.
import { isIP } from "node:net";
import type { signInOperations } from "../../contract/console/operations/sign-in.ts";
import type { HandlersOf } from "../handler.ts";
import { acceptInvitationLink, previewInvitationLink } from "./invitation-link.ts";
import { mailPasswordLink } from "./password-link.ts";
import { openSignInLink } from "./sign-in-link.ts";

export const signInHandlers: HandlersOf<typeof signInOperations> = {
  getSignIn: async ({ context }) => {
    const { config, origin, signIn } = context;
    signIn.preload();
    return {
      data: {
        is_set_up: await context.isSetUp(),
        password_reset: config.mail !== undefined,
        // Browsers accept passkeys for host names, not for IP addresses.
        passkeys: isIP(new URL(origin).hostname.replace(/^\[|\]$/g, "")) === 0,
        open_id: config.openId?.name ?? null,
      },
    };
  },

  postPasswordReset: async (call, { body }) => {
    await mailPasswordLink(call, body.email);
    return { data: { message: "If an account with this address exists, a link is on its way" } };
  },

  postSignInLink: openSignInLink,

  postInvitationPreview: previewInvitationLink,
  postInvitationAcceptance: acceptInvitationLink,
};
