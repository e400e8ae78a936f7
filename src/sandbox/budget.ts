export const MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES = 256 * 1024 * 1024

/** Bounds the snapshots of all sandboxes together. None is dropped for another: a new one is refused instead. */
export class SnapshotBudget {
  constructor(
    readonly maxBytes = MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES,
    readonly holders: () => Iterable<{ readonly bytes: number }> = () => [],
  ) {}

  bytesOfOthers(own: { readonly bytes: number }): number {
    let bytes = 0
    for (const each of this.holders()) if (each !== own) bytes += each.bytes
    return bytes
  }
}
