import { ConflictError } from "@parley/sdk/core";
import { isTemporary } from "../api/failure.js";
import { parley } from "../api/parley.js";
import {
  drafts,
  isSame,
  keyOf,
  lacks,
  readDrafts,
  removeDraft,
  savedPart,
  type StoredDraft,
  type Written,
  writeDraft,
} from "./drafts.js";
import { onPage, openDraft, type OpenDraft } from "./open-draft.js";
import { beforeSignOut, sessionSignal } from "../session/session.js";
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

/** Reads the server's draft. @returns what the draft is then, also if it was changed meanwhile */
async function read(id: string, latest: () => StoredDraft, signal: AbortSignal): Promise<StoredDraft> {
  const server = await parley.conversations.getDraft(id, { signal });
  return reconcile(latest(), server);
}

/** Gives the server the draft, or learns that it has another one. @returns what the draft is then */
async function save(
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
    const { updatedAt } = await parley.conversations.saveDraft(id, body, { signal });
    const now = latest();
    return { ...now, version: updatedAt, isUnsaved: !isSame(now, draft) };
  } catch (error) {
    if (error instanceof ConflictError) return read(id, latest, signal);
    throw error;
  }
}

/** Drafts that were left, and are being saved. */
const leaving = new Set<Promise<void>>();

/** Keeps the draft on the page and the server's the same, until the signal ends it. */
export function sync(open: OpenDraft, signal: AbortSignal): void {
  const { memberId, conversationId } = open;
  const key = keyOf(memberId, conversationId);
  const session = sessionSignal();
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
  let [checkedAt, changedAt, unsavedSince, savedAt, saves, failures, conflicts] = [0, 0, 0, -Infinity, 0, 0, 0];

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
      open.adopt(await read(conversationId, now, signal));
      isStale = false;
      checkedAt = Date.now();
    } else {
      savedAt = Date.now();
      saves++;
      const draft = { ...now(), attempt: savedPart(now()).text };
      // The answer may be lost together with this page.
      open.adopt(draft);
      await open.write();
      const next = await save(conversationId, draft, now, signal);
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

  const fromTab = ({ data: [written, draft] }: MessageEvent<Written>): void => {
    if (written !== key || open.isWriting || isBusy || draft.changedAt < now().changedAt) return;
    open.adopt(draft);
    isShared = true;
    plan(OTHER_TAB_MS);
  };
  const turned = (): void => {
    const isFront = document.visibilityState === "visible";
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
  drafts.addEventListener("message", fromTab, { signal });
  document.addEventListener("visibilitychange", turned, { signal });
  addEventListener("online", () => plan(0), { signal });
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    forget();
    if (isStale || !mustSave()) return;
    const left = saveLeft(memberId, conversationId, now(), session).finally(() => leaving.delete(left));
    leaving.add(left);
  });
  plan(0);
}

/** Saves a draft that is on the page no more. @param session what is begun in one member's name does not go on in another's */
async function saveLeft(
  memberId: string,
  conversationId: string,
  draft: StoredDraft,
  session: AbortSignal,
): Promise<void> {
  try {
    const signal = AbortSignal.any([session, AbortSignal.timeout(HAND_OVER_MS)]);
    const next = await give(conversationId, draft, signal);
    // If it is on the page again, that has the newer state.
    if (!openDraft(memberId, conversationId)) await writeDraft(memberId, conversationId, next);
  } catch {
    // It is on the disk. It is saved when the conversation is opened, the page starts, or the connection is back.
  }
}

/** Saves a draft of a closed page on the server. @returns the draft as saved */
async function give(conversationId: string, draft: StoredDraft, signal: AbortSignal): Promise<StoredDraft> {
  let next = draft;
  // The second time, if the server had another version.
  for (let tries = 0; tries < 2 && lacks(next) && navigator.onLine; tries++) {
    const saved = next;
    next = await save(conversationId, saved, () => saved, signal);
  }
  return next;
}

/**
 * Saves the drafts that were changed in the last moment of a page, or left while offline: some seconds after the page starts,
 * and whenever the connection is back. Until then another tab may still save them.
 */
export function saveUnsaved(memberId: string, signal: AbortSignal): void {
  const session = sessionSignal();
  const run = async (): Promise<void> => {
    for (const [id, draft] of await readDrafts(memberId))
      if (lacks(draft) && Date.now() - draft.changedAt >= OTHER_TAB_MS && !openDraft(memberId, id) && !signal.aborted)
        await saveLeft(memberId, id, draft, session);
  };
  const plan = (): void => {
    const timer = setTimeout(() => void run().catch(() => undefined), OTHER_TAB_MS);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  };
  plan();
  addEventListener("online", plan, { signal });
}

/**
 * Before a sign-out: gives the server what it lacks, and removes from the disk what it has then. The rest stays there, for its
 * author alone.
 */
async function handOver(memberId: string): Promise<void> {
  await Promise.all([...onPage.values()].map((open) => open.close()));
  await Promise.all(leaving);
  const signal = AbortSignal.timeout(HAND_OVER_MS);
  const handOne = async ([id, draft]: [string, StoredDraft]): Promise<void> => {
    const next = await give(id, draft, signal);
    const hasMore = lacks(next) || next.other !== undefined || (next.reply !== "" && next.note !== "");
    if (hasMore) await writeDraft(memberId, id, next);
    else await removeDraft(memberId, id);
  };
  await Promise.allSettled((await readDrafts(memberId)).map(handOne));
}
beforeSignOut(handOver);
