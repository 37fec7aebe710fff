import type { ParsedMail } from "mailparser";
import { MAX_PEOPLE, withoutTag } from "../../conversations/participants/addresses.js";
import { addressOf, clean, isOwn, type MailHeaders } from "./mail-headers.js";

export interface Person {
  address: string;
  name: string | null;
}

/** Whom a mail names besides the mailbox and its sender. */
export interface MailPeople {
  to: Person[];
  cc: Person[];
  /** How many more are in the mail. */
  more: number;
  /** The addresses that the mailbox was reached at. One may be signed: see `reply-addresses.ts`. */
  reachedAt: string[];
}

const MAX_NAME = 200;
/** More addresses are counted and not looked at. Most of a mail's people are in its first ones. */
const MAX_READ = 500;
/** Where servers write the address that a mail was delivered to. */
const DELIVERED = ["delivered-to", "x-original-to", "envelope-to", "x-envelope-to"];

type Entry = NonNullable<NonNullable<Exclude<ParsedMail["from"], unknown[]>>["value"]>[number];

/** The addresses of a header, of which at most `max` are read. A repeated header is a list. */
function entriesOf(header: ParsedMail["to"], max: number): { entries: Entry[]; count: number } {
  const entries: Entry[] = [];
  let count = 0;
  for (const one of [header].flat())
    for (const entry of one?.value ?? [])
      for (const each of entry.group ?? [entry]) {
        count++;
        if (entries.length < max) entries.push(each);
      }
  return { entries, count };
}

/** The valid addresses of a header. @param max so many entries are looked at */
export function peopleIn(header: ParsedMail["to"], max: number): Person[] {
  return entriesOf(header, max).entries.flatMap(({ address, name }) => {
    const valid = addressOf(address);
    if (!valid) return [];
    const given = clean((name ?? "").slice(0, 2 * MAX_NAME))
      .replace(/\s+/g, " ")
      .trim();
    return [{ address: valid, name: given.slice(0, MAX_NAME).toWellFormed() || null }];
  });
}

/** Reads To and Cc in time that is linear in their length, whatever they hold. */
export function peopleOf(
  { to, cc }: Pick<ParsedMail, "to" | "cc">,
  headers: MailHeaders,
  {
    sender,
    channelAddress,
    recipients = [],
  }: { sender: string | undefined; channelAddress: string; recipients?: readonly string[] | undefined },
): MailPeople {
  const reachedAt = new Set<string>();
  const seen = new Set([sender]);
  let room = MAX_PEOPLE;
  let more = 0;
  const read = (header: ParsedMail["to"]): Person[] => {
    const { entries, count } = entriesOf(header, MAX_READ);
    more += count - entries.length;
    return peopleIn(header, MAX_READ).filter(({ address }) => {
      if (isOwn(withoutTag(address), channelAddress)) {
        reachedAt.add(address);
        return false;
      }
      if (seen.has(address)) return false;
      seen.add(address);
      if (room > 0) return room--;
      more++;
      return false;
    });
  };
  const people = { to: read(to), cc: read(cc) };
  for (const given of [...DELIVERED.map((name) => headers.get(name)), ...recipients.slice(0, MAX_READ)]) {
    const address = addressOf(given?.replace(/^<|>$/g, ""));
    if (address && isOwn(withoutTag(address), channelAddress)) reachedAt.add(address);
  }
  return { ...people, more, reachedAt: [...reachedAt] };
}

/** Of a mail that could not be parsed. */
export const NOBODY: MailPeople = { to: [], cc: [], more: 0, reachedAt: [] };
