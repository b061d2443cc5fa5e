// One file of a release.

export interface Artifact {
  readonly name: string;
  readonly bytes: Uint8Array;
}
