import { nothingErased } from "./erased.js";

/**
 * What happens to the contacts of a person. Each feature that stores data of a contact handles these events in its
 * `*.personal-data.ts`. All events are published in the transaction that does the work. The contacts are locked,
 * except at `ContactsLocking`.
 */

/**
 * Contacts are about to be locked. Writers lock a conversation first and its contact second, so a handler locks its
 * conversations here.
 */
export class ContactsLocking {
  constructor(readonly contactIds: readonly string[]) {}
}

/**
 * The contact `from` was merged into `to`. `to` already has its name and addresses. A handler may throw to refuse the
 * merge.
 */
export class ContactsMerged {
  /** Handlers add how many rows they moved, and how many conversations lost their assurance level. */
  readonly moved = {
    conversations: 0,
    assuranceLevelsLost: 0,
    cases: 0,
    bookings: 0,
    identityEvents: 0,
    verifications: 0,
  };

  constructor(
    readonly from: string,
    readonly to: string,
  ) {}
}

/** Contacts were deleted. They are hidden now and purged after 30 days. */
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
 * A person is erased. A handler removes or anonymises what its feature stores about the person, and adds the row
 * counts to `erased`. If nothing is left, it must do nothing: the daily reconciliation publishes this event again for
 * every person who was ever erased.
 *
 * The conversations, the contacts and their addresses still exist, so that handlers can use them for look-ups. They
 * are erased after all handlers. Handlers of different features lock different rows. Their order does not change the
 * result. It is the same in every process, so that two erasures lock shared rows in the same order.
 */
export class ContactsErased {
  readonly erased = nothingErased();
  /** Handlers add the ids that clients know of the removed rows. Stored answers that name one of them are wiped. */
  readonly removedIds: string[] = [];

  constructor(
    /** All contacts of the person. */
    readonly contactIds: readonly string[],
    /** All conversations with these contacts. */
    readonly conversationIds: readonly string[],
  ) {}
}
