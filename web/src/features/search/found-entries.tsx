import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Page, pagedQuery, QUIET_MS } from "../../api/paged.js";
import { parley } from "../../api/parley.js";
import { Paged } from "../../ui/paged.js";
import { EntryRow } from "../knowledge/entry-row.js";
import type { Entry, KbEntry, Kind, PolicyEntry } from "../knowledge/kinds.js";
import { excerptOf, hasWords } from "../../ui/excerpt.js";
import { Marked } from "../../ui/marked.js";

const FEW = 3;
/** The search names the nearest entries, however far they are. Below this, one is shown only if it has a word that was typed. */
const LEAST_CONFIDENCE = 0.02;

/** What a search of entries of one kind finds in a workspace, the best match first. */
export const foundEntriesQuery = <E extends Entry>(
  { name, titleOf, textOf }: Kind<E>,
  read: Read<E>,
  q: string,
  workspaceId: string | undefined,
) => ({
  ...pagedQuery<{ entry: E }>(
    [name, "found", workspaceId, q],
    async (_, options) => {
      const { data } = await read(workspaceId!, { q, limit: FEW }, options);
      return {
        data: data.filter(
          ({ entry, confidence }) =>
            confidence >= LEAST_CONFIDENCE || hasWords(`${titleOf(entry)} ${textOf(entry)}`, q),
        ),
      };
    },
    { staleTime: QUIET_MS },
  ),
  enabled: workspaceId !== undefined,
});
export const readEntries: Read<KbEntry> = (...call) => parley.kbEntries.search(...call);
export const readPolicies: Read<PolicyEntry> = (...call) => parley.policyEntries.search(...call);

type Read<E> = (
  workspaceId: string,
  query: { q: string; limit: number },
  options: { signal: AbortSignal },
) => PromiseLike<{ data: { entry: E; confidence: number }[] }>;

/** Entries of the knowledge base, or policies. */
export function FoundEntries<E extends Entry>({
  kind,
  q,
  workspaceId,
  query,
}: {
  kind: Kind<E>;
  q: string;
  workspaceId: string;
  query: UseInfiniteQueryResult<InfiniteData<Page<{ entry: E }>>>;
}): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState<string>();
  return (
    <Paged
      isExtract
      query={query}
      label={t(`${kind.name}.title`)}
      keyOf={({ entry }) => entry.id}
      empty={null}
      row={({ entry }) => (
        <EntryRow
          kind={kind}
          entry={entry}
          open={entry.id === open}
          onToggle={() => setOpen(entry.id === open ? undefined : entry.id)}
          marked={<Marked parts={excerptOf(kind.titleOf(entry), q)} />}
          excerpt={<Marked parts={excerptOf(kind.textOf(entry), q)} />}
          actions={
            <Link
              to={`/${kind.name}`}
              search={{ workspace: workspaceId, show: "approved", entry: entry.id }}
              className="text-accent hover:underline"
            >
              {t("search.openEntries")}
            </Link>
          }
        />
      )}
    />
  );
}
