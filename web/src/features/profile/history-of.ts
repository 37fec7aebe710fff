import type { InfiniteData } from "@tanstack/react-query";
import type { Page } from "../../api/paged.js";
import type { Conversation } from "../../api/parley.js";
import type { Booking } from "../calendar/queries.js";
import type { Case } from "../cases/queries.js";

/** One thing in a contact's history, and when it was: when the conversation was active last, the case was opened, or the booking begins. */
export type Entry = { id: string; at: string } & (
  | { kind: "conversation"; one: Conversation }
  | { kind: "case"; one: Case }
  | { kind: "booking"; one: Booking }
);

/**
 * Puts cases and bookings between the conversations, newest first. What is older than the conversations that were read comes with
 * their next page, so that nothing appears above what was seen already.
 */
export function historyOf(
  { pages, pageParams }: InfiniteData<Page<Conversation>>,
  others: { cases: readonly Case[]; bookings: readonly Booking[] },
): InfiniteData<Page<Entry>> {
  const rest = [
    ...others.cases.map((one): Entry => ({ kind: "case", id: one.id, at: one.createdAt, one })),
    ...others.bookings.map((one): Entry => ({ kind: "booking", id: one.id, at: one.startsAt, one })),
  ];
  let newer = Infinity;
  return {
    pageParams,
    pages: pages.map(({ data, nextCursor }) => {
      const oldest = nextCursor === undefined ? -Infinity : timeOf(data.at(-1)?.lastActivityAt);
      const between = rest.filter(({ at }) => timeOf(at) < newer && timeOf(at) >= oldest);
      newer = oldest;
      const conversations = data.map((one): Entry => ({
        kind: "conversation",
        id: one.id,
        at: one.lastActivityAt,
        one,
      }));
      const entries = [...conversations, ...between].sort((a, b) => timeOf(b.at) - timeOf(a.at));
      return nextCursor === undefined ? { data: entries } : { data: entries, nextCursor };
    }),
  };
}

const timeOf = (at: string | undefined): number => (at === undefined ? -Infinity : Date.parse(at));
