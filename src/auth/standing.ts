const FRESH_MS = 800;
const MOST = 20_000;

/**
 * What is known of a credential, for less than a second: a revocation holds everywhere within one. Nothing is kept of an
 * unknown credential, and no data of people.
 */
export class StandingCache<Standing> {
  private readonly entries = new Map<string, { until: number; standing: Promise<Standing | null> }>();

  get(id: string, load: () => Promise<Standing | null>): Promise<Standing | null> {
    // The age counts from before the look-up: what it finds was true then.
    const now = performance.now();
    const entry = this.entries.get(id);
    if (entry && entry.until > now) return entry.standing;
    if (this.entries.size >= MOST) this.entries.clear();
    const standing = load();
    this.entries.set(id, { until: now + FRESH_MS, standing });
    const forget = (): void => { if (this.entries.get(id)?.standing === standing) this.entries.delete(id); };
    standing.then((found) => { if (!found) forget(); }, forget);
    return standing;
  }

  /** Makes this process look again at once, after a change of its own. */
  forget(id: string): void {
    this.entries.delete(id);
  }

  clear(): void {
    this.entries.clear();
  }
}
