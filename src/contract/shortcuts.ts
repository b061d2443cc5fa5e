// Snippets by their shortcut, and their plain text.
import { z } from "zod";
import { one } from "./costs.ts";
import * as example from "./example-workspace.ts";
import { limits } from "./limits.ts";
import { defineOperation } from "./operation.ts";
import { idFilterParameter, idParameter, requiredTextParameter, textParameter } from "./query.ts";
import { resource, snippetDetail } from "./snippets.ts";

const shortcutWords = "The whole shortcut. Case and spaces matter.";
const ofTeam = idFilterParameter("The team of the snippet. Required if several teams have the shortcut.");

export const shortcutOperations = {
  getShortcut: defineOperation({
    method: "GET",
    path: "/shortcut",
    resource,
    summary: "Get a snippet by its shortcut",
    description:
      "Archived snippets are not found. If several snippets of a team have the shortcut, the most recently updated one is returned. If several teams have it, the request is refused with 409 unless you add a `teamId`.",
    scope: "read",
    cost: one,
    query: {
      shortcut: requiredTextParameter("shortcut", shortcutWords, limits.shortcutLengthMax),
      teamId: ofTeam,
    },
    data: snippetDetail,
    isAddition: true,
    example: {
      query: { shortcut: example.snippet.shortcut, teamId: example.team.id },
      result: { data: example.snippetDetail },
    },
  }),
  getText: defineOperation({
    method: "GET",
    path: "/text",
    resource,
    summary: "Get the plain text of a snippet",
    description:
      "The response is the text alone, as `text/plain`. Send either `id` or `shortcut`. `ETag` identifies the version of the text. Send it back in `If-None-Match`: if the text has not changed, the response is 304 without a body and costs nothing. Errors are JSON.",
    scope: "read",
    cost: one,
    query: {
      id: {
        ...idParameter("Snippet", "snippetId"),
        isRequired: false,
        whenAbsent: (): string | undefined => undefined,
      },
      shortcut: textParameter(shortcutWords, limits.shortcutLengthMax),
      teamId: ofTeam,
      variation: textParameter(
        "The ID or the name of a variation. By default, the first one.",
        limits.variationNameLengthMax,
      ),
    },
    data: z.string(),
    isText: true,
    isAddition: true,
    example: {
      query: { shortcut: example.snippet.shortcut },
      result: { data: example.snippet.content.content },
    },
  }),
};
