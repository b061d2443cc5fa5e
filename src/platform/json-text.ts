// JSON that was made already, by another thread.

export class JsonText {
  readonly text: string;
  readonly bytes: number;

  constructor(text: string, bytes = Buffer.byteLength(text)) {
    this.text = text;
    this.bytes = bytes;
  }

  /** Where it is part of something that is not made here, it is made again. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
