// Reads and changes data of the service, with React Query.
import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  type UseMutationResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import {
  ApiError,
  type BodyOf,
  callConsole,
  type DataOf,
  type PagedOperation,
  type QueryOf,
  type ReadOperation,
  type RowOf,
  type WriteOperation,
} from "./call.ts";
import { withConfirmation } from "./confirmation.ts";
import { type SignInLack, useWorkspaceId } from "./workspace.tsx";

export {
  ApiError,
  callAuth,
  callConsole,
  type DataOf,
  downloadPath,
  isCancelled,
  type RowOf,
} from "./call.ts";

const lacksByCode: Readonly<Record<string, SignInLack>> = {
  second_factor_required: "second_factor",
  second_factor_sign_in_required: "second_factor_sign_in",
  single_sign_on_required: "single_sign_on",
  second_factor_or_single_sign_on_required: "second_factor_or_single_sign_on",
  second_factor_or_single_sign_on_sign_in_required: "second_factor_or_single_sign_on_sign_in",
};

/** What the sign-in lacks for the workspace's sign-in policy, if that is why a call was refused. */
export const signInLackOf = (error: unknown): SignInLack | undefined =>
  error instanceof ApiError ? lacksByCode[error.code] : undefined;

/** The session ended or the permissions changed, such as when a member was removed: the session is read again. */
const isAccessError = (error: unknown): boolean =>
  error instanceof ApiError &&
  (["sign_in_required", "workspace_not_found", "workspace_deleted", "forbidden"].includes(error.code) ||
    signInLackOf(error) !== undefined);

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

/** The cache of all reads. When a read finds that the session ended, the session is read again, and every page reacts to it. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (isAccessError(error) && queryKey[0] !== "getSession")
        void queryClient.invalidateQueries({ queryKey: ["getSession"] });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal is final; a network error is retried.
      retry: (failures, error) => failures < 2 && !isRefusal(error),
    },
  },
});

interface QueryOptions<Name extends ReadOperation> {
  readonly query?: QueryOf<Name> | undefined;
  /** False: not read yet. */
  readonly isEnabled?: boolean;
  /** Shows the previous data until the answer to a new query arrives. */
  readonly keepsPreviousData?: boolean;
  /** Reads again after this many seconds. */
  readonly refetchSeconds?: number;
}

/** Reads an operation: `const quota = useConsoleQuery("getQuota")`, then `quota.data?.data`. Fills in the id of the open workspace. */
export function useConsoleQuery<Name extends ReadOperation>(
  name: Name,
  { query, isEnabled = true, keepsPreviousData = false, refetchSeconds }: QueryOptions<Name> = {},
) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [name, { workspaceId, ...query }],
    queryFn: ({ signal }) => callConsole(name, { query, workspaceId, signal }),
    enabled: isEnabled,
    ...(keepsPreviousData && { placeholderData: keepPreviousData }),
    ...(refetchSeconds !== undefined && { refetchInterval: refetchSeconds * 1000 }),
  });
}

/** Reads an operation page by page. `rows` holds the rows of all pages so far; pass the whole result to `<Pager>`. */
export function useConsolePages<Name extends PagedOperation>(
  name: Name,
  { query, isEnabled = true, keepsPreviousData = true }: QueryOptions<Name> = {},
) {
  const workspaceId = useWorkspaceId();
  const pages = useInfiniteQuery({
    queryKey: [name, { workspaceId, ...query }, "pages"],
    queryFn: ({ signal, pageParam }) =>
      callConsole(name, {
        // Every paged operation takes a cursor.
        query: { ...query, cursor: pageParam } as QueryOf<Name>,
        workspaceId,
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: isEnabled,
    ...(keepsPreviousData && { placeholderData: keepPreviousData }),
  });
  // The data of a paged operation are its rows.
  const rows = pages.data?.pages.flatMap((page) => page.data as readonly unknown[] as readonly RowOf<Name>[]);
  return { ...pages, rows };
}

interface MutationOptions<Name extends WriteOperation> {
  /** Sent with every call; `mutate` can add to it. */
  readonly query?: QueryOf<Name> | undefined;
  /** The reads to refresh. Default: all of them, since changes are rare and one number may appear on many pages. */
  readonly invalidates?: readonly ReadOperation[];
  readonly onSuccess?: (data: DataOf<Name>) => void;
}

export interface MutationInput<Name extends WriteOperation> {
  readonly query?: QueryOf<Name> | undefined;
  readonly body?: BodyOf<Name> | undefined;
}

/**
 * Changes something: `const rename = useConsoleMutation("putKey", { onSuccess })`, then
 * `rename.mutate({ query: { keyId }, body: { name } })`. Where the service requires the password again, a dialog
 * asks for it and the call is repeated. `<FormError>` shows `rename.error`.
 */
export function useConsoleMutation<Name extends WriteOperation>(
  name: Name,
  { query, invalidates, onSuccess }: MutationOptions<Name> = {},
) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  return useSingleFlight(
    useMutation({
      mutationFn: (call: MutationInput<Name>) =>
        withConfirmation(async () => {
          const result = await callConsole(name, {
            query: { ...query, ...call.query } as QueryOf<Name>,
            body: call.body,
            workspaceId,
          });
          // The service makes its responses from the row that this type comes from.
          return result.data as DataOf<Name>;
        }),
      onSuccess: (data) => {
        const invalidated = invalidates?.map((read) => queryClient.invalidateQueries({ queryKey: [read] }));
        if (!invalidated) void queryClient.invalidateQueries();
        onSuccess?.(data);
      },
      onError: (error) => {
        if (error instanceof ApiError && error.code === "sign_in_required")
          void queryClient.invalidateQueries({ queryKey: ["getSession"] });
      },
    }),
  );
}

/** A mutation that is not an operation of the table, such as a call of an authentication endpoint. */
export function useCustomMutation<Input, Result>(
  work: (input: Input) => Promise<Result>,
  onSuccess?: (result: Result) => void,
) {
  const queryClient = useQueryClient();
  return useSingleFlight(
    useMutation({
      mutationFn: (input: Input) => withConfirmation(() => work(input)),
      onSuccess: (result) => {
        void queryClient.invalidateQueries();
        onSuccess?.(result);
      },
    }),
  );
}

/** Ignores calls while one is running. The second click of a double click arrives before the button shows that it is busy. */
function useSingleFlight<Result, Input>(mutation: UseMutationResult<Result, Error, Input>) {
  const isRunning = useRef(false);
  /** The mutation's `error` or `onError` reports a failure. */
  const mutate = (input: Input, { onError }: { onError?: (error: Error) => void } = {}): void => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutation
      .mutateAsync(input)
      .catch(onError ?? (() => undefined))
      .finally(() => {
        isRunning.current = false;
      });
  };
  return { ...mutation, mutate };
}

/** For components that show a secret once: forgets requests and responses when they unmount, since those contain the secret. */
export const useForgetSecrets = (): void => useEffect(() => () => queryClient.getMutationCache().clear(), []);
