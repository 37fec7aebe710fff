/**
 * Memory that was used and is used again: large buffers keep the collector of garbage busy. It may take what nobody uses.
 * Nothing of what is given back may be read any more.
 */
export class Spare<Room extends { readonly length: number }> {
  private kept: WeakRef<Room> | undefined;

  /** @param most longer ones are not kept */
  constructor(
    private readonly make: (length: number) => Room,
    private readonly most: number,
  ) {}

  /** At least so long. What is in it is left from before. */
  take(length: number): Room {
    const kept = this.kept?.deref();
    this.kept = undefined;
    return kept && kept.length >= length ? kept : this.make(length);
  }

  giveBack(room: Room): void {
    if (room.length <= this.most) this.kept = new WeakRef(room);
  }
}
