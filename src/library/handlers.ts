// Which rule answers which operation. A row of the table without a handler does not compile.

import type { OperationName } from "../contract/operations.ts";
import type { Handler } from "./call.ts";
import * as folders from "./folders.ts";
import * as snippets from "./snippets.ts";
import * as tags from "./tags.ts";
import * as variations from "./variations.ts";

export const handlers: { readonly [Name in OperationName]: Handler<Name> } = {
  getSnippet: snippets.getSnippet,
  postSnippet: snippets.postSnippet,
  putSnippet: snippets.putSnippet,
  deleteSnippet: snippets.deleteSnippet,
  getSnippets: snippets.getSnippets,
  postSnippets: snippets.postSnippets,
  deleteSnippets: snippets.deleteSnippets,
  getSnippetVariation: variations.getSnippetVariation,
  putSnippetVariation: variations.putSnippetVariation,
  deleteSnippetVariation: variations.deleteSnippetVariation,
  getSnippetVariationHistory: variations.getSnippetVariationHistory,
  getFolder: folders.getFolder,
  postFolder: folders.postFolder,
  putFolder: folders.putFolder,
  deleteFolder: folders.deleteFolder,
  getFolders: folders.getFolders,
  postFolders: folders.postFolders,
  putFolders: folders.putFolders,
  deleteFolders: folders.deleteFolders,
  getTag: tags.getTag,
  postTag: tags.postTag,
  putTag: tags.putTag,
  deleteTag: tags.deleteTag,
  getTags: tags.getTags,
  postTags: tags.postTags,
  putTags: tags.putTags,
  deleteTags: tags.deleteTags,
};
