/** Characters and values that one event may have looked at. A tool may answer much, and a procedure may name it often. */
const MAX_EFFORT = 500_000;

/** More was to be looked at than one event may. */
export class TooMuch extends Error {}

export class Effort {
  constructor(private left = MAX_EFFORT) {}

  /** @throws TooMuch */
  spend(units: number): void {
    this.left -= units;
    if (this.left < 0) throw new TooMuch();
  }
}
