import type { Changes } from "../platform/database/changes.js";

/** How long a standing is believed while changes by other processes cannot be heard: a revocation holds within a second all the same. */
const UNHEARD_MS = 800;
const MOST = 20_000;

interface Entry<Standing> {
  standing: Promise<Standing | null>;
  loadedAt: number;
  mark: number | null;
  tenantIds?: string[];
}

/**
 * What is known of a credential, until something common to its tenant changes on any process. Nothing is kept of an
 * unknown credential, and no data of people.
 */
export class CredentialCache<Standing extends { tenantIds: string[] }> {
  private readonly entries = new Map<string, Entry<Standing>>();

  constructor(private readonly changes: Changes) {}

  get(id: string, load: () => Promise<Standing | null>): Promise<Standing | null> {
    const known = this.entries.get(id);
    if (known && this.holds(known)) return known.standing;
    if (this.entries.size >= MOST) this.entries.clear();
    // Both count from before the look-up: what it finds was true then.
    const entry: Entry<Standing> = { loadedAt: performance.now(), mark: this.changes.mark(), standing: load() };
    this.entries.set(id, entry);
    const settle = (found?: Standing | null): void => {
      if (found) entry.tenantIds = found.tenantIds;
      else if (this.entries.get(id) === entry) this.entries.delete(id);
    };
    entry.standing.then(settle, () => settle());
    return entry.standing;
  }

  private holds({ loadedAt, mark, tenantIds }: Entry<Standing>): boolean {
    const now = this.changes.mark();
    if (mark === null || now === null) return performance.now() - loadedAt < UNHEARD_MS;
    // Whose it is shows when the look-up ends; until then it is shared while nothing at all has changed.
    return tenantIds === undefined ? mark === now : !tenantIds.some((id) => this.changes.changedWidely(id, mark));
  }
}
