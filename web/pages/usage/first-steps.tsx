// A checklist from an empty workspace to the second member. Disappears when it is done or hidden.
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { useConsoleQuery } from "../../api.ts";
import { Button, Card, classNames, Icon } from "../../components/index.ts";
import { readStored, writeStored } from "../../storage.ts";
import { useWorkspace } from "../../workspace.tsx";

type Flag = "hidden" | "usage";

const flagKey = (workspaceId: string, flag: Flag): string => `commonplace-steps-${flag}-${workspaceId}`;
const hasFlag = (workspaceId: string, flag: Flag): boolean => readStored(flagKey(workspaceId, flag)) !== null;
const setFlag = (workspaceId: string, flag: Flag): void => writeStored(flagKey(workspaceId, flag), "");

/** Marks the usage page as visited, if it has data. */
export function useMarkUsageSeen(hasUsage: boolean): void {
  const { id } = useWorkspace();
  useEffect(() => {
    if (hasUsage) setFlag(id, "usage");
  }, [id, hasUsage]);
}

interface Step {
  readonly title: string;
  readonly description: string;
  readonly page: string;
  readonly isDone: boolean;
}

/** @param hasCalled whether there was a recent request; undefined until known */
export function FirstSteps({ hasCalled }: { hasCalled: boolean | undefined }) {
  const workspace = useWorkspace();
  const [isHidden, setIsHidden] = useState(() => hasFlag(workspace.id, "hidden"));
  const mayCreateKeys = workspace.may("keys.manage");
  const mayInvite = workspace.may("members.manage");
  const isVisible = !isHidden && (mayCreateKeys || mayInvite);
  const keys = useConsoleQuery("getKeys", { query: { limit: 1 }, isEnabled: isVisible && workspace.may("keys.read") });
  const members = useConsoleQuery("getMembers", { query: { limit: 2 }, isEnabled: isVisible && mayInvite });
  const invitations = useConsoleQuery("getInvitations", { isEnabled: isVisible && mayInvite });
  const isLoaded =
    hasCalled !== undefined &&
    (keys.data !== undefined || keys.isError || !workspace.may("keys.read")) &&
    (!mayInvite || ((members.data ?? members.error) && (invitations.data ?? invitations.error)));
  if (!isVisible || !isLoaded) return null;

  const hasSecondMember = (members.data?.data.length ?? 0) > 1 || (invitations.data?.data.length ?? 0) > 0;
  const steps: readonly Step[] = [
    ...(mayCreateKeys
      ? [
          {
            title: "Create an API key",
            description: "You’ll get a secret and a sample request to paste into a terminal.",
            page: "keys",
            isDone: (keys.data?.data.length ?? 0) > 0 || hasCalled,
          },
          {
            title: "Send a request",
            description: "Paste the sample request into a terminal, or use the key in your code.",
            page: "keys",
            isDone: hasCalled,
          },
        ]
      : []),
    {
      title: "Check your usage",
      description: "See units used, broken down by operation, key, or team.",
      page: "usage",
      isDone: hasCalled && hasFlag(workspace.id, "usage"),
    },
    ...(mayInvite
      ? [
          {
            title: "Invite a member",
            description: "Choose a role and send an invitation link.",
            page: "members",
            isDone: hasSecondMember,
          },
        ]
      : []),
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  const next = steps.findIndex(({ isDone }) => !isDone);
  const hide = () => {
    setFlag(workspace.id, "hidden");
    setIsHidden(true);
  };
  return (
    <Card
      title="Get started"
      description={`${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`}
      actions={
        <Button size="small" variant="quiet" className="sm:-my-1.5 sm:-mr-3" onClick={hide}>
          Hide
        </Button>
      }
    >
      <ol className="grid gap-2 sm:grid-cols-2 xl:grid-cols-4">
        {steps.map((step, index) => (
          <li key={step.title} className="min-w-0">
            <StepLink step={step} number={index + 1} isNext={index === next} href={workspace.to(step.page)} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function StepLink({ step, number, isNext, href }: { step: Step; number: number; isNext: boolean; href: string }) {
  const { title, description, isDone } = step;
  const mark = classNames(
    "grid size-6 shrink-0 place-items-center rounded-full text-xs font-semibold tabular-nums",
    isDone ? "bg-good-soft text-good" : isNext ? "bg-accent text-on-accent" : "bg-sunken text-quiet",
  );
  return (
    <Link
      href={href}
      className={classNames(
        "hover:bg-hover flex h-full gap-3 rounded-md border p-3",
        isNext ? "border-accent" : "border-line",
      )}
    >
      <span className={mark} aria-hidden="true">
        {isDone ? <Icon name="check" className="size-4" /> : number}
      </span>
      <span className="grid min-w-0 content-start gap-0.5">
        <span className={classNames("font-medium", isDone && "text-quiet")}>
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </span>
        <span className="text-quiet text-[0.8125rem]">{description}</span>
      </span>
    </Link>
  );
}
