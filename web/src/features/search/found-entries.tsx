import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Page } from "../../api/paged.js";
import { Paged } from "../../ui/paged.js";
import { EntryRow } from "../knowledge/entry-row.js";
import type { Entry, Kind } from "../knowledge/kinds.js";
import { excerptOf } from "../../ui/excerpt.js";
import { Marked } from "../../ui/marked.js";

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
