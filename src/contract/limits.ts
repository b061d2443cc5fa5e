// The limits that the interface and its decisions set, in one place. Lengths are counted in Unicode code points.

export const limits = {
  titleLengthMax: 200,
  noteLengthMax: 5_000,
  shortcutLengthMax: 100,
  contentTypeLengthMax: 50,
  contentLengthMax: 1_000_000,
  variationNameLengthMax: 100,
  additionalVariationsMax: 100,
  tagsPerSnippetMax: 100,
  folderNameLengthMax: 1_000,
  folderColorLengthMax: 100,
  tagNameLengthMax: 1_000,
  tagColorLengthMax: 100,
  /** Most items of a batch body, and most different ids of an id list. */
  batchItemsMax: 100,
  /** Folders in folders, tags in tags: how many lie above each other at most when a parent is set. */
  nestingMax: 100,
  requestBodyBytesMax: 8 * 1024 * 1024,
  /** Texts in one answer, in bytes. Without it a read within all other limits could ask for gigabytes. */
  answerTextBytesMax: 16 * 1024 * 1024,
  /** A page of snippets or history records. */
  pageItemsMax: 100,
  pageItemsDefault: 50,
  /** Snippets per folder in `GET /folders`, where several folders share one answer. */
  pageItemsPerFolderDefault: 20,
  /** Length of the sliding window of the rate limit and of the failed-authentication limit. */
  rateWindowSeconds: 60,
  requestsPerMinuteDefault: 20,
  /** Refused authentications of one client address in a window; further ones are answered 429. */
  failedAuthenticationsMax: 60,
  monthlyRequestsDefault: 100_000,
} as const;
