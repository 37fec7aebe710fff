import { parley, type Schemas } from "../../api/parley.js";
import type { Member } from "../../session/session.js";

export type KbEntry = Schemas["KbEntry"];
export type PolicyEntry = Schemas["PolicyEntry"];
export type Entry = KbEntry | PolicyEntry;
export type Status = Schemas["EntryStatus"];
export type NewStatus = Schemas["NewEntryStatus"];

interface Page<Item> {
  data: Item[];
  nextCursor?: string | undefined;
}
interface Version {
  version: number;
  changedBy: string | null;
  reason: string | null;
}
export interface Similar<E> {
  likeness: number;
  kind: Schemas["SimilarityKind"];
  entry: E;
}

/** What a member writes: an entry without what Parley adds. `language` only counts for a new entry. */
export type Written<E extends Entry> = E extends KbEntry
  ? Schemas["CreateKbEntry"]
  : E extends PolicyEntry
    ? Schemas["CreatePolicyEntry"]
    : never;

interface Options {
  signal?: AbortSignal;
}

/** Entries of the knowledge base and policies are reviewed, listed and changed alike. This is in what they differ. */
export interface Kind<E extends Entry> {
  /** Names its texts, its page and its place in the cache. */
  name: "knowledge" | "policies";
  mayWrite: (member: Member) => boolean;
  titleOf: (entry: E) => string;
  textOf: (entry: E) => string;
  listPending: (workspaceId: string, options: Options, sourceId?: string) => Promise<E[]>;
  list: (
    workspaceId: string,
    query: { status: Status; limit: number; cursor?: string },
    options: Options,
  ) => Promise<Page<E>>;
  /** What is in use and answers a question best, however it is worded. */
  search: (
    workspaceId: string,
    query: { q: string; limit: number },
    options: Options,
  ) => Promise<Page<{ entry: E; confidence: number }>>;
  get: (id: string, options: Options) => Promise<E>;
  listSimilar: (id: string, options: Options) => Promise<Page<Similar<E>>>;
  listVersions: (id: string, options: Options) => Promise<{ version: Version; title: string; text: string }[]>;
  /** @param read the entry as the member has read it. Another version of it is not approved. */
  approve: (read: E) => Promise<unknown>;
  /** @param read as in `approve` */
  reject: (read: E, reason: string | null) => Promise<unknown>;
  archive: (id: string) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
  /** @returns the new entry, and how many are like it */
  create: (workspaceId: string, written: Written<E>) => Promise<{ id: string; similar: number }>;
  /** @param ifVersion the version that the member has read */
  update: (id: string, written: Partial<Written<E>>, reason: string | null, ifVersion: number) => PromiseLike<E>;
}

/** As many as the server gives at once. */
export const MAX_PENDING = 1_000;
/** A list of so many has a search. */
export const MANY = 8;
const MAX_SIMILAR = 5;
const MAX_VERSIONS = 50;

const made = ({ id, similar }: { id: string; similar: unknown[] }) => ({ id, similar: similar.length });

export const KB: Kind<KbEntry> = {
  name: "knowledge",
  mayWrite: ({ role }) => role === "owner" || role === "admin" || role === "agent",
  titleOf: ({ question }) => question,
  textOf: ({ answer }) => answer,
  listPending: async (id, options, sourceId) =>
    await parley.kbEntries.listPending(
      id,
      { limit: MAX_PENDING, ...(sourceId !== undefined && { sourceId }) },
      options,
    ),
  list: async (id, query, options) => await parley.kbEntries.list(id, query, options),
  search: async (id, query, options) => await parley.kbEntries.search(id, query, options),
  get: async (id, options) => await parley.kbEntries.get(id, options),
  listSimilar: async (id, options) => await parley.kbEntries.listSimilar(id, { limit: MAX_SIMILAR }, options),
  listVersions: async (id, options) => {
    const { data } = await parley.kbEntries.listVersions(id, { limit: MAX_VERSIONS }, options);
    return data.map((version) => ({ version, title: version.question, text: version.answer }));
  },
  approve: ({ id, version }) => parley.kbEntries.approve(id, { ifVersion: version }),
  reject: ({ id, version }, reason) => parley.kbEntries.reject(id, { reason, ifVersion: version }),
  archive: (id) => parley.kbEntries.archive(id),
  remove: (id) => parley.kbEntries.delete(id),
  create: async (workspaceId, written) => made(await parley.kbEntries.create(workspaceId, written)),
  update: (id, { language: _, status: __, evidence: ___, confidence: ____, ...written }, reason, ifVersion) =>
    parley.kbEntries.update(id, { ...written, reason, ifVersion }),
};

export const POLICIES: Kind<PolicyEntry> = {
  name: "policies",
  mayWrite: ({ role }) => role === "owner" || role === "admin",
  titleOf: ({ title }) => title,
  textOf: ({ rule }) => rule,
  listPending: async (id, options) => await parley.policyEntries.listPending(id, { limit: MAX_PENDING }, options),
  list: async (id, query, options) => await parley.policyEntries.list(id, query, options),
  search: async (id, query, options) => await parley.policyEntries.search(id, query, options),
  get: async (id, options) => await parley.policyEntries.get(id, options),
  listSimilar: async (id, options) => await parley.policyEntries.listSimilar(id, { limit: MAX_SIMILAR }, options),
  listVersions: async (id, options) => {
    const { data } = await parley.policyEntries.listVersions(id, { limit: MAX_VERSIONS }, options);
    return data.map((version) => ({ version, title: version.title, text: version.rule }));
  },
  approve: ({ id, version }) => parley.policyEntries.approve(id, { ifVersion: version }),
  reject: ({ id, version }, reason) => parley.policyEntries.reject(id, { reason, ifVersion: version }),
  archive: (id) => parley.policyEntries.archive(id),
  remove: (id) => parley.policyEntries.delete(id),
  create: async (workspaceId, written) => made(await parley.policyEntries.create(workspaceId, written)),
  update: (id, { status: _, evidence: __, confidence: ___, ...written }, reason, ifVersion) =>
    parley.policyEntries.update(id, { ...written, reason, ifVersion }),
};
