// The limits that the interface and its decisions set. Lengths count Unicode code points.

export const bytesPerMebibyte = 1_024 * 1_024;

export const limits = {
  titleLengthMax: 200,
  noteLengthMax: 5_000,
  shortcutLengthMax: 100,
  contentTypeLengthMax: 50,
  contentLengthMax: 1_000_000,
  variationNameLengthMax: 100,
  additionalVariationsMax: 100,
  /** The first one and the additional ones. */
  variationsPerSnippetMax: 101,
  tagsPerSnippetMax: 100,
  folderNameLengthMax: 1_000,
  folderColorLengthMax: 100,
  tagNameLengthMax: 1_000,
  tagColorLengthMax: 100,
  /** Items in a batch body, and unique IDs in an ID list. */
  batchItemsMax: 100,
  /** Levels of folders in folders and of tags in tags. */
  nestingMax: 100,
  /** Folders, and tags, of one workspace. */
  foldersMax: 20_000,
  tagsMax: 20_000,
  /** Folders, and tags, in one `GET /tree`. */
  treeRowsMax: 10_000,
  requestBodyBytesMax: 8 * 1024 * 1024,
  /** Arrays and objects in each other in a request body. The deepest that an operation takes has 6 levels. */
  bodyDepthMax: 32,
  /**
   * Values and names of fields in a request body. The largest that the other limits allow has 102,000: 100 snippets with 100 tags and 100
   * variations each. Parsing 4,000,000 would block the process for a second.
   */
  bodyValuesMax: 250_000,
  /** Text and notes in one response, as they are stored. Without this limit, a read within all other limits could ask for gigabytes. */
  responseTextBytesMax: 16 * 1024 * 1024,
  /** One response as it is sent: JSON makes up to six bytes of a character. Twice the text, which is more than code or prose ever takes. */
  responseBytesMax: 32 * 1024 * 1024,
  /** Snippets, folders, and tags that one request imports. They are written in one transaction, which others wait for. */
  importItemsMax: 500,
  /** Problems and warnings in one response to an import, and snippets in a preview. */
  importIssuesMax: 1_000,
  importPreviewMax: 100,
  /** Folders, and tags, in a preview. */
  importPreviewGroupsMax: 1_000,
  /** The beginning of a table in a preview. */
  importPreviewRowsMax: 5,
  importPreviewColumnsMax: 50,
  importPreviewCellLengthMax: 100,
  /** Snippets in one imported file. */
  importSnippetsMax: 10_000,
  fileNameLengthMax: 200,
  /** The text of a team in one archive, as it is stored: what a zip can always hold. */
  exportBytesMax: 4 * 1024 * 1024 * 1024,
  /** The same in another format, whose files are made in memory. */
  exportFormatBytesMax: 32 * 1024 * 1024,
  /** A page of snippets or history records. */
  pageItemsMax: 100,
  pageItemsDefault: 50,
  /** How long changes are listed. */
  changeDays: 30,
  /** Characters of a cursor of the change feed: 12 bytes of nonce, 20 of position, and 16 of tag, in base64url. */
  changeCursorLength: 64,
  /** How long a request for changes waits for one. Less than the time after which an idle connection is closed. */
  changeWaitSecondsMax: 25,
  searchQueryLengthMax: 500,
  searchPiecesMax: 8,
  /** So much of a text is searched. */
  searchedTextBytesMax: 262_144,
  searchMilliseconds: 2_000,
  /** A search counts up to so many snippets. */
  searchTotalMax: 1_000,
  /** Places where a query occurs that are returned with a snippet, and how much of the text on each side of them. */
  searchMatchesMax: 3,
  searchContextLengthMax: 60,
  /** Snippets per folder in `GET /folders`, where several folders share one response. */
  pageItemsPerFolderDefault: 20,
  /** Visible ASCII characters of an `Idempotency-Key`. */
  idempotencyKeyLengthMax: 255,
  /** How long a repeat with the same `Idempotency-Key` gets the first response. */
  repeatSeconds: 24 * 60 * 60,
  /** The sliding window of the rate limit and of the failed-authentication limit. */
  rateWindowSeconds: 60,
  requestsPerMinuteDefault: 20,
  /** Failed authentications of one client address in a window; further ones get a 429. */
  failedAuthenticationsMax: 60,
  monthlyRequestsDefault: 100_000,
  /** The days before the end of a key in which its responses announce it. */
  keyExpiryNoticeDays: 14,
  storageMebibytesDefault: 1_024,
  /** So that every sum remains an exact number. */
  storageMebibytesMax: 1_000_000_000,
} as const;
