import { ConflictError } from "@parley/sdk/core";
import { isTemporary } from "../api/temporary.js";
import type { parley } from "../api/parley.js";
import { isSame, lacks, savedPart, type StoredDraft } from "./drafts.js";
import { openDraft, type OpenDraft, type Tab } from "./open-draft.js";
import { reconcile } from "./reconcile.js";

/** A draft is saved when the member has paused for this long. */
const PAUSE_MS = 1_000;
/** Somebody who does not pause has their draft saved after this time. */
const MAX_UNSAVED_MS = 5_000;
/** Between two saves: longer with each, so that a member who types all the time makes seven requests a minute. */
const MIN_BETWEEN_MS = 3_000;
const MAX_BETWEEN_MS = 10_000;
/** The tab that the member types in saves. If it was closed before, another one does after this time. */
const OTHER_TAB_MS = 10_000;
const MIN_RETRY_MS = 2_000;
const MAX_RETRY_MS = 30_000;
/** A page that comes to the front asks the server, if it has not asked for this long. */
const CHECK_MS = 30_000;
/** So long a sign-out waits for drafts. */
const HAND_OVER_MS = 3_000;

/** What a tab needs to keep its drafts and the server's the same. */
export interface Exchange {
  server: Pick<(typeof parley)["conversations"], "getDraft" | "saveDraft">;
  tab: Tab;
  /** Aborts when the session ends. */
  session: () => AbortSignal;
}
type Server = Exchange["server"];

/** Reads the server's draft. @returns what the draft is then, also if it was changed meanwhile */
async function read(server: Server, id: string, latest: () => StoredDraft, signal: AbortSignal): Promise<StoredDraft> {
  const has = await server.getDraft(id, { signal });
  return reconcile(latest(), has);
}

/** Gives the server the draft, or learns that it has another one. @returns what the draft is then */
async function save(
  server: Server,
  id: string,
  draft: StoredDraft,
  latest: () => StoredDraft,
  signal: AbortSignal,
): Promise<StoredDraft> {
  const { mode, text, files } = savedPart(draft);
  const body = {
    body: text,
    isNote: mode === "note",
    attachmentIds: files.map((file) => file.id),
    ifUpdatedAt: draft.version,
  };
  try {
    const { updatedAt } = await server.saveDraft(id, body, { signal });
    const now = latest();
    return { ...now, version: updatedAt, isUnsaved: !isSame(now, draft) };
  } catch (error) {
    if (error instanceof ConflictError) return read(server, id, latest, signal);
    throw error;
  }
}

/** Drafts that were left, and are being saved. */
const leaving = new Set<Promise<void>>();

/** Keeps the draft on the page and the server's the same, until the signal ends it. */
export function sync(open: OpenDraft, signal: AbortSignal, around: Exchange): void {
  const { memberId, conversationId } = open;
  const { server, tab } = around;
  const session = around.session();
  const now = (): StoredDraft => open.now()!;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  /** Whether the server may have a newer draft than this page knows. */
  let isStale = true;
  /** Another tab has written, too. The version that it saves is unknown here. */
  let isShared = false;
  let wasHeld = false;
  /** What the server refuses is not sent again until it changes. */
  let isRefused = false;
  let [checkedAt, changedAt, unsavedSince, savedAt, saves, failures, conflicts] = [0, 0, -Infinity, -Infinity, 0, 0, 0];

  const mustSave = (): boolean => !isRefused && !open.isHeld && lacks(now());
  const plan = (ms: number): void => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(() => void run(), ms);
  };
  const planSave = (): void => {
    if (!mustSave() || isBusy) return;
    const between = Math.min(MIN_BETWEEN_MS * saves, MAX_BETWEEN_MS);
    const paused = Math.min(changedAt + PAUSE_MS, unsavedSince + MAX_UNSAVED_MS);
    plan(Math.max(paused, savedAt + between) - Date.now());
  };

  const exchange = async (): Promise<void> => {
    if (isStale) {
      open.adopt(await read(server, conversationId, now, signal));
      isStale = false;
      checkedAt = Date.now();
    } else {
      savedAt = Date.now();
      saves++;
      const draft = { ...now(), attempt: savedPart(now()).text };
      // The answer may be lost together with this page.
      open.adopt(draft);
      await open.write();
      const next = await save(server, conversationId, draft, now, signal);
      conflicts = lacks(next) && isSame(next, draft) ? conflicts + 1 : 0;
      // Again, although it names the newest version: there is another reason.
      isRefused = conflicts > 1;
      open.adopt(next);
    }
    await open.write();
  };

  async function run(): Promise<void> {
    if (isBusy || signal.aborted || !(isStale || mustSave())) return;
    isBusy = true;
    let wait: number | undefined;
    try {
      await exchange();
      failures = 0;
      open.isReachable = true;
    } catch (error) {
      if (isTemporary(error)) {
        open.isReachable = false;
        wait = Math.min(MIN_RETRY_MS * 2 ** failures++, MAX_RETRY_MS);
      } else {
        isStale = false;
        isRefused = true;
      }
    }
    isBusy = false;
    if (wait !== undefined) plan(wait);
    else if (isStale) plan(0);
    else planSave();
  }

  const fromTab = (draft: StoredDraft): void => {
    if (open.isWriting || isBusy || draft.changedAt < now().changedAt) return;
    const { version } = now();
    // What this tab has saved since the other one has heard of a version.
    const isBehind = version !== null && draft.version !== null && draft.version < version;
    open.adopt(isBehind ? { ...draft, version } : draft);
    isShared = true;
    plan(OTHER_TAB_MS);
  };
  const turned = (): void => {
    const isFront = tab.page.isVisible;
    if (isFront && Date.now() - checkedAt < CHECK_MS) return;
    isStale ||= isFront;
    plan(0);
  };
  const forget = open.subscribe((byMember) => {
    if (!byMember) return;
    changedAt = Date.now();
    // The first letter since the last save.
    if (unsavedSince <= savedAt) unsavedSince = changedAt;
    isRefused = false;
    // What was sent may be on the server in the version of the other tab.
    if (wasHeld && !open.isHeld && isShared) {
      isShared = false;
      isStale = true;
      plan(0);
    }
    wasHeld = open.isHeld;
    if (!isStale) planSave();
  });
  tab.disk.onWritten(memberId, conversationId, fromTab, signal);
  tab.page.on("visibilitychange", turned, signal);
  tab.page.on("online", () => plan(0), signal);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    forget();
    if (isStale || !mustSave()) return;
    const left = saveLeft(around, memberId, conversationId, now(), session).finally(() => leaving.delete(left));
    leaving.add(left);
  });
  plan(0);
}

/** Saves a draft that is on the page no more. @param session what is begun in one member's name does not go on in another's */
async function saveLeft(
  { server, tab }: Exchange,
  memberId: string,
  conversationId: string,
  draft: StoredDraft,
  session: AbortSignal,
): Promise<void> {
  try {
    const signal = AbortSignal.any([session, AbortSignal.timeout(HAND_OVER_MS)]);
    const next = await give({ server, tab }, conversationId, draft, signal);
    // If it is on the page again, that has the newer state.
    if (!openDraft(memberId, conversationId, tab)) await tab.disk.write(memberId, conversationId, next);
  } catch {
    // It is on the disk. It is saved when the conversation is opened, the page starts, or the connection is back.
  }
}

/** Saves a draft of a closed page on the server. @returns the draft as saved */
async function give(
  { server, tab: { page } }: Pick<Exchange, "server" | "tab">,
  conversationId: string,
  draft: StoredDraft,
  signal: AbortSignal,
): Promise<StoredDraft> {
  let next = draft;
  // The second time, if the server had another version.
  for (let tries = 0; tries < 2 && lacks(next) && page.isOnline; tries++) {
    const saved = next;
    next = await save(server, conversationId, saved, () => saved, signal);
  }
  return next;
}

/**
 * Saves the drafts that were changed in the last moment of a page, or left while offline: some seconds after the page starts,
 * and whenever the connection is back. Until then another tab may still save them.
 */
export function saveUnsaved(memberId: string, signal: AbortSignal, around: Exchange): void {
  const { tab } = around;
  const session = around.session();
  const run = async (): Promise<void> => {
    for (const [id, draft] of await tab.disk.readAll(memberId))
      if (
        lacks(draft) &&
        Date.now() - draft.changedAt >= OTHER_TAB_MS &&
        !openDraft(memberId, id, tab) &&
        !signal.aborted
      )
        await saveLeft(around, memberId, id, draft, session);
  };
  const plan = (): void => {
    const timer = setTimeout(() => void run().catch(() => undefined), OTHER_TAB_MS);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  };
  plan();
  tab.page.on("online", plan, signal);
}

/**
 * Before a sign-out: gives the server what it lacks, and removes from the disk what it has then. The rest stays there, for its
 * author alone.
 */
export async function handOver(memberId: string, around: Exchange): Promise<void> {
  const { onPage, disk } = around.tab;
  await Promise.all([...onPage.values()].map((open) => open.close()));
  await Promise.all(leaving);
  const signal = AbortSignal.timeout(HAND_OVER_MS);
  const handOne = async ([id, draft]: [string, StoredDraft]): Promise<void> => {
    const next = await give(around, id, draft, signal);
    const hasMore = lacks(next) || next.other !== undefined || (next.reply !== "" && next.note !== "");
    if (hasMore) await disk.write(memberId, id, next);
    else await disk.remove(memberId, id);
  };
  await Promise.allSettled((await disk.readAll(memberId)).map(handOne));
}
