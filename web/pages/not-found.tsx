// Pages for unknown addresses, and for pages that the role does not allow.
import { ButtonLink, EmptyState, PageHeader } from "../components/index.ts";
import { useWorkspaceId } from "../workspace.tsx";

export function NotFound() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        icon="search"
        title="There is nothing at this address"
        action={<ButtonLink href="/">Go to the overview</ButtonLink>}
      >
        It may have been removed, or you are not a member of the workspace that it belongs to.
      </EmptyState>
    </>
  );
}

export function AccessDenied() {
  const workspaceId = useWorkspaceId();
  return (
    <>
      <PageHeader title="Not open to you" />
      <EmptyState
        icon="lock"
        title="Your role in this workspace does not open this page"
        action={<ButtonLink href={`/w/${workspaceId}/overview`}>Go to the overview</ButtonLink>}
      >
        An owner or administrator of the workspace can give you another role.
      </EmptyState>
    </>
  );
}

export const NoWorkspace = () => (
  <>
    <PageHeader title="Welcome" />
    <EmptyState icon="workspaces" title="You are not in a workspace yet">
      Ask an owner or administrator of a workspace to invite you with the address that you signed in with.
    </EmptyState>
  </>
);
