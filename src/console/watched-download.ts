// A download that is still running when the right to it is taken away, or its session ends, breaks off.

/**
 * @param requireRight called before each piece. @throws what it throws, so that the client does not mistake a part for the whole
 */
export function whileAllowed<Piece>(
  pieces: AsyncIterable<Piece>,
  requireRight: () => Promise<unknown>,
): AsyncIterable<Piece> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = pieces[Symbol.asyncIterator]();
      return {
        next: async () => {
          await requireRight();
          return iterator.next();
        },
        return: async () => {
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
