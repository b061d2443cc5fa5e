// Asks people whose address is not verified to verify it. Until then, the service refuses new factors.
import { useConsoleMutation } from "../../api.ts";
import { Button, Card, FormError, Notice } from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { usePerson } from "../../workspace.tsx";

export function VerificationCard() {
  const { email } = usePerson();
  const send = useConsoleMutation("postEmailVerification", { invalidates: [] });
  return (
    <Card
      title="Verify your email address"
      description="You need a verified address before you can turn on two-factor authentication or add a passkey."
    >
      <div className="grid justify-items-start gap-4">
        {send.isSuccess && (
          <div role="status">
            <Notice tone="good">
              <p>
                We’ve emailed a link to <strong className="font-semibold wrap-anywhere">{email}</strong>. The link works
                once and expires in {limits.resetLinkMinutes} minutes.
              </p>
            </Notice>
          </div>
        )}
        <FormError error={send.error} />
        <Button variant={send.isSuccess ? "plain" : "primary"} isBusy={send.isPending} onClick={() => send.mutate({})}>
          {send.isSuccess ? "Send another email" : "Send verification email"}
        </Button>
      </div>
    </Card>
  );
}
