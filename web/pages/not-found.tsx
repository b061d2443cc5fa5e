// Pages for unknown addresses, and for pages that the role does not allow.
import { ButtonLink, EmptyState, PageHeader } from "../components/index.ts";
import { useWorkspaceId } from "../workspace.tsx";

export function NotFound() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState icon="search" title="This page doesn’t exist" action={<ButtonLink href="/">Go home</ButtonLink>}>
        It may have been removed, or you may not be a member of its workspace.
      </EmptyState>
    </>
  );
}

export function AccessDenied() {
  const workspaceId = useWorkspaceId();
  return (
    <>
      <PageHeader title="Access denied" />
      <EmptyState
        icon="lock"
        title="You don’t have access to this page"
        action={<ButtonLink href={`/w/${workspaceId}/overview`}>Go to overview</ButtonLink>}
      >
        Ask an owner or admin of this workspace to change your role.
      </EmptyState>
    </>
  );
}

export const NoWorkspace = () => (
  <>
    <PageHeader title="Welcome" />
    <EmptyState icon="workspaces" title="You aren’t in a workspace yet">
      Ask a workspace owner or admin to invite you using the email address you signed in with.
    </EmptyState>
  </>
);
