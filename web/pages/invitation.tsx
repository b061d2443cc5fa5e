// The page of an invitation link, from a colleague or for the first administrator of a new instance.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, callConsole, type DataOf, queryClient, useForgetSecrets } from "../api.ts";
import { Button, ButtonLink, Loading, Time } from "../components/index.ts";
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
        title="This invitation is no longer open"
        lead="It was accepted or withdrawn, or its time is over. Ask whoever invited you for a new one."
      >
        <ButtonLink href="/sign-in">To the sign-in page</ButtonLink>
      </SignedOutPage>
    ) : (
      <SignedOutPage title="The invitation could not be read" lead={preview.error.message}>
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

const roles: Record<Preview["role"], string> = {
  owner: "an owner",
  admin: "an administrator",
  member: "a member",
};

function InvitationContent({ token, preview }: { token: string; preview: Preview }) {
  const { kind, workspace_name, invited_by, role, expires_at, has_account } = preview;
  const acceptForm = has_account ? (
    <AcceptSignedIn token={token} preview={preview} />
  ) : (
    <AcceptWithNewAccount token={token} preview={preview} />
  );
  if (kind === "first administrator")
    return (
      <SignedOutPage title="Welcome to Commonplace" lead="Make the first account. It administers this service.">
        {acceptForm}
      </SignedOutPage>
    );
  return (
    <SignedOutPage
      title={`Join ${workspace_name ?? "the workspace"}`}
      lead={
        <>
          {invited_by ?? "Somebody"} invites you to be {roles[role]}. The invitation is open until{" "}
          <Time at={expires_at} />.
        </>
      }
    >
      {acceptForm}
    </SignedOutPage>
  );
}
