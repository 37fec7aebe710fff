import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQuery, QUIET_MS } from "../../api/paged.js";
import { parley } from "../../api/parley.js";
import { Part } from "../../ui/detail-page.js";
import { Paged } from "../../ui/paged.js";
import { EntryRow } from "../knowledge/entry-row.js";
import { type Entry, KB, type Kind, POLICIES } from "../knowledge/kinds.js";
import { excerptOf } from "../../ui/excerpt.js";
import { Marked } from "../../ui/marked.js";

const FEW = 3;

/** Entries of the knowledge base and policies of one workspace, the best match first. */
export function FoundEntries({ q, workspaceId }: { q: string; workspaceId: string }): ReactNode {
  return (
    <>
      <Found kind={KB} q={q} workspaceId={workspaceId} read={(...call) => parley.kbEntries.search(...call)} />
      <Found kind={POLICIES} q={q} workspaceId={workspaceId} read={(...call) => parley.policyEntries.search(...call)} />
    </>
  );
}

type Read<E> = (
  workspaceId: string,
  query: { q: string; limit: number },
  options: { signal: AbortSignal },
) => PromiseLike<{ data: { entry: E }[] }>;

function Found<E extends Entry>({
  kind,
  q,
  workspaceId,
  read,
}: {
  kind: Kind<E>;
  q: string;
  workspaceId: string;
  read: Read<E>;
}): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState<string>();
  const found = useInfiniteQuery(
    pagedQuery<{ entry: E }>(
      [kind.name, "found", workspaceId, q],
      async (_, options) => ({ data: (await read(workspaceId, { q, limit: FEW }, options)).data }),
      { staleTime: QUIET_MS },
    ),
  );
  if (!found.error && !found.data?.pages[0]?.data.length) return null;
  return (
    <Part title={t(`${kind.name}.title`)}>
      <div>
        <Paged
          isExtract
          query={found}
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
      </div>
    </Part>
  );
}
