// All pages that require a session. Reads the session and opens the workspace of the address.
import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { type ComponentType, useEffect } from "react";
import { Redirect, Route, Switch, useLocation, useRoute, useSearch } from "wouter";
import { defaultWorkspace, rememberWorkspace, signInAddress } from "./address.ts";
import { ApiError, signInLackOf, useConsoleQuery } from "./api.ts";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { ErrorState, Loading } from "./components/states.tsx";
import { operatorActions } from "./contract.macro.ts" with { type: "macro" };
import { limits } from "./limits.ts";
import { AccessDenied, NotFound, NoWorkspace } from "./pages/not-found.tsx";
import { SignInRequired } from "./pages/sign-in-required.tsx";
import { DeletedWorkspace } from "./pages/workspaces/deletion.tsx";
import {
  AccountLogPage,
  AccountPage,
  InstancePage,
  PeoplePage,
  prefetchPages,
  startPage,
  type WorkspacePage,
  WorkspacesPage,
  workspacePages,
} from "./routes.tsx";
import { Shell } from "./shell.tsx";
import { dayMilliseconds } from "./time.ts";
import {
  type Membership,
  SessionProvider,
  usePerson,
  useSession,
  useWorkspace,
  WorkspaceProvider,
} from "./workspace.tsx";

const sessionRefetchSeconds = 300;

export function SignedIn() {
  const [path] = useLocation();
  const search = useSearch();
  const session = useConsoleQuery("getSession", { refetchSeconds: sessionRefetchSeconds });
  const hasEnded = session.error instanceof ApiError && session.error.status === 401;
  if (hasEnded)
    return <Redirect replace to={signInAddress(search ? `${path}?${search}` : path, session.data && "ended")} />;
  if (session.data)
    return (
      <SessionProvider session={session.data.data}>
        <Pages />
      </SessionProvider>
    );
  return (
    <main className="mx-auto max-w-5xl p-6">
      {session.error ? (
        <ErrorState error={session.error} onRetry={() => void session.refetch()} />
      ) : (
        <Loading>{null}</Loading>
      )}
    </main>
  );
}

/** One shell for all pages; it stays when the workspace changes. */
function Pages() {
  const [path] = useLocation();
  const [, params] = useRoute("/w/:workspaceId/*?");
  const { membership, lack, isLoading } = useWorkspaceOfAddress(params?.workspaceId);
  const id = membership?.workspace_id;
  useEffect(() => {
    if (id !== undefined) rememberWorkspace(id);
  }, [id]);
  return (
    <WorkspaceProvider membership={membership}>
      <Shell>
        {isLoading ? (
          <Loading />
        ) : (
          // An error on one page does not affect the others.
          <ErrorBoundary key={path}>
            <Switch>
              <Route path="/">
                <Home />
              </Route>
              <Route path="/account">
                <AccountPage />
              </Route>
              <Route path="/workspaces">
                <OperatorOnly page={WorkspacesPage} />
              </Route>
              <Route path="/instance">
                <OperatorOnly page={InstancePage} />
              </Route>
              <Route path="/people">
                <OperatorOnly page={PeoplePage} />
              </Route>
              <Route path="/account-log">
                <OperatorOnly page={AccountLogPage} />
              </Route>
              {!lack && membership?.removal_at && (
                <Route path="/w/:workspaceId/*?">
                  <DeletedWorkspace membership={membership} />
                </Route>
              )}
              {lack && (
                <Route path="/w/:workspaceId/*?">
                  <SignInRequired lack={lack} workspaceName={membership?.workspace_name} />
                </Route>
              )}
              {membership && [
                <Route key="" path="/w/:workspaceId">
                  <Redirect replace to={`/w/${id}/${startPage(membership)}`} />
                </Route>,
                ...workspacePages.map((page) => (
                  <Route key={page.path} path={`/w/:workspaceId/${page.path}`}>
                    <GuardedPage page={page} />
                  </Route>
                )),
              ]}
              <Route>
                <NotFound />
              </Route>
            </Switch>
            <PagePrefetch />
          </ErrorBoundary>
        )}
      </Shell>
    </WorkspaceProvider>
  );
}

/** Fetches the scripts of all other pages, once this page has its script and its data. */
function PagePrefetch() {
  const queryClient = useQueryClient();
  const isBusy = useIsFetching() > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page may have started a fetch that isBusy does not show yet.
  useEffect(() => {
    if (queryClient.isFetching() === 0) prefetchPages(queryClient);
  }, [queryClient, isBusy]);
  return null;
}

/** When a deleted workspace is removed. */
const removalOf = (deletedAt: string): string =>
  new Date(Date.parse(deletedAt) + limits.graceDays * dayMilliseconds).toISOString();

const operatorMembershipActions = operatorActions();

/** The workspace of the address. An operator can open any workspace, also without being a member. */
function useWorkspaceOfAddress(workspaceId: string | undefined) {
  const { memberships, person, is_billing_on } = useSession();
  const own = memberships.find(({ workspace_id }) => workspace_id === workspaceId);
  const isOperatorOnly = workspaceId !== undefined && !own && person.is_operator;
  const workspaceQuery = useConsoleQuery("getWorkspace", { query: { workspaceId }, isEnabled: isOperatorOnly });
  const workspace = isOperatorOnly ? workspaceQuery.data?.data : undefined;
  const operatorMembership: Membership | undefined = workspace && {
    workspace_id: workspace.id,
    workspace_name: workspace.name,
    subscription: workspace.subscription,
    role: null,
    sign_in_lacks: null,
    removal_at: workspace.deleted_at && removalOf(workspace.deleted_at),
    actions: workspace.deleted_at ? [] : operatorMembershipActions[is_billing_on ? "withBilling" : "always"],
  };
  const lack = own?.sign_in_lacks ?? signInLackOf(isOperatorOnly && workspaceQuery.error);
  return { membership: own ?? operatorMembership, lack, isLoading: isOperatorOnly && workspaceQuery.isLoading };
}

/** Redirects to the last or first workspace. */
function Home() {
  const { memberships, person } = useSession();
  const membership = defaultWorkspace(memberships);
  if (membership) return <Redirect replace to={`/w/${membership.workspace_id}/${startPage(membership)}`} />;
  return person.is_operator ? <Redirect replace to="/workspaces" /> : <NoWorkspace />;
}

const OperatorOnly = ({ page: Page }: { page: ComponentType }) => (usePerson().is_operator ? <Page /> : <NotFound />);

/** Renders the page if the role allows it. The key resets the page's state when the workspace changes. */
function GuardedPage({ page }: { page: WorkspacePage }) {
  const workspace = useWorkspace();
  return workspace.may(page.action) ? <page.component key={workspace.id} /> : <AccessDenied />;
}
