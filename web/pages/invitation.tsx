// The page of an invitation link, from a colleague or for the first administrator of a new instance.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, callConsole, type DataOf, queryClient, useForgetSecrets } from "../api.ts";
import { Button, ButtonLink, Loading, Time } from "../components/index.ts";
import { roleAbilities } from "../contract.macro.ts" with { type: "macro" };
import { AcceptWithNewAccount } from "./signed-out/accept-new.tsx";
import { AcceptSignedIn } from "./signed-out/accept-signed-in.tsx";
import { IncompleteLink } from "./signed-out/incomplete-link.tsx";
import { useLinkToken } from "./signed-out/link-token.ts";
import { SignedOutPage } from "./signed-out/signed-out-page.tsx";

export type Preview = DataOf<"postInvitationPreview">;

const previewName = "postInvitationPreview";

export default function Invitation() {
  const token = useLinkToken();
  useForgetSecrets();
  // The cached preview contains the token.
  useEffect(() => () => queryClient.removeQueries({ queryKey: [previewName] }), []);
  const preview = useQuery({
    queryKey: [previewName, token],
    queryFn: async () => (await callConsole(previewName, { body: { token } })).data,
    enabled: token !== "",
    // The preview does not change until the invitation is accepted, and then it is gone.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (token === "") return <IncompleteLink />;
  if (preview.data) return <InvitationContent token={token} preview={preview.data} />;
  if (preview.error) {
    const isOver = preview.error instanceof ApiError && preview.error.status === 404;
    return isOver ? (
      <SignedOutPage
        title="This link is no longer valid"
        lead="It was used or revoked, or it has expired. If someone invited you, ask them for a new link. If this was the setup link and there is no operator yet, restart the service to get a new one."
      >
        <ButtonLink href="/sign-in">Go to sign-in</ButtonLink>
      </SignedOutPage>
    ) : (
      <SignedOutPage title="Couldn’t open the link" lead={preview.error.message}>
        <Button onClick={() => void preview.refetch()}>Try again</Button>
      </SignedOutPage>
    );
  }
  return (
    <SignedOutPage title="Invitation">
      <Loading />
    </SignedOutPage>
  );
}

const abilities = roleAbilities();

function InvitationContent({ token, preview }: { token: string; preview: Preview }) {
  const { kind, workspace_name, teams, invited_by, expires_at, has_account } = preview;
  const acceptForm = has_account ? (
    <AcceptSignedIn token={token} preview={preview} />
  ) : (
    <AcceptWithNewAccount token={token} preview={preview} />
  );
  if (kind === "first administrator")
    return (
      <SignedOutPage
        title="Welcome to Commonplace"
        lead="Create the operator account. You’ll manage the whole service and own its first workspace."
      >
        {acceptForm}
      </SignedOutPage>
    );
  return (
    <SignedOutPage
      title={`Join ${workspace_name ?? "the workspace"}`}
      lead={`${invited_by ?? "Someone"} invited you to Commonplace, where teams keep the replies, code, and other text they use again and again.`}
    >
      <Abilities preview={preview} />
      {acceptForm}
      <p className="text-quiet text-[0.8125rem]">
        {teams.length > 0 && "Once you join, you’ll go straight to the library. "}
        This invitation works once and expires on <Time at={expires_at} />.
      </p>
    </SignedOutPage>
  );
}

/** What one can do after joining. */
function Abilities({ preview: { role, teams } }: { preview: Preview }) {
  const everywhere = abilities.workspace[role];
  if (everywhere === undefined && teams.length === 0)
    return <p>You’ll see the workspace’s snippets once an admin adds you to a team.</p>;
  return (
    <section aria-labelledby="abilities" className="grid gap-2">
      <h2 id="abilities" className="font-medium">
        What you can do
      </h2>
      <ul className="grid gap-2">
        {everywhere !== undefined && (
          <>
            <Ability name="All teams" text={everywhere.teams} />
            <Ability name="Workspace" text={everywhere.workspace} />
          </>
        )}
        {teams.map((team) => (
          <Ability key={team.id} name={team.name} text={abilities.team[team.role]} />
        ))}
      </ul>
    </section>
  );
}

const Ability = ({ name, text }: { name: string; text: string }) => (
  <li className="border-line rounded-md border px-3 py-2 wrap-anywhere">
    <bdi className="font-medium">{name}</bdi>
    <span className="text-quiet block text-[0.8125rem]">
      {text.slice(0, 1).toUpperCase()}
      {text.slice(1)}
    </span>
  </li>
);
