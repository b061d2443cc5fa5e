// Texts with a place for each: a hash table of characters. Making a string for each text that is looked up would take most of the time.

/** What is known of a text lies together, because texts are met in no order: its hash, where it begins, and two numbers of the caller. */
const field = { hash: 0, start: 1, first: 2, second: 3 } as const;
const fieldsOfText = 4;

/** Differs from process to process, so that nobody can choose texts that lie in one place. */
const multiplier = Math.floor(Math.random() * 2 ** 30) * 4 + 3;

/** Continues the hash of a text with its next code unit. */
export const hashNext = (hash: number, unit: number): number => (Math.imul(hash, multiplier) + unit) | 0;

export class Interned {
  /** By hash: the place of a text, counted from 1; 0 for none. */
  #slots: Int32Array;
  /** The fields of the texts by place, and where the next one will begin. */
  #fields: Int32Array;
  /** The code units of all texts. */
  #units: Uint16Array;
  #size = 0;

  /** @param size about how many there will be, so that little has to be moved */
  constructor(size: number) {
    const length = 2 ** Math.ceil(Math.log2(size + 1));
    this.#slots = new Int32Array(length * 2);
    this.#fields = new Int32Array(length * fieldsOfText);
    this.#units = new Uint16Array(length * 8);
  }

  get size(): number {
    return this.#size;
  }

  get units(): Uint16Array {
    return this.#units;
  }

  /** Where the texts begin, and where the last one ends. */
  starts(): Int32Array {
    const starts = new Int32Array(this.#size + 1);
    for (let place = 0; place <= this.#size; place += 1)
      starts[place] = this.#fields[place * fieldsOfText + field.start] ?? 0;
    return starts;
  }

  first(place: number): number {
    return this.#fields[place * fieldsOfText + field.first] ?? 0;
  }

  second(place: number): number {
    return this.#fields[place * fieldsOfText + field.second] ?? 0;
  }

  setFirst(place: number, value: number): void {
    this.#fields[place * fieldsOfText + field.first] = value;
  }

  setSecond(place: number, value: number): void {
    this.#fields[place * fieldsOfText + field.second] = value;
  }

  /**
   * The place of the text that is the code unit `kind` and what lies in `units` from `start` to `end`. A new one gets the next place.
   * @param hash of what lies there
   */
  placeOf(kind: number, units: Uint16Array, start: number, end: number, hash: number): number {
    let mixed = Math.imul(hash ^ kind ^ (hash >>> 15), 0x2c1b3c6d);
    mixed ^= mixed >>> 12;
    const mask = this.#slots.length - 1;
    let slot = mixed & mask;
    let place = (this.#slots[slot] ?? 0) - 1;
    while (place >= 0 && !this.#isAt(place, mixed, kind, units, start, end)) {
      slot = (slot + 1) & mask;
      place = (this.#slots[slot] ?? 0) - 1;
    }
    if (place >= 0) return place;
    place = this.#keep(mixed, kind, units, start, end);
    this.#slots[slot] = place + 1;
    if (this.#size * 2 > this.#slots.length) this.#growSlots();
    return place;
  }

  #isAt(place: number, hash: number, kind: number, units: Uint16Array, start: number, end: number): boolean {
    const fields = this.#fields;
    const at = place * fieldsOfText;
    if (fields[at + field.hash] !== hash) return false;
    const own = this.#units;
    const from = fields[at + field.start] ?? 0;
    if ((fields[at + fieldsOfText + field.start] ?? 0) - from - 1 !== end - start || own[from] !== kind) return false;
    for (let index = start, unit = from + 1; index < end; index += 1, unit += 1)
      if (own[unit] !== units[index]) return false;
    return true;
  }

  #keep(hash: number, kind: number, units: Uint16Array, start: number, end: number): number {
    const place = this.#size;
    this.#size += 1;
    if ((this.#size + 1) * fieldsOfText > this.#fields.length) this.#fields = grown(this.#fields);
    const at = place * fieldsOfText;
    let unit = this.#fields[at + field.start] ?? 0;
    while (unit + 1 + end - start > this.#units.length) this.#units = grown(this.#units);
    const own = this.#units;
    own[unit] = kind;
    unit += 1;
    for (let index = start; index < end; index += 1, unit += 1) own[unit] = units[index] ?? 0;
    this.#fields[at + field.hash] = hash;
    this.#fields[at + fieldsOfText + field.start] = unit;
    return place;
  }

  #growSlots(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let place = 0; place < this.#size; place += 1) {
      let slot = (this.#fields[place * fieldsOfText + field.hash] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = place + 1;
    }
    this.#slots = slots;
  }
}

export function grown<Numbers extends Int32Array | Uint16Array>(numbers: Numbers): Numbers {
  // The constructor of an array makes an array of its own kind.
  const larger = new (numbers.constructor as new (length: number) => Numbers)(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
