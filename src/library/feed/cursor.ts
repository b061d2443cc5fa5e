// Cursors of the change feed. A position counts the changes of the whole workspace, also those that the caller must not notice. So a cursor
// is encrypted, has always the same length, and looks different in every response: two cursors do not tell whether anything lies between them.
import { errors } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import { sealBytes, sealingKey, unsealBytes } from "../../platform/secrets/sealed-text.ts";

/** The next change: the number of its row, its index in the row, and the time from which on changes have to be there for the cursor to work. */
export interface FeedPosition {
  readonly number: number;
  readonly index: number;
  readonly at: string;
}

/** What a cursor belongs to. */
interface FeedList {
  readonly workspaceId: string;
  readonly teamId: string | undefined;
}

const positionBytes = 20;

export class FeedCursors {
  readonly #key: Buffer;

  constructor(instanceKey: string) {
    this.#key = sealingKey(instanceKey, "commonplace change cursors");
  }

  format(list: FeedList, { number, index, at }: FeedPosition): string {
    const bytes = Buffer.alloc(positionBytes);
    bytes.writeBigUInt64BE(BigInt(number), 0);
    bytes.writeUInt32BE(index, 8);
    bytes.writeBigUInt64BE(BigInt(Date.parse(at)), 12);
    return sealBytes(bytes, this.#keyOf(list), contextOf(list)).toString("base64url");
  }

  /** @throws Refusal 400 for a cursor of another list or instance, a changed one, and text that never was one */
  read(list: FeedList, cursor: string): FeedPosition {
    const sealed = Buffer.from(cursor, "base64url");
    // Also refuses another spelling of the same bytes.
    if (cursor.length !== limits.changeCursorLength || sealed.toString("base64url") !== cursor)
      throw errors.feedCursorInvalid();
    const bytes = this.#unseal(sealed, list);
    return {
      number: Number(bytes.readBigUInt64BE(0)),
      index: bytes.readUInt32BE(8),
      at: new Date(Number(bytes.readBigUInt64BE(12))).toISOString(),
    };
  }

  #unseal(sealed: Buffer, list: FeedList): Buffer {
    try {
      return unsealBytes(sealed, this.#keyOf(list), contextOf(list));
    } catch {
      throw errors.feedCursorInvalid();
    }
  }

  /** A key for each workspace: random nonces of one key may not be used up. */
  readonly #keyOf = ({ workspaceId }: FeedList): Buffer => sealingKey(this.#key, workspaceId);
}

const contextOf = ({ teamId = "all teams" }: FeedList): string => teamId;
