/**
 * Whether a tenant may take `size` more of something that tenants share: only if as much stays free as the tenant then
 * has. One tenant gets half, two get a third each, and something is always left for one that has nothing yet.
 * `dueInTurn` is the same rule in SQL.
 * @param held what the tenant has now
 * @param free what nobody has
 */
export const mayTake = (held: number, free: number, size: number): boolean => held + size <= free - size + 1;

interface Waiting {
  tenantId: string;
  size: number;
  begin: () => void;
}

/**
 * Shares something that this process has only so much of, such as slots or memory. A tenant that takes its whole share
 * waits, and the others do not.
 */
export class FairShare {
  private used = 0;
  private readonly held = new Map<string, number>();
  private waiting: Waiting[] = [];

  constructor(private readonly capacity: number) {}

  /**
   * Runs work once the tenant's share has room for it.
   * @param size how much of the capacity it takes
   * @param signal ends the wait, not the work. @throws its reason
   */
  async run<T>(tenantId: string, work: () => Promise<T>, { size = 1, signal }: Taking = {}): Promise<T> {
    await this.turn(tenantId, size, signal);
    try {
      return await work();
    } finally {
      this.take(tenantId, -size);
      this.next();
    }
  }

  private turn(tenantId: string, size: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const leave = (): void => {
        this.waiting = this.waiting.filter((one) => one !== waiting);
        reject(signal!.reason as Error);
      };
      const begin = (): void => {
        signal?.removeEventListener("abort", leave);
        this.take(tenantId, size);
        resolve();
      };
      const waiting = { tenantId, size, begin };
      signal?.addEventListener("abort", leave, { once: true });
      this.waiting.push(waiting);
      this.next();
    });
  }

  /** Lets those in whose share has room, the tenant that has least first. */
  private next(): void {
    for (;;) {
      let first: Waiting | undefined;
      for (const one of this.waiting)
        if (this.fits(one) && (!first || this.heldBy(one) < this.heldBy(first))) first = one;
      if (!first) return;
      this.waiting = this.waiting.filter((one) => one !== first);
      first.begin();
    }
  }

  /** What is larger than any share runs alone. */
  private fits(one: Waiting): boolean {
    return this.used === 0 || mayTake(this.heldBy(one), this.capacity - this.used, one.size);
  }

  private heldBy({ tenantId }: Waiting): number {
    return this.held.get(tenantId) ?? 0;
  }

  private take(tenantId: string, size: number): void {
    this.used += size;
    const held = (this.held.get(tenantId) ?? 0) + size;
    if (held > 0) this.held.set(tenantId, held);
    else this.held.delete(tenantId);
  }
}

interface Taking {
  size?: number;
  signal?: AbortSignal;
}
