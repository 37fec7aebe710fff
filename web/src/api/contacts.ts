import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import i18n from "../i18n/i18n.js";
import { type Contact, parley } from "./parley.js";

const CONTACT = "contact";
const STALE_MS = 5 * 60_000;
/** A list shows names that nothing else keeps. */
const KEPT_MS = 60 * 60_000;
const AGAIN_MS = 10_000;

/** What a contact is called: by their name, or by the first address that they have. */
export const nameOf = (contact: Contact | null | undefined): string | undefined =>
  contact?.name ?? contact?.emails[0]?.value ?? contact?.phones[0]?.value;

/** The end of an id tells contacts apart that have neither a name nor an address. It is short, so that no row cuts it off. */
const MARK = -4;

/** What a contact is called in any case. */
export const displayNameOf = (contact: Contact | null | undefined): string =>
  nameOf(contact) ??
  (contact ? i18n.t("common.visitor", { mark: contact.id.slice(MARK) }) : i18n.t("common.unknownContact"));

/** The ids that the next request will ask for, and what it finds. */
let next: { ids: Set<string>; found: Promise<Map<string, Contact>> } | undefined;
const MAX_IDS = 100;

function nextRequest(): NonNullable<typeof next> {
  const ids = new Set<string>();
  const found = new Promise((resolve) => setTimeout(resolve)).then(() => {
    next = undefined;
    return fetchContacts([...ids]);
  });
  return (next = { ids, found });
}

/** One contact. Rows that are rendered at the same time ask for theirs in one request. */
export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: [CONTACT, id],
    queryFn: async (): Promise<Contact | null> => {
      const { ids, found } = next ?? nextRequest();
      ids.add(id);
      return (await found).get(id) ?? null;
    },
    staleTime: STALE_MS,
    gcTime: KEPT_MS,
  });

async function fetchContacts(ids: string[]): Promise<Map<string, Contact>> {
  const found = new Map<string, Contact>();
  for (let from = 0; from < ids.length; from += MAX_IDS) {
    const { data } = await parley.contacts.list({ ids: ids.slice(from, from + MAX_IDS), limit: MAX_IDS });
    for (const contact of data) found.set(contact.id, contact);
  }
  return found;
}

/** Counts the changes of contacts. */
function changesOf(client: QueryClient): { subscribe: (listener: () => void) => () => void; count: () => number } {
  let changes = 0;
  return {
    subscribe: (listener) =>
      client.getQueryCache().subscribe(({ type, query }) => {
        const [kind] = query.queryKey as unknown[];
        if (kind !== CONTACT || (type !== "updated" && type !== "removed")) return;
        changes++;
        listener();
      }),
    count: () => changes,
  };
}
const stateOf = (client: QueryClient, id: string) => client.getQueryState(contactQuery(id).queryKey);
const counted = new WeakMap<QueryClient, ReturnType<typeof changesOf>>();

/**
 * The contacts of all rows that are rendered: undefined before they were read, null if that was in vain. One subscription costs less
 * than one for each row.
 */
export function useContacts(ids: readonly string[]): (id: string) => Contact | null | undefined {
  const client = useQueryClient();
  const changes = counted.get(client) ?? changesOf(client);
  counted.set(client, changes);
  useSyncExternalStore(changes.subscribe, changes.count);
  // A text, so that the same contacts in a new array ask for nothing.
  const shown = [...new Set(ids)].join();
  useEffect(() => {
    const read = (): void => {
      for (const id of shown === "" ? [] : shown.split(","))
        if (stateOf(client, id)?.data === undefined) void client.prefetchQuery(contactQuery(id));
    };
    read();
    // No query observes them, so nothing else asks again for those that could not be read.
    const timer = setInterval(read, AGAIN_MS);
    return () => clearInterval(timer);
  }, [client, shown]);
  return (id) => {
    const state = stateOf(client, id);
    return state?.data ?? (state?.error ? null : state?.data);
  };
}
