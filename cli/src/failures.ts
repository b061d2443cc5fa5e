// Why a command fails, what to say about it, and the exit status.
import { isUnknownAuthority } from "../../sdk/src/connection-failure.ts";
import {
  AuthenticationError,
  CommonplaceError,
  ConflictError,
  InsufficientScopeError,
  QuotaExceededError,
} from "../../sdk/src/index.ts";
import { exitStatus } from "../../src/contract/exit-status.ts";

/** A failure that the person can act on. Its message is one or two sentences, the first without a capital. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly status: number = exitStatus.failure,
  ) {
    super(message);
  }
}

/** The command line makes no sense. */
export class UsageError extends Failure {
  /** @param command the command whose help explains more */
  constructor(
    message: string,
    readonly command = "",
  ) {
    super(message, exitStatus.usage);
  }
}

/** The person canceled: Ctrl+C, Esc, or "no". */
export class Canceled extends Failure {
  constructor() {
    super("", exitStatus.canceled);
  }
}

/** What to print, without the program's name, and the exit status. */
export function explain(error: unknown): { readonly message: string; readonly status: number } {
  if (error instanceof Failure) return { message: error.message, status: error.status };
  if (error instanceof CommonplaceError) return explainRefusal(error);
  const inWords = explainFileError(error);
  if (inWords !== undefined) return { message: inWords, status: exitStatus.failure };
  const isDefect = error instanceof Error && !("code" in error);
  return {
    message: error instanceof Error ? (isDefect ? (error.stack ?? error.message) : error.message) : String(error),
    status: exitStatus.failure,
  };
}

/** What the system says of a file or a directory. */
const fileErrors: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `${path} does not exist`,
  EISDIR: (path) => `${path} is a directory`,
  ENOTDIR: (path) => `part of the path ${path} is not a directory`,
  EEXIST: (path) => `${path} already exists`,
  EACCES: (path) => `you do not have permission to access ${path}`,
  EPERM: (path) => `you do not have permission to access ${path}`,
  EROFS: (path) => `${path} is on a read-only file system`,
  ENOSPC: (path) => `the disk is full: ${path}`,
};

function explainFileError(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && "syscall" in error)) return undefined;
  return fileErrors[String(error.code)]?.("path" in error ? String(error.path) : "the file");
}

function explainRefusal(error: CommonplaceError) {
  const message = inLowerCase(messageOf(error));
  if (error instanceof AuthenticationError)
    return { message: `${message}. Run cpl login with another key`, status: exitStatus.notSignedIn };
  const advice = adviceFor(error);
  return { message: advice === undefined ? message : `${message}. ${advice}`, status: exitStatus.failure };
}

/** What the client advises programs is in its terms, and people need others. */
function messageOf(error: CommonplaceError): string {
  if (isUnknownAuthority(error)) return error.message.split(". ", 1)[0] ?? error.message;
  return error.message.replaceAll("baseUrl", "the address");
}

function adviceFor(error: CommonplaceError): string | undefined {
  if (error instanceof InsufficientScopeError) return "Use a key that can also write";
  if (error instanceof QuotaExceededError) return "Run cpl quota to see how many units are left";
  if (error instanceof ConflictError && error.teamIds.length > 0)
    return `Add --team with one of: ${error.teamIds.join(", ")}`;
  if (isUnknownAuthority(error))
    return "If the service has its own certificate authority, run cpl login --ca FILE, where FILE is the authority's certificate";
  return undefined;
}

/** The text without its capital, since it follows the program's name; "API key" keeps its own. */
const inLowerCase = (text: string): string => text.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
