import { page, type Page } from "../page.js";
import { changed, type Disk, disk, type Draft, EMPTY, savedPart, type StoredDraft } from "./drafts.js";

/** Within this time, what the member types is on the disk. */
const WRITE_MS = 250;

/** What drafts of a tab have around them. */
export interface Tab {
  disk: Disk;
  page: Page;
  /** Drafts that are on the page, by conversation. */
  onPage: Map<string, OpenDraft>;
}
export const thisTab: Tab = { disk, page, onPage: new Map() };

/** The member's draft in a conversation, if it is on the page. By now it can be another member's page. */
export function openDraft(memberId: string, conversationId: string, { onPage } = thisTab): OpenDraft | undefined {
  const open = onPage.get(conversationId);
  return open?.memberId === memberId ? open : undefined;
}

/** The draft of a conversation that is on the page. It is on the disk, and then on the server. */
export class OpenDraft {
  /** While a reply is on its way, the server does not hear of the draft: the reply says what becomes of it. */
  isHeld = false;
  /** Whether the disk was read. What is typed before goes on after what is there. */
  isRead = false;
  #now: StoredDraft | undefined;
  #reading: Promise<void> | undefined;
  #isReachable = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #listeners = new Set<(byMember: boolean) => void>();
  #end = new AbortController();
  /** How many writes the disk has not confirmed. */
  #underway = 0;
  /** The text that `take` took. */
  #sent: string | undefined;

  constructor(
    readonly memberId: string,
    readonly conversationId: string,
    readonly tab = thisTab,
  ) {}

  now = (): StoredDraft | undefined => this.#now;

  /** Calls this after each change, and says whether the member made it on this page. */
  subscribe = (listener: (byMember: boolean) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** @param sync keeps the server's draft the same, if it has one, until the signal ends it */
  start(sync?: (open: OpenDraft, signal: AbortSignal) => void): () => void {
    const end = (this.#end = new AbortController());
    this.tab.onPage.set(this.conversationId, this);
    this.#reading ??= this.#read();
    this.#reading.then(() => end.signal.aborted || sync?.(this, end.signal)).catch(() => undefined);
    this.tab.page.on("pagehide", () => this.#keep(), end.signal);
    return () => void this.close();
  }

  async #read(): Promise<void> {
    const found = await this.tab.disk.read(this.memberId, this.conversationId).catch(() => EMPTY);
    this.isRead = true;
    const early = this.#now;
    this.#set(early ? goOn(found, early) : found, early !== undefined);
    // Also if the member has left by now: it is nowhere else.
    if (early) await this.tab.disk.write(this.memberId, this.conversationId, this.#now!).catch(() => undefined);
  }

  /** Resolves when the disk was read. */
  get reading(): Promise<void> {
    return this.#reading ?? Promise.resolve();
  }

  /** What the member changes. */
  change = (part: Partial<Draft>): void => {
    this.#set(changed(this.#now ?? EMPTY, part), true);
    this.#timer ??= setTimeout(() => void this.write(), WRITE_MS);
  };

  /** What the server or another tab says. */
  adopt(next: StoredDraft): void {
    if (next !== this.#now) this.#set(next, false);
  }

  get isReachable(): boolean {
    return this.#isReachable;
  }
  set isReachable(is: boolean) {
    if (this.#isReachable === is || !this.#now) return;
    this.#isReachable = is;
    this.#set({ ...this.#now }, false);
  }

  /** Whether something was typed that is not on the disk yet. */
  get isWriting(): boolean {
    return this.#timer !== undefined;
  }

  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.isRead || !this.#now || this.#end.signal.aborted) return;
    this.#underway++;
    await this.tab.disk.write(this.memberId, this.conversationId, this.#now).catch(() => undefined);
    this.#underway--;
  }

  #keep(): void {
    // A write that is under way may not survive the page either.
    if (!this.isWriting && this.#underway === 0) return;
    // Before the disk was read, it would be in place of what is there.
    if (this.isRead && this.#now) this.tab.disk.keep?.(this.memberId, this.conversationId, this.#now);
    // For a page that comes back.
    void this.write();
  }

  /** Empties what is on its way now. @returns the version on the server that it was */
  take(part: Partial<Draft>): string | undefined {
    this.isHeld = true;
    this.#sent = this.#now && savedPart(this.#now).text;
    this.change(part);
    return this.#now?.version ?? undefined;
  }

  /** Ends what `take` began. @param version the one that the server has deleted with the reply; undefined if it was refused */
  taken(version: string | undefined): void {
    this.isHeld = false;
    const now = this.#now;
    if (!now) return;
    this.#set(now.version === version ? { ...now, version: null, attempt: this.#sent } : { ...now }, true);
    void this.write();
  }

  /** Writes what is not on the disk yet. After that nothing of this page gets there. */
  async close(): Promise<void> {
    const { onPage } = this.tab;
    if (onPage.get(this.conversationId) === this) onPage.delete(this.conversationId);
    const written = this.isWriting ? this.write() : undefined;
    this.#end.abort();
    await written;
    await this.reading;
  }

  #set(next: StoredDraft, byMember: boolean): void {
    this.#now = next;
    for (const listener of this.#listeners) listener(byMember);
  }
}

const joined = (...texts: string[]): string => texts.filter(Boolean).join("\n");

/** What was typed before the disk was read, after what is there. */
const goOn = (found: StoredDraft, { mode, reply, note, files }: StoredDraft): StoredDraft =>
  changed(found, {
    mode,
    reply: joined(found.reply, reply),
    note: joined(found.note, note),
    files: [...found.files, ...files],
  });

/** Puts what was taken back, refused, or uploaded, before what the draft has by now. */
export async function restoreDraft(
  memberId: string,
  conversationId: string,
  {
    mode,
    text = "",
    files,
    people,
    cites,
  }: { mode?: Draft["mode"]; text?: string } & Pick<Draft, "files" | "people" | "cites">,
  tab = thisTab,
): Promise<void> {
  const open = openDraft(memberId, conversationId, tab);
  await open?.reading;
  const now = open?.now() ?? (await tab.disk.read(memberId, conversationId));
  const to = mode ?? now.mode;
  const part = {
    mode: to,
    [to]: joined(text, now[to]),
    files: [...now.files, ...files],
    ...(people && { people }),
    ...(cites && { cites }),
  };
  if (open?.now()) {
    open.change(part);
    // At once: it is nowhere else.
    await open.write();
  } else await tab.disk.write(memberId, conversationId, changed(now, part));
}
