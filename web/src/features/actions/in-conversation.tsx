import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../api/parley.js";
import { Scrollable } from "../../ui/scrollable.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { ActionCard } from "./card.js";
import { actionsOfQuery } from "./queries.js";

/** What waits for a person in a conversation. What was decided while it is open stays, with what came of it. */
export default function ActionsInConversation({ conversation: { id } }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(actionsOfQuery(id));
  const [kept] = useState(() => new Set<string>());
  for (const { id: actionId, status } of data ?? [])
    if (status === "pending" || status === "approved") kept.add(actionId);
  const actions = data?.filter((action) => kept.has(action.id));
  if (!data && !error) return <Skeleton lines={1} />;
  if (!error && actions?.length === 0) return null;
  return (
    <Scrollable
      as="section"
      aria-label={t("approvals.title")}
      className="max-h-[45vh] shrink-0 overflow-y-auto border-t border-line bg-canvas p-3 -outline-offset-2"
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      <ul className="flex flex-col gap-3">
        {actions?.map((action) => (
          <li key={action.id} className="rounded-lg border border-line bg-surface">
            <ActionCard action={action} onDecided={(card) => card?.focus()} />
          </li>
        ))}
      </ul>
    </Scrollable>
  );
}
