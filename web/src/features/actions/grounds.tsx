import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley } from "../../api/parley.js";
import { type PendingAction, wordsQuery } from "./queries.js";

/** What the approval rests on: the policies that ask for it, and what the contact wrote. */
export const Grounds = ({ action }: { action: PendingAction }): ReactNode => (
  <>
    {action.policyEntryIds.length > 0 && <Policies ids={action.policyEntryIds} />}
    {action.messageId !== null && <Words conversationId={action.conversationId} messageId={action.messageId} />}
  </>
);

function Words({ conversationId, messageId }: { conversationId: string; messageId: string }): ReactNode {
  const { t } = useTranslation();
  const { data: words } = useQuery(wordsQuery(conversationId, messageId));
  return (
    words && (
      <div className="text-sm">
        <p className="text-muted">{t("approvals.words")}</p>
        <blockquote dir="auto" className="line-clamp-4 border-s-2 border-line ps-2 wrap-anywhere whitespace-pre-line">
          {words}
        </blockquote>
      </div>
    )
  );
}

function Policies({ ids }: { ids: string[] }): ReactNode {
  const { t } = useTranslation();
  const policies = useQueries({
    queries: ids.map((id) => ({
      // Below the name of the kind: events about policies read it again.
      queryKey: ["policies", "entry", id],
      queryFn: () => parley.policyEntries.get(id).then(),
    })),
  });
  return (
    <div className="flex flex-wrap gap-x-2 text-sm">
      <p className="text-muted">{t("approvals.policies", { count: ids.length })}</p>
      <ul className="contents">
        {policies.map(({ data, error }, i) => (
          <li key={ids[i]} className="min-w-0">
            {data ? (
              <Link
                to="/policies"
                search={{ workspace: data.workspaceId, show: data.status, entry: data.id }}
                dir="auto"
                className="font-medium wrap-anywhere text-accent hover:underline"
              >
                {data.title}
              </Link>
            ) : (
              error && (
                <span className="text-muted">
                  {failureOf(error).kind === "missing" ? t("approvals.policyGone") : failureOf(error).sentence}
                </span>
              )
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
