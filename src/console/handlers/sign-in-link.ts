// Signs in with the link that a trial instance prints.
import { useSignInToken } from "../../accounts/people/sign-in-links.ts";
import type { signInOperations } from "../../contract/console/operations/sign-in.ts";
import type { HandlerOf } from "../handler.ts";
import { signInByLink } from "../sign-in/sign-in-by-link.ts";

export const openSignInLink: HandlerOf<(typeof signInOperations)["postSignInLink"]> = async (call, { body }) => {
  const cookie = await signInByLink(call, { method: "link" }, (transaction) => useSignInToken(transaction, body.token));
  return { data: { message: "Signed in" }, cookies: [cookie] };
};
