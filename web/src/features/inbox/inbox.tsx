import { useNavigate } from "@tanstack/react-router";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { conversationsQuery } from "../../api/queries.js";
import { useKeys } from "../../keyboard/keys.js";
import { useMember } from "../../session/session.js";
import { Thread } from "../thread/thread.js";
import { ConversationList } from "./list.js";
import { useInboxPlace } from "./place.js";
import { Views } from "./views.js";

/** Three panes on wide screens: views and list, thread, contact. On a phone, one at a time. */
export function Inbox(): ReactNode {
  const { t } = useTranslation();
  const { view = "all", conversationId: open } = useInboxPlace();
  const navigate = useNavigate();
  const member = useMember();
  const query = useInfiniteQuery(conversationsQuery(view, member.id));
  const [cursor, setCursor] = useState<string>();
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? [];

  const show = (id: string): void =>
    void navigate({ to: "/inbox/$view/$conversationId", params: { view, conversationId: id } });
  const toList = (): void => void navigate({ to: "/inbox/$view", params: { view } });
  const step = (by: number) => () => {
    const at = rows.findIndex(({ id }) => id === (open ?? cursor));
    const next = rows[at === -1 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (!next) return;
    setCursor(next.id);
    if (open !== undefined) show(next.id);
  };
  useKeys({
    j: step(1),
    k: step(-1),
    Enter: cursor !== undefined && open === undefined ? () => show(cursor) : undefined,
    u: open === undefined ? undefined : toList,
  });

  return (
    <div className="flex min-h-0 flex-1">
      <h1 className="sr-only">{t("inbox.title")}</h1>
      <div
        className={`flex min-h-0 shrink-0 flex-col border-line max-md:w-full md:w-80 md:border-e 2xl:w-96 ${open === undefined ? "" : "max-md:hidden"}`}
      >
        <Views view={view} className="flex gap-1 overflow-x-auto border-b border-line p-2 xl:hidden" />
        <ConversationList key={view} view={view} query={query} open={open} cursor={open ?? cursor} />
      </div>
      <div className={`min-h-0 min-w-0 flex-1 ${open === undefined ? "max-md:hidden" : ""}`}>
        {open === undefined ? (
          <div className="flex h-full flex-col items-center justify-center gap-1 p-6 text-center text-muted">
            <p className="text-lg">{t("inbox.pick")}</p>
            <p>{t("inbox.pickHint")}</p>
          </div>
        ) : (
          <Thread key={open} id={open} onBack={toList} />
        )}
      </div>
    </div>
  );
}
