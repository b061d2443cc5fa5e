// The small workspace that all examples share, so that an ID seen in one response can be found in the next request.

export const workspace = { id: "019b8d62-7a80-7d1f-9c44-0b7f3e5a1c92", name: "Example Ltd" };
export const team = { id: "019b8d62-7a80-7a3e-8b21-6f4c0d9e2a17", name: "Customer support" };
export const otherTeam = { id: "019b8d62-7a80-7a3f-b5d8-1c7e4a2f9063", name: "Engineering" };
const workspace_id = workspace.id;
const team_id = team.id;
const createdAt = "2026-01-12T08:15:30.000Z";
export const changedAt = "2026-01-31T09:30:00.000Z";

export const keyId = "019b8d62-7a81-75c2-a9d0-3e1b7f6c8d05";
export const firstVariationId = "019bb14a-5f80-7b10-8c3d-5e9f2a7b4c61";
export const secondVariationId = "019bb14a-5f80-7b11-b7a2-91d04f6e3c58";
/** The ID of nothing. */
export const unknownId = "019bb14a-5f80-7fff-8000-4d6e7b2a9c13";

const greeting =
  "Hello {{name}},\n\nYour refund is on its way. It should reach your account within five business days.";
const formalGreeting =
  "Dear {{name}},\n\nWe have issued your refund. Please allow five business days for it to arrive.";
const code = "const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));";
export const formalContent = { type: "plaintext", content: formalGreeting };

export const folder = {
  id: "019bb146-40d0-7c3e-8f5d-2a6b9c1d4e7f",
  folder_name: "Customer replies",
  folder_color: "#2f6f4f",
  parent_folder_id: null,
  team_id,
  workspace_id,
  created_at: createdAt,
  updated_at: createdAt,
};
export const innerFolder = {
  ...folder,
  id: "019bb146-40d0-7c3f-a1b8-7d0e5f3c9264",
  folder_name: "Refunds",
  folder_color: "#b3541e",
  parent_folder_id: folder.id,
};
export const tag = {
  id: "019bb146-40d0-7e52-94c7-8a3f6d1b0e29",
  tag_name: "support",
  tag_color: "#3b5bdb",
  parent_tag_id: null,
  team_id,
  workspace_id,
  created_at: createdAt,
  updated_at: createdAt,
};
export const innerTag = {
  ...tag,
  id: "019bb146-40d0-7e53-8d1a-c5b2904f7e36",
  tag_name: "billing",
  tag_color: "#9c36b5",
  parent_tag_id: tag.id,
};
export const snippet = {
  id: "019bb14a-5f80-7a42-9e17-c03b8d5f2a64",
  title: "Refund on its way",
  content: { type: "plaintext", content: greeting },
  snippet_note: "For refunds up to 200 EUR.",
  shortcut: "/refund",
  folder_id: folder.id,
  team_id,
  workspace_id,
  is_archived: false,
  created_at: "2026-01-12T08:20:00.000Z",
  updated_at: "2026-01-20T14:02:11.250Z",
};
export const firstVariation = {
  id: firstVariationId,
  name: "Default",
  content: snippet.content,
  snippet_id: snippet.id,
  variant_order_index: 0,
  created_at: snippet.created_at,
  updated_at: snippet.updated_at,
};
export const formalVariation = {
  ...firstVariation,
  id: secondVariationId,
  name: "Formal",
  content: formalContent,
  variant_order_index: 1,
  updated_at: snippet.created_at,
};
export const snippetDetail = {
  ...snippet,
  created_by: keyId,
  tag_ids: [tag.id],
  variations: [
    { id: firstVariationId, name: "Default", variant_order_index: 0 },
    { id: secondVariationId, name: "Formal", variant_order_index: 1 },
  ],
};
export const codeSnippet = {
  ...snippet,
  id: "019bdbb6-87b2-7d05-b46f-1e8a7c3d9f50",
  title: "Wait",
  content: { type: "code", content: code },
  snippet_note: null,
  shortcut: null,
  folder_id: null,
  created_at: "2026-01-20T14:02:11.250Z",
};

export const twoRequestedOneMissing = {
  requestedCount: 2,
  foundCount: 1,
  accessibleCount: 1,
  inaccessibleCount: 0,
  missingCount: 1,
};
export const twoRequestedAllFound = {
  requestedCount: 2,
  foundCount: 2,
  accessibleCount: 2,
  inaccessibleCount: 0,
  missingCount: 0,
};
export const twoDeleted = { requestedCount: 2, deletedCount: 2, inaccessibleCount: 0, accessibleCount: 2 };
