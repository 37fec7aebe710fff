const UID = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})@parley$/;

export const uidOf = (bookingId: string): string => `${bookingId}@parley`;

/** The id of the booking that an event belongs to. Takes linear time, so it does not need a worker thread. */
export function bookingIn(ics: string): string | undefined {
  const lines = ics.replace(/\r?\n[ \t]/g, "").matchAll(/^UID[^:\n]*:(.*?)\r?$/gm);
  for (const [, uid] of lines) {
    const id = UID.exec(uid!.trim())?.[1];
    if (id) return id;
  }
  return undefined;
}
