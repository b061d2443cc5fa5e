// New passwords that are easy to guess are refused, wherever a password is set.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { makePasswordToken } from "../../src/accounts/people/password-links.ts";
import { isEasyToGuess } from "../../src/platform/secrets/password-strength.ts";
import { startConsole, testPassword } from "../support/console.ts";

const weak = ["passwordpass", "Password1234", "qwertyuiop12", "123456789012", "aaaaaaaaaaaa", "iloveyou1234"];
/** What a guesser who knows the person tries first. */
const personal = ["commonplace2026", "Ada.Lovelace!1", "adalovelace12", "ada@example.com1", "lovelace-example"];

test("common passwords, and passwords made from the product, the name, or the address, are easy to guess", async () => {
  const about = ["Ada Lovelace", "ada@example.com"];
  for (const password of [...weak, ...personal])
    expect([password, await isEasyToGuess(password, about)]).toEqual([password, true]);
  for (const password of [testPassword, "a cup of tea at half past nine", "lkj3n4kj5h6g", "Ada likes green elephants"])
    expect([password, await isEasyToGuess(password, about)]).toEqual([password, false]);
});

test("a weak password is refused for a new account, for a change, and with a reset link, which can then be used again", async () => {
  const { person, visitor, admin } = await startConsole();
  const owner = await person({ role: "owner" });
  const invited = await owner.call("postInvitation", { body: { email: "grace@example.com", role: "member" } });
  const token = new URL(invited.body.data.link).hash.slice(1);
  const join = (password: string) =>
    visitor().call("postInvitationAcceptance", { body: { token, name: "Grace Hopper", password } });
  for (const password of ["passwordpass", "gracehopper12"]) {
    const { status, body } = await join(password);
    expect([status, body.error]).toEqual([400, "password_weak"]);
  }
  expect((await join("a cup of tea at half past nine")).status).toBe(200);
  const changed = await visitor(owner.cookie).auth("/change-password", {
    currentPassword: testPassword,
    newPassword: "passwordpass",
  });
  expect([changed.status, changed.body.error]).toEqual([400, "password_weak"]);
  const link = await admin(async (transaction) => makePasswordToken(transaction, owner.id, 60));
  const reset = (newPassword: string) => visitor().auth("/reset-password", { token: link, newPassword });
  expect((await reset("passwordpass")).body.error).toBe("password_weak");
  expect((await reset("a cup of tea at half past nine")).status).toBe(200);
});
