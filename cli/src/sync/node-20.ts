// What the formats use and Node.js 20 does not have.

if (!("groupBy" in Map))
  Object.defineProperty(Map, "groupBy", {
    value: <Item, Key>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key): Map<Key, Item[]> => {
      const groups = new Map<Key, Item[]>();
      let index = 0;
      for (const item of items) {
        const key = keyOf(item, index);
        groups.set(key, [...(groups.get(key) ?? []), item]);
        index += 1;
      }
      return groups;
    },
  });

export {};
