// Large responses: made and sent in pieces, as their readers take them. A reader that is too slow is disconnected.

export interface BodyInPieces {
  readonly pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  /** Called when the body was sent or dropped, perhaps more than once. */
  readonly onEnd: () => void;
}

export const isInPieces = (body: object | string): body is BodyInPieces => typeof body === "object" && "pieces" in body;

/** The body of these pieces; a single one is sent at once. */
export function bodyOf(pieces: Iterator<string, void>, onEnd: () => void): string | BodyInPieces {
  const first = pieces.next().value ?? "";
  const second = pieces.next().value;
  if (second !== undefined) return { pieces: chain([first, second], pieces), onEnd };
  onEnd();
  return first;
}

/** These pieces, and then the others. */
export function* chain<Piece>(first: readonly Piece[], others: Iterator<Piece, unknown>): Generator<Piece, void> {
  yield* first;
  for (let next = others.next(); !next.done; next = others.next()) yield next.value;
}

/** The pieces of a stream. Whoever wants no more ends the stream at once, also while it makes its next piece. */
export function piecesOf(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = stream.getReader();
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const { done, value } = await reader.read();
        return done ? { done, value: undefined } : { done, value };
      },
      return: async () => {
        await reader.cancel();
        return { done: true, value: undefined };
      },
    }),
  };
}

/** How slowly a response may be read. */
export interface Patience {
  /** For a response that is not read at all. What the system and the runtime buffer counts as read. */
  readonly seconds: number;
  /** What the reader has to take on average. */
  readonly bytesPerSecond: number;
}

export const patience: Patience = { seconds: 30, bytesPerSecond: 32 * 1024 };
/** A reader gains no more time than this by reading fast, so that it cannot stop for long. */
const secondsAheadMax = 60;

const turnMilliseconds = 2;

/** @param onSlow closes the connection */
export function streamOf(
  { pieces, onEnd }: BodyInPieces,
  { seconds, bytesPerSecond }: Patience,
  onSlow: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  let dueAt = performance.now() + seconds * 1_000;
  let turnAt = 0;
  let isSlow = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(timer);
    void iterator.return?.();
    onEnd();
  };
  const nextOrEnd = async () => {
    try {
      return await iterator.next();
    } catch (error) {
      end();
      throw error;
    }
  };
  const watch = () => {
    const milliseconds = dueAt - performance.now();
    if (milliseconds > 0) {
      timer = setTimeout(watch, milliseconds);
      return;
    }
    isSlow = true;
    onSlow();
    onEnd();
  };
  return new ReadableStream(
    {
      start: watch,
      pull: async (controller) => {
        // A fast reader takes each piece at once: others get their turn in between.
        if (performance.now() - turnAt > turnMilliseconds) {
          await new Promise(setImmediate);
          turnAt = performance.now();
        }
        // Ended here, the response would look complete.
        if (isSlow) return new Promise(() => undefined);
        const { done, value } = await nextOrEnd();
        if (done || value === undefined) {
          controller.close();
          return end();
        }
        const bytes = typeof value === "string" ? encoder.encode(value) : value;
        const latestAt = performance.now() + secondsAheadMax * 1_000;
        dueAt = Math.min(latestAt, dueAt + (bytes.length / bytesPerSecond) * 1_000);
        controller.enqueue(bytes);
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
