// The exit statuses of `commonplace` and of `cpl`, so that scripts need to know only one list.

export const exitStatus = {
  failure: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** Done, but something needs attention: items that could not be imported, files that were kept, problems that the doctor found. */
  attention: 3,
  /** No key, or one that the service refuses. */
  notSignedIn: 4,
  /** Ctrl+C, Esc, or "no"; shells report a program that Ctrl+C ended with the same number. */
  canceled: 130,
} as const;
