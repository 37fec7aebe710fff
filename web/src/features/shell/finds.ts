import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { displayNameOf, useContacts } from "../../api/contacts.js";
import { QUIET_MS } from "../../api/paged.js";
import { parley } from "../../api/parley.js";
import { workspacesQuery } from "../../api/queries.js";
import { useMember } from "../../session/session.js";
import { hasWords } from "../../ui/excerpt.js";
import { headlineOf } from "../../ui/headline.js";
import type { Command } from "./commands.js";

/** A search starts when nothing was typed for this long, and with so many letters. */
const PAUSE_MS = 150;
const MIN_LETTERS = 2;
const FEW = 4;
/** A member of many workspaces finds the entries of the others by the search. */
const WORKSPACES = 3;

function usePaused(text: string): string {
  const [paused, setPaused] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** People, conversations, companies, cases and entries that have what was typed. What a role may not read is not found. */
export function useFinds(wanted: string): { finds: Command[]; isSearching: boolean } {
  const navigate = useNavigate();
  const isBilling = useMember().role === "billing";
  const q = usePaused(wanted);
  const enabled = !isBilling && q.length >= MIN_LETTERS && q === wanted;
  const { data: workspaces = [] } = useQuery({ ...workspacesQuery(), enabled: !isBilling });
  const ask = <T>(name: string, read: (options: { signal: AbortSignal }) => PromiseLike<{ data: T[] }>) => ({
    queryKey: ["palette", name, q],
    queryFn: async ({ signal }: { signal: AbortSignal }) => (await read({ signal })).data,
    enabled,
    retry: false,
    staleTime: QUIET_MS,
  });
  const limit = FEW;
  const [people, conversations, accounts, cases] = useQueries({
    queries: [
      ask("contacts", (options) => parley.contacts.search({ q, limit }, options)),
      ask("conversations", (options) => parley.conversations.search({ query: q, limit }, options)),
      ask("accounts", (options) => parley.accounts.search({ q, limit }, options)),
      ask("cases", (options) => parley.cases.list({ q, limit }, options)),
    ],
  });
  const entries = useQueries({
    queries: workspaces
      .slice(0, WORKSPACES)
      .map(({ id }) => ask(`entries ${id}`, (options) => parley.kbEntries.search(id, { q, limit }, options))),
  });
  const contactOf = useContacts(conversations.data?.map(({ conversation }) => conversation.contactId) ?? []);
  const find = (group: Command["group"], id: string, label: string, rest: string | undefined, to: string): Command => ({
    id: `${group}-${id}`,
    group,
    label,
    ...(rest && { rest }),
    run: () => void navigate({ to }),
  });
  const finds = [
    ...(people.data ?? []).map((contact) => {
      const name = displayNameOf(contact);
      const rest = [contact.emails[0]?.value, contact.phones[0]?.value].find((value) => value && value !== name);
      return find("contacts", contact.id, name, rest, `/contacts/${contact.id}`);
    }),
    ...(conversations.data ?? []).map(({ conversation }) => {
      const name = displayNameOf(contactOf(conversation.contactId));
      return find("conversations", conversation.id, name, headlineOf(conversation), `/inbox/all/${conversation.id}`);
    }),
    ...(accounts.data ?? []).map(({ id, name }) => find("accounts", id, name, undefined, `/accounts/${id}`)),
    ...(cases.data ?? []).map(({ id, number, title }) => find("cases", id, title, `#${number}`, `/cases/${id}`)),
    ...entries
      .flatMap(({ data = [] }) => data)
      // What is only like it in meaning would be beside every action.
      .filter(({ entry }) => hasWords(`${entry.question} ${entry.answer}`, q))
      .slice(0, FEW)
      .map(({ entry: { id, workspaceId, question } }) =>
        find("entries", id, question, undefined, `/knowledge?workspace=${workspaceId}&show=approved&entry=${id}`),
      ),
  ];
  const isOn = !isBilling && wanted.length >= MIN_LETTERS;
  return {
    finds: isOn ? finds : [],
    isSearching:
      isOn && (!enabled || [people, conversations, accounts, cases, ...entries].some((one) => one.isLoading)),
  };
}
