// What pages read and change the service with.
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
import { useWorkspaceId } from "./workspace.tsx";

export { ApiError, callAuth, callConsole, type DataOf, downloadPath, isCancelled, type RowOf } from "./call.ts";

/** The session has ended, or what one may do has changed, as when somebody was taken out of the workspace: it is read again. */
const isAccessError = (error: unknown): boolean =>
  error instanceof ApiError && ["sign_in_required", "workspace_not_found", "forbidden"].includes(error.code);

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

/** All that was read. A read that finds the session ended makes every page show it, by reading the session again. */
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
      // A refusal stays one; what did not arrive is tried again.
      retry: (failures, error) => failures < 2 && !isRefusal(error),
    },
  },
});

interface QueryOptions<Name extends ReadOperation> {
  readonly query?: QueryOf<Name> | undefined;
  /** False: not read yet. */
  readonly isEnabled?: boolean;
  /** Shows what was read before until the answer to the new query is there. */
  readonly keepsPreviousData?: boolean;
  /** Read again every so many seconds. */
  readonly refetchSeconds?: number;
}

/** Reads an operation: `const keys = useConsole("getQuota")`, then `keys.data?.data`. Inside a workspace its id is filled in. */
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

/** Reads an operation page after page. `rows` are those of all pages so far; give the whole to `<Pager>`. */
export function useConsolePages<Name extends PagedOperation>(
  name: Name,
  { query, isEnabled = true, keepsPreviousData = true }: QueryOptions<Name> = {},
) {
  const workspaceId = useWorkspaceId();
  const pages = useInfiniteQuery({
    queryKey: [name, { workspaceId, ...query }, "pages"],
    queryFn: ({ signal, pageParam }) =>
      callConsole(name, {
        // The cursor is a parameter of every paged operation.
        query: { ...query, cursor: pageParam } as QueryOf<Name>,
        workspaceId,
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: isEnabled,
    ...(keepsPreviousData && { placeholderData: keepPreviousData }),
  });
  // Of a paged operation the data are its rows.
  const rows = pages.data?.pages.flatMap((page) => page.data as readonly unknown[] as readonly RowOf<Name>[]);
  return { ...pages, rows };
}

interface MutationOptions<Name extends WriteOperation> {
  /** Of every call; `mutate` can add to it. */
  readonly query?: QueryOf<Name> | undefined;
  /** Which reads are old after it. Without this all of them: a change is rare, and one number may stand on many pages. */
  readonly invalidates?: readonly ReadOperation[];
  readonly onSuccess?: (data: DataOf<Name>) => void;
}

export interface MutationInput<Name extends WriteOperation> {
  readonly query?: QueryOf<Name> | undefined;
  readonly body?: BodyOf<Name> | undefined;
}

/**
 * Changes something: `const rename = useChange("putKey", { onDone })`, then `rename.mutate({ query: { keyId }, body: { name } })`. Where
 * the service wants the password again, a dialog asks for it and the call is repeated. `rename.error` is for `<FormError>`.
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
          // The service's answers are made from the same row as this type.
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

/** The same for what is no operation of the table, such as a call of the sign-in door. */
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

/** The second click of a double click comes before the button is drawn as busy: while a call is under way, no other begins. */
function useSingleFlight<Result, Input>(mutation: UseMutationResult<Result, Error, Input>) {
  const isRunning = useRef(false);
  /** What went wrong is shown by who reads the mutation's `error`, or by `onError`. */
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

/** For what shows a secret once: when it goes, what was sent and answered is forgotten, since that holds the secret too. */
export const useForgetSecrets = (): void => useEffect(() => () => queryClient.getMutationCache().clear(), []);
