import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../api/parley.js";
import { QUIET_MS } from "../../api/paged.js";
import { region } from "../../i18n/i18n.js";
import { manages } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Failed, Skeleton } from "../../ui/states.js";

const Rehearsal = lazy(() => import("../rehearsal/rehearsal.js"));

type Example = Schemas["ImpactExample"];
const CHANGES = ["newlyAnswered", "answeredOtherwise", "newlyAmbiguous", "noLongerAnswered"] as const;

const impactQuery = (id: string) =>
  queryOptions({
    queryKey: ["knowledge", "impact", id],
    queryFn: ({ signal }) => parley.kbEntries.getImpact(id, { signal }),
    staleTime: QUIET_MS,
  });

/** What the assistant would do otherwise with an entry. Working it out takes a moment, so show it once somebody asks for it. */
export function Impact({ id, workspaceId }: { id: string; workspaceId: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const me = useMember();
  const { data, error, refetch } = useQuery(impactQuery(id));
  const result = useRef<HTMLDivElement>(null);
  // The button that asked for it is gone: the keyboard goes on here.
  useEffect(() => result.current?.focus(), []);
  const changes = data && CHANGES.filter((change) => data[change].count > 0);
  return (
    <section
      ref={result}
      tabIndex={-1}
      aria-label={t("impact.title")}
      aria-busy={!data && !error}
      className="mt-5 flex max-w-2xl flex-col gap-3 outline-none"
    >
      <h3 className="text-sm font-semibold text-muted">{t("impact.title")}</h3>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={2} />}
      {data && (
        <p role="status">
          {data.questions === 0
            ? t("impact.noQuestions")
            : t(changes?.length ? "impact.looked" : "impact.nothing", {
                count: data.questions,
                since: new Intl.DateTimeFormat(region(), { dateStyle: "medium", timeZone: "UTC" }).format(
                  new Date(data.since),
                ),
              })}
          {data.skipped > 0 && ` ${t("impact.skipped", { count: data.skipped })}`}
        </p>
      )}
      {data &&
        changes?.map((change) => (
          <section key={change} className="flex flex-col gap-1.5">
            <h4 className="flex items-baseline gap-2 font-medium">
              <span className="tabular-nums">{new Intl.NumberFormat(i18n.language).format(data[change].count)}</span>
              {t(`impact.change.${change}`)}
            </h4>
            <ul aria-label={t("impact.examples")} className="flex flex-col gap-2 border-s-2 border-line ps-3">
              {data[change].examples.map((example) => (
                <li key={example.messageId}>
                  <ExampleLines example={example} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      {manages(me) && (
        <Suspense>
          <Rehearsal workspaceId={workspaceId} draft={() => ({ entries: [{ kbEntryId: id }] })} />
        </Suspense>
      )}
    </section>
  );
}

function ExampleLines({ example: { conversationId, question, before, after } }: { example: Example }): ReactNode {
  const { t } = useTranslation();
  const words = ({ decision, entries }: Schemas["ImpactDecision"]): string =>
    t(`impact.decision.${decision}`, {
      entry: entries[0]?.question ?? "",
      other: entries[1]?.question ?? "",
    });
  return (
    <>
      <Link
        to="/inbox/$view/$conversationId"
        params={{ view: "all", conversationId }}
        dir="auto"
        className="block wrap-anywhere text-accent hover:underline"
      >
        {question}
      </Link>
      <p dir="auto" className="text-sm wrap-anywhere text-muted">
        {t("impact.before", { decision: words(before) })}
      </p>
      <p dir="auto" className="text-sm wrap-anywhere">
        {t("impact.after", { decision: words(after) })}
      </p>
    </>
  );
}
