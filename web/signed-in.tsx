// Everything for which one must be signed in: reads the session once, and opens the workspace that the address names.
import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { type ComponentType, useEffect } from "react";
import { Redirect, Route, Switch, useLocation, useRoute, useSearch } from "wouter";
import { rememberWorkspace, signInPlace, usualWorkspace } from "./address.ts";
import { ApiFailure, useConsole } from "./api.ts";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { ErrorState, Loading } from "./components/states.tsx";
import { operatorActions } from "./contract.macro.ts" with { type: "macro" };
import { NotFound, NotYours, NoWorkspace } from "./pages/not-found.tsx";
import {
  AccountLogPage,
  AccountPage,
  fetchPagesAhead,
  type WorkspacePage,
  WorkspacesPage,
  workspacePages,
} from "./routes.tsx";
import { Shell } from "./shell.tsx";
import {
  type Membership,
  SessionProvider,
  usePerson,
  useSession,
  useWorkspace,
  WorkspaceProvider,
} from "./workspace.tsx";

const sessionReadEverySeconds = 300;

export function SignedIn() {
  const [path] = useLocation();
  const search = useSearch();
  const session = useConsole("getSession", { everySeconds: sessionReadEverySeconds });
  const hasEnded = session.error instanceof ApiFailure && session.error.status === 401;
  if (hasEnded)
    return <Redirect replace to={signInPlace(search ? `${path}?${search}` : path, session.data && "ended")} />;
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

/** One shell around all pages: it stays when the workspace changes. */
function Pages() {
  const [path] = useLocation();
  const [, params] = useRoute("/w/:workspaceId/*?");
  const { membership, isLoading } = useOpened(params?.workspaceId);
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
          // What fails on one page ends with that page.
          <ErrorBoundary key={path}>
            <Switch>
              <Route path="/">
                <Home />
              </Route>
              <Route path="/account">
                <AccountPage />
              </Route>
              <Route path="/workspaces">
                <OfOperator page={WorkspacesPage} />
              </Route>
              <Route path="/account-log">
                <OfOperator page={AccountLogPage} />
              </Route>
              {id !== undefined && [
                <Route key="" path="/w/:workspaceId">
                  <Redirect replace to={`/w/${id}/overview`} />
                </Route>,
                ...workspacePages.map((page) => (
                  <Route key={page.path} path={`/w/:workspaceId/${page.path}`}>
                    <Allowed page={page} />
                  </Route>
                )),
              ]}
              <Route>
                <NotFound />
              </Route>
            </Switch>
            <PagesAhead />
          </ErrorBoundary>
        )}
      </Shell>
    </WorkspaceProvider>
  );
}

/** Stands after a page: the scripts of the others are fetched when it has its own, and all that it shows. */
function PagesAhead() {
  const client = useQueryClient();
  const isBusy = useIsFetching() > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page before it has begun to fetch in this very moment, unseen by isBusy.
  useEffect(() => {
    if (client.isFetching() === 0) fetchPagesAhead(client);
  }, [client, isBusy]);
  return null;
}

const asOperator = operatorActions();

/** The workspace of the address. The operator sees every one, a member of it or not. */
function useOpened(workspaceId: string | undefined) {
  const { memberships, person } = useSession();
  const own = memberships.find(({ workspace_id }) => workspace_id === workspaceId);
  const isElsewhere = workspaceId !== undefined && !own && person.is_operator;
  const other = useConsole("getWorkspace", { query: { workspaceId }, isEnabled: isElsewhere });
  const read = isElsewhere ? other.data?.data : undefined;
  const asMember: Membership | undefined = read && {
    workspace_id: read.id,
    workspace_name: read.name,
    subscription: read.subscription,
    role: null,
    actions: asOperator,
  };
  return { membership: own ?? asMember, isLoading: isElsewhere && other.isLoading };
}

/** The workspace that was open last, or the first. */
function Home() {
  const { memberships, person } = useSession();
  const open = usualWorkspace(memberships);
  if (open) return <Redirect replace to={`/w/${open.workspace_id}/overview`} />;
  return person.is_operator ? <Redirect replace to="/workspaces" /> : <NoWorkspace />;
}

const OfOperator = ({ page: Page }: { page: ComponentType }) => (usePerson().is_operator ? <Page /> : <NotFound />);

/** Another workspace's page is another page: nothing that was typed or opened goes along. */
function Allowed({ page }: { page: WorkspacePage }) {
  const workspace = useWorkspace();
  return workspace.may(page.needs) ? <page.component key={workspace.id} /> : <NotYours />;
}
