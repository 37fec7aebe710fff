import type { Schemas } from "../api/parley.js";
import { draftFile } from "./files.js";
import { isSame, type Mode, savedPart, type StoredDraft } from "./drafts.js";

/**
 * What the draft is, now that the server says what it has. Of two texts that were written in two places at the same time, the
 * newer one is the draft, and the older one is kept beside it.
 */
export function reconcile(draft: StoredDraft, server: Schemas["Draft"]): StoredDraft {
  const { updatedAt: version, body, isNote } = server;
  if (version === draft.version) return draft;
  const mine = savedPart(draft);
  const mode: Mode = isNote ? "note" : "reply";
  const files = server.attachments.map(draftFile);
  const theirs: StoredDraft = { ...draft, mode, [mode]: body, files, version, isUnsaved: false };

  const isGone = body === "" && files.length === 0;
  // It was sent or emptied elsewhere. What was written here since then stays.
  if (isGone) return draft.isUnsaved ? { ...draft, version } : { ...draft, [mine.mode]: "", files: [], version };
  // What this browser sent, and got no answer to.
  if (body === draft.attempt) return { ...draft, version, isUnsaved: !isSame(draft, theirs) };
  // It goes on elsewhere.
  if (!draft.isUnsaved || isSame(draft, theirs)) return theirs;

  const isOlder = Date.parse(version!) < draft.changedAt;
  const hadNothing = mine.text === "" && mine.files.length === 0;
  // Emptied here, or sent from here, after what the server has.
  if (hadNothing) return isOlder && draft.version !== null ? { ...draft, version } : theirs;
  const all = [...mine.files, ...files.filter(({ id }) => !mine.files.some((one) => one.id === id))];
  const both = { ...draft, files: all, version, isUnsaved: true };
  // A reply here and a note there do not meet.
  if (mode !== mine.mode && draft[mode] === "") return { ...both, [mode]: body };
  const keep = (older: Mode, text: string, newer: string): StoredDraft["other"] =>
    newer.includes(text) ? draft.other : { mode: older, text: [draft.other?.text, text].filter(Boolean).join("\n\n") };
  return isOlder
    ? { ...both, other: keep(mode, body, mine.text) }
    : { ...both, mode, [mode]: body, other: keep(mine.mode, draft[mode] || mine.text, body) };
}
