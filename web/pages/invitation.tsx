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
        title="This invitation is no longer valid"
        lead="It was accepted or revoked, or it has expired. Ask the person who invited you for a new one."
      >
        <ButtonLink href="/sign-in">Go to sign-in</ButtonLink>
      </SignedOutPage>
    ) : (
      <SignedOutPage title="Couldn’t load the invitation" lead={preview.error.message}>
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
  admin: "an admin",
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
      <SignedOutPage
        title="Welcome to Commonplace"
        lead="Create the administrator account. As the operator, you’ll manage the whole service and own its first workspace."
      >
        {acceptForm}
      </SignedOutPage>
    );
  return (
    <SignedOutPage
      title={`Join ${workspace_name ?? "the workspace"}`}
      lead={
        <>
          {invited_by ?? "Someone"} invited you to join as {roles[role]}. This invitation expires on{" "}
          <Time at={expires_at} />.
        </>
      }
    >
      {acceptForm}
    </SignedOutPage>
  );
}
