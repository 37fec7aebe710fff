import { useQuery } from "@tanstack/react-query";
import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { countsQuery, viewCountQuery, viewsQuery } from "../../api/queries.js";
import { type SavedView, viewFilter, VIEWS } from "../../api/views.js";
import { useMember } from "../../session/session.js";
import { useCurrentInSight } from "../../ui/focus.js";
import { PageLink } from "../../ui/page-link.js";

/** The views with how many conversations each has: below one another at the left, or in one line above the list. */
export function Views({ view, className }: { view: string | undefined; className: string }): ReactNode {
  const { t } = useTranslation();
  const { data: counts } = useQuery(countsQuery());
  const { data: saved } = useQuery(viewsQuery());
  // Again when the saved views are there: one of them may be the current one.
  const row = useCurrentInSight(`${view} ${saved?.length}`);
  return (
    <nav ref={row} aria-label={t("inbox.views")} className={className}>
      {VIEWS.map((one) => (
        <ViewLink
          key={one}
          view={one}
          isOpen={one === view}
          name={t(`inbox.view.${one}`)}
          count={counts?.[one === "all" ? "open" : one]}
        />
      ))}
      {saved?.map((one) => (
        <SavedLink key={one.id} view={one} isOpen={one.id === view} />
      ))}
    </nav>
  );
}

function SavedLink({ view, isOpen }: { view: SavedView; isOpen: boolean }): ReactNode {
  const { data: count } = useQuery(viewCountQuery(viewFilter(view), useMember().id));
  return <ViewLink view={view.id} isOpen={isOpen} name={view.name} count={count} />;
}

interface Props {
  view: string;
  name: string;
  isOpen: boolean;
  count: { count: number; more: boolean } | null | undefined;
}

const ViewLink = memo(({ view, name, isOpen, count }: Props): ReactNode => (
  <PageLink
    to={`/inbox/${view}`}
    aria-current={isOpen ? "page" : undefined}
    title={name}
    className={`flex h-7 max-w-48 shrink-0 items-center gap-2 rounded-md px-2 text-sm font-medium ${isOpen ? "bg-selected text-accent-strong" : "text-muted hover:bg-hover hover:text-text"}`}
  >
    <bdi className="flex-1 truncate">{name}</bdi>
    {count && count.count > 0 && (
      <span className="text-xs tabular-nums">
        {count.count}
        {count.more && "+"}
      </span>
    )}
  </PageLink>
));
