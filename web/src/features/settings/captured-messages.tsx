import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQuery } from "../../api/paged.js";
import { parley, type Schemas } from "../../api/parley.js";
import { environment, switchEnvironment } from "../../session/session.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { linked } from "../../ui/links.js";
import { Page } from "../../ui/page.js";
import { Paged } from "../../ui/paged.js";
import { Empty } from "../../ui/states.js";
import { Ago } from "../../ui/time.js";

type Captured = Schemas["CapturedMessage"];
/** What was just written may still be on its way here. */
const REFRESH_MS = 10_000;

const MAX_LINES = 12;
const MAX_CHARACTERS = 800;

/** What the test side would have sent. */
export function CapturedMessages(): ReactNode {
  const { t } = useTranslation();
  const title = t("settings.section.captured-messages");
  return (
    <Page title={title} explain={t("captured.explain")}>
      {environment() === "test" ? (
        <List title={title} />
      ) : (
        <Empty text={t("captured.liveSide")}>
          <Button onClick={() => switchEnvironment("test")}>{t("shell.switchToTest")}</Button>
        </Empty>
      )}
    </Page>
  );
}

function List({ title }: { title: string }): ReactNode {
  const { t } = useTranslation();
  const query = useInfiniteQuery({
    ...pagedQuery<Captured>(["captured-messages"], (page, options) => parley.capturedMessages.list(page, options), {
      limit: 25,
      staleTime: 0,
    }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Paged
      query={query}
      label={title}
      keyOf={({ id }) => id}
      empty={
        <Empty text={t("captured.empty")}>
          <Link to="/inbox" className="text-accent hover:underline">
            {t("captured.toConversations")}
          </Link>
        </Empty>
      }
      row={({ channel, to, subject, body, createdAt }) => (
        <article className="flex flex-col gap-1 p-3">
          <p className="flex flex-wrap items-center gap-2">
            <Badge>{t(`channel.${channel as "email"}`, channel)}</Badge>
            <span className="min-w-0 flex-1 font-medium wrap-anywhere">{to}</span>
            <span className="text-sm text-muted">
              <Ago at={createdAt} />
            </span>
          </p>
          {subject && (
            <p dir="auto" className="wrap-anywhere">
              {subject}
            </p>
          )}
          <Text body={body} />
        </article>
      )}
    />
  );
}

/** The beginning of a long text, so that the next message is in sight. */
function Text({ body }: { body: string }): ReactNode {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const beginning = body.split("\n").slice(0, MAX_LINES).join("\n").slice(0, MAX_CHARACTERS);
  const isCut = !isWhole && beginning.length < body.length;
  return (
    <div>
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap text-muted">
        {linked(isCut ? `${beginning.replace(/[\ud800-\udbff]$/, "").trimEnd()} …` : body)}
      </p>
      {isCut && (
        <button type="button" className="mt-1 text-accent hover:underline" onClick={() => setWhole(true)}>
          {t("thread.showAll")}
        </button>
      )}
    </div>
  );
}
