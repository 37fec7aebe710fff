import type { AccountSort, ContactSort } from "@parley/sdk/enums";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { failureOf } from "../../api/failure.js";
import { pagedQuery, QUIET_MS } from "../../api/paged.js";
import { type Contact, type Conversation, parley, type Schemas } from "../../api/parley.js";

export type Account = Schemas["Account"];

const LONG_MS = 5 * 60_000;
/** As many as one request answers. */
const MANY = 100;

export interface ContactFilter {
  sort?: ContactSort;
  label?: string;
  workspaceId?: string;
  blocked?: boolean;
}

/** All contacts, or those that a search finds. Merged ones are left out: the contact that remains has their values. */
export const contactsQuery = (q: string, limit?: number, filter: ContactFilter = {}) =>
  pagedQuery<Contact>(
    ["contacts", q, limit ?? "all", filter],
    (page, options) =>
      q ? parley.contacts.search({ ...page, q }, options) : readContacts({ ...filter, ...page }, options),
    { limit, staleTime: QUIET_MS },
  );

/** A page of a filtered list may have nothing to show, though the list goes on behind it. */
async function readContacts(
  query: ContactFilter & { cursor: string | undefined },
  options: { signal: AbortSignal },
): Promise<{ data: Contact[]; nextCursor?: string }> {
  const page = await parley.contacts.list(query, options);
  return page.data.length || page.nextCursor === undefined
    ? page
    : readContacts({ ...query, cursor: page.nextCursor }, options);
}

export interface AccountFilter {
  sort?: AccountSort;
  industry?: string;
  plan?: string;
}

export const accountsQuery = (q: string, limit?: number, filter: AccountFilter = {}) =>
  pagedQuery<Account>(
    ["accounts", q, limit ?? "all", filter],
    (page, options) =>
      q ? parley.accounts.search({ ...page, q }, options) : parley.accounts.list({ ...filter, ...page }, options),
    { limit, staleTime: QUIET_MS },
  );

/** What can be chosen from: what the newest accounts have. */
export const newestAccountsQuery = () =>
  queryOptions({
    queryKey: ["accounts", "newest"],
    queryFn: async ({ signal }) => (await parley.accounts.list({ limit: MANY }, { signal })).data,
    staleTime: QUIET_MS,
  });

export const accountContactsQuery = (id: string) =>
  pagedQuery<Contact>(
    ["contacts", "of-account", id],
    (page, options) => parley.accounts.listContacts(id, page, options),
    {
      staleTime: QUIET_MS,
    },
  );

export const conversationsOfQuery = (contactId: string) =>
  pagedQuery<Conversation>(
    ["conversations-of", contactId, "pages"],
    (page, options) => parley.conversations.list({ ...page, contactId }, options),
    { limit: 10, staleTime: QUIET_MS },
  );

/** One contact, read anew: what is edited has to be what the server has. Merged contacts are found too. */
export const wholeContactQuery = (id: string) =>
  queryOptions({
    queryKey: ["contact", id],
    queryFn: async ({ signal }): Promise<Contact | null> => await parley.contacts.get(id, { signal }),
    staleTime: QUIET_MS,
  });

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ["account", id],
    queryFn: ({ signal }) => parley.accounts.get(id, { signal }),
    staleTime: QUIET_MS,
  });

/** What an account is called. Rows ask for the first accounts together, and for one alone only if it is not among them. */
export const accountNameQuery = (client: QueryClient, id: string) =>
  queryOptions({
    queryKey: ["account-name", id],
    queryFn: async ({ signal }) => {
      const first = await client.ensureQueryData({
        queryKey: ["account-names"],
        queryFn: async () => {
          const { data } = await parley.accounts.list({ limit: MANY });
          return new Map(data.map((account) => [account.id, account.name]));
        },
        staleTime: LONG_MS,
      });
      return first.get(id) ?? (await parley.accounts.get(id, { signal })).name;
    },
    staleTime: LONG_MS,
  });

/** Takes over what the server answered, and reads again the lists that show it. */
export function contactChanged(client: QueryClient, contact: Contact): void {
  client.setQueryData(["contact", contact.id], contact);
  void client.invalidateQueries({ queryKey: ["contacts"] });
}

export function accountChanged(client: QueryClient, account: Account): void {
  client.setQueryData(["account", account.id], account);
  for (const queryKey of [["accounts"], ["account-names"], ["account-name"]])
    void client.invalidateQueries({ queryKey });
}

/** The field that the server refused. Its sentence begins with the name of it. */
export function refusedField<Field extends string>(error: unknown, fields: readonly Field[]): Field | undefined {
  const [first = ""] = failureOf(error).said ?? [];
  return fields.find((field) => new RegExp(`^(?:each value in |All )?${field}\\b`).test(first));
}

/** Texts that were typed, without spaces around them and without those that are empty. */
export const filled = (values: string[]): string[] => values.map((value) => value.trim()).filter(Boolean);
