import type { Changes } from "../platform/database/changes.js";

/**
 * How long an entry is used while this process cannot hear of changes by other processes, or has not ended its look-up. A
 * revocation takes effect within a second all the same.
 */
const UNHEARD_MS = 800;
const MAX_ENTRIES = 20_000;

interface Entry<Credential> {
  credential: Promise<Credential | null>;
  /** The credential, when the look-up has ended. */
  found?: Credential;
  loadedAt: number;
  mark: number;
}

/**
 * What the database says about API keys and sessions, kept until something that belongs to the whole tenant changes, on
 * any process. Unknown credentials are not kept, and neither is personal data.
 */
export class CredentialCache<Credential extends { tenantIds: string[] }> {
  private readonly entries = new Map<string, Entry<Credential>>();

  constructor(private readonly changes: Changes) {}

  /** @param load returns null if there is no such credential */
  get(id: string, load: () => Promise<Credential | null>): Promise<Credential | null> {
    const known = this.entries.get(id);
    if (known && this.isCurrent(known)) return known.credential;
    if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
    // The time and the mark are taken before the look-up, so a change during the look-up makes the entry old.
    const entry: Entry<Credential> = { loadedAt: performance.now(), mark: this.changes.mark(), credential: load() };
    this.entries.set(id, entry);
    const settle = (found?: Credential | null): void => {
      if (found) entry.found = found;
      else if (this.entries.get(id) === entry) this.entries.delete(id);
    };
    entry.credential.then(settle, () => settle());
    return entry.credential;
  }

  /** The same, if it is here and current already. */
  known(id: string): Credential | undefined {
    const entry = this.entries.get(id);
    return entry?.found && this.isCurrent(entry) ? entry.found : undefined;
  }

  private isCurrent({ loadedAt, mark, found }: Entry<Credential>): boolean {
    const isNew = performance.now() - loadedAt < UNHEARD_MS;
    // The tenant is not known until the look-up ends. Until then any change makes the entry old.
    if (found === undefined) return isNew && mark === this.changes.mark();
    const isChanged = this.changes.changedWidely(found.tenantIds, mark);
    return isChanged === null ? isNew : !isChanged;
  }
}
