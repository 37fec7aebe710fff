import { nothingErased } from "./erased.js";

/**
 * What happens to the contacts of a person. Each feature that holds something of a contact handles these events in its
 * `*.personal-data.ts`. All of them are published in the transaction that does the work, with the contacts locked
 * (except `ContactsLocking`).
 */

/**
 * Contacts are about to be locked. Writers lock a conversation first and its contact second, so a handler locks here what
 * comes before a contact.
 */
export class ContactsLocking {
  constructor(readonly contactIds: readonly string[]) {}
}

/** The contact `from` was merged into `to`, which has its name and addresses by now. A handler may throw to refuse the merge. */
export class ContactsMerged {
  /** Handlers add how many rows they moved. */
  readonly moved = { conversations: 0, cases: 0, bookings: 0, identityEvents: 0, verifications: 0 };

  constructor(
    readonly from: string,
    readonly to: string,
  ) {}
}

/** Contacts were deleted: hidden at once, purged after 30 days. */
export class ContactsDeleted {
  constructor(readonly contactIds: readonly string[]) {}
}

/** Contacts that were deleted 30 days ago are purged. Their conversations stay. */
export class ContactsPurged {
  /** Handlers add how many rows they removed. */
  identityEvents = 0;

  constructor(readonly contactIds: readonly string[]) {}
}

/**
 * A person is erased. A handler removes what its feature holds of them, or makes it anonymous, and adds the rows to
 * `erased`. It must do nothing where nothing is left: the daily reconciliation publishes this again for everybody who was
 * ever erased.
 *
 * The conversations, the contacts and their addresses are still as they were, so that handlers can find by them; they are
 * erased after all handlers. Handlers of different features lock different rows. Their order does not matter for the
 * result, and it is the same in every process, so that two erasures lock shared rows in one order.
 */
export class ContactsErased {
  readonly erased = nothingErased();
  /** Handlers add the ids of what they remove, as far as clients know them: answers that name one, kept for retries, are wiped. */
  readonly removedIds: string[] = [];

  constructor(
    /** All contacts of the person. */
    readonly contactIds: readonly string[],
    /** All conversations with them. */
    readonly conversationIds: readonly string[],
  ) {}
}
