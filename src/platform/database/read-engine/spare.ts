/**
 * Keeps the last large buffer for the next user, because allocating one each time keeps the garbage collector busy. The collector
 * may free it while nobody uses it. Do not read a buffer after you have given it back.
 */
export class Spare<Room extends { readonly length: number }> {
  private kept: WeakRef<Room> | undefined;

  /** @param most longer ones are not kept */
  constructor(
    private readonly make: (length: number) => Room,
    private readonly most: number,
  ) {}

  /** A buffer of at least this length. It still holds what its last user wrote. */
  take(length: number): Room {
    const kept = this.kept?.deref();
    this.kept = undefined;
    return kept && kept.length >= length ? kept : this.make(length);
  }

  giveBack(room: Room): void {
    if (room.length <= this.most) this.kept = new WeakRef(room);
  }
}
