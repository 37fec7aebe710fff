import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { membersQuery } from "../../api/queries.js";
import { region } from "../../i18n/i18n.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { Ago } from "../../ui/time.js";
import { conditionInWords } from "./condition.js";
import { Difference } from "./difference.js";
import type { Entry, KbEntry, Kind, PolicyEntry, Similar } from "./kinds.js";
import { percent } from "./percent.js";
import { evidenceQuery, similarQuery } from "./queries.js";

const Markdown = lazy(() => import("../../ui/markdown.js"));

/** Everything about an entry: what it says, where it comes from, and what is like it. */
export function Details<E extends Entry>({ kind, entry }: { kind: Kind<E>; entry: E }): ReactNode {
  const { t, i18n } = useTranslation();
  const { data: members } = useQuery(membersQuery());
  const { usage, validUntil, source, reviewedBy, reviewedAt, rejectionReason, version, createdAt } = entry;
  return (
    <div className="flex flex-col gap-5">
      <div dir="auto" className="max-w-2xl break-words">
        <Suspense fallback={<p className="whitespace-pre-wrap">{kind.textOf(entry)}</p>}>
          <Markdown text={kind.textOf(entry)} />
        </Suspense>
      </div>
      <dl className="grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[10rem_1fr]">
        {"question" in entry ? (
          <>
            {entry.alternateQuestions.length > 0 && (
              <Fact label={t("entries.alternate")}>
                {entry.alternateQuestions.map((question) => (
                  <span key={question} dir="auto" className="block">
                    {question}
                  </span>
                ))}
              </Fact>
            )}
            {entry.labels.length > 0 && <Fact label={t("entries.labels")}>{entry.labels.join(", ")}</Fact>}
            <Fact label={t("entries.language")}>{languageName(entry.language, i18n.language)}</Fact>
            {entry.readFrom && <ReadFrom place={entry.readFrom} />}
          </>
        ) : (
          <PolicyFacts policy={entry} />
        )}
        {validUntil !== null && (
          <Fact label={t("entries.validUntil")}>
            <time dateTime={validUntil}>
              {new Intl.DateTimeFormat(region(), { dateStyle: "long" }).format(new Date(validUntil))}
            </time>
          </Fact>
        )}
        <Fact label={t("entries.source_label")}>
          {t(`entries.source.${source}`)}, <Ago at={createdAt} inSentence />
          {version > 1 && <>, {t("entries.version", { number: version })}</>}
        </Fact>
        {usage.retrieved > 0 && <Fact label={t("entries.usage")}>{t("entries.usageText", { ...usage })}</Fact>}
        {reviewedAt !== null && (
          <Fact label={t("entries.reviewedBy")}>
            {members?.get(reviewedBy ?? "")?.name ?? t("common.integration")}, <Ago at={reviewedAt} inSentence />
          </Fact>
        )}
        {rejectionReason !== null && <Fact label={t("entries.rejectionReason")}>{rejectionReason}</Fact>}
      </dl>
      {entry.evidence.length > 0 && <Evidence evidence={entry.evidence} />}
      {(entry.status === "pending" || entry.status === "approved") && <SimilarOnes kind={kind} entry={entry} />}
    </div>
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }): ReactNode => (
  <div className="grid grid-cols-subgrid sm:col-span-2">
    <dt className="text-muted">{label}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </div>
);

/** Where a source read it. */
function ReadFrom({ place: { url, section, readAt } }: { place: NonNullable<KbEntry["readFrom"]> }): ReactNode {
  const { t } = useTranslation();
  return (
    <Fact label={t("knowledgeSources.readFrom")}>
      {url !== null && (
        <a href={url} target="_blank" rel="noreferrer" className="text-accent wrap-anywhere hover:underline">
          {url}
        </a>
      )}
      {section && (
        <span dir="auto" className="block">
          {section}
        </span>
      )}
      <span className="block">
        {t("knowledgeSources.lastRead")} <Ago at={readAt} inSentence />
      </span>
    </Fact>
  );
}

function PolicyFacts({ policy }: { policy: PolicyEntry }): ReactNode {
  const { t } = useTranslation();
  const { effect, tools, conditions, requiredAssuranceLevel, priority, category } = policy;
  return (
    <>
      <Fact label={t("policy.effect")}>{t(`policy.effects.${effect}`)}</Fact>
      <Fact label={t("policy.tools")}>
        {tools.length ? <span className="font-mono">{tools.join(", ")}</span> : t("policy.allTools")}
      </Fact>
      <Fact label={t("policy.conditions")}>{conditions ? conditionInWords(conditions, t) : t("policy.always")}</Fact>
      {requiredAssuranceLevel !== null && (
        <Fact label={t("policy.level")}>{t(`policy.levels.${requiredAssuranceLevel}`)}</Fact>
      )}
      <Fact label={t("policy.priority")}>{priority}</Fact>
      {category !== null && <Fact label={t("policy.category")}>{category}</Fact>}
    </>
  );
}

function languageName(code: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames(inLanguage, { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

const Part = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <section className="flex flex-col gap-2">
    <h3 className="text-sm font-semibold text-muted">{title}</h3>
    {children}
  </section>
);

/** The messages that the entry was learned from. */
function Evidence({ evidence }: { evidence: Entry["evidence"] }): ReactNode {
  const { t } = useTranslation();
  const conversations = new Map<string, string[]>();
  for (const { conversationId, messageId } of evidence)
    conversations.set(conversationId, [...(conversations.get(conversationId) ?? []), messageId]);
  return (
    <Part title={t("entries.evidence")}>
      {[...conversations].map(([id, messageIds]) => (
        <Quoted key={id} conversationId={id} messageIds={messageIds} />
      ))}
    </Part>
  );
}

function Quoted({ conversationId, messageIds }: { conversationId: string; messageIds: string[] }): ReactNode {
  const { t } = useTranslation();
  const { data: messages, isPending, error } = useQuery(evidenceQuery(conversationId));
  return (
    <blockquote className="flex flex-col gap-1 border-s-2 border-line ps-3">
      {isPending ? (
        <div className="skeleton h-4 w-2/3" />
      ) : (
        messageIds.map((id) => {
          const text = messages?.get(id)?.body;
          return text ? (
            <p key={id} dir="auto" className="break-words whitespace-pre-wrap">
              {text}
            </p>
          ) : (
            !error && (
              <p key={id} className="text-sm text-muted">
                {t("entries.evidenceGone")}
              </p>
            )
          );
        })
      )}
      <Link
        to="/inbox/$view/$conversationId"
        params={{ view: "all", conversationId }}
        className="self-start text-sm text-accent hover:underline"
      >
        {t("entries.toConversation")}
      </Link>
    </blockquote>
  );
}

/** Likely duplicates and contradictions, each with what it says differently. */
function SimilarOnes<E extends Entry>({ kind, entry }: { kind: Kind<E>; entry: E }): ReactNode {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(similarQuery(kind, entry.id));
  return (
    <Part title={t("entries.similar")}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={1} />
      ) : data?.length === 0 ? (
        <p className="text-sm text-muted">{t("entries.noSimilar")}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
          {data?.map((one) => (
            <SimilarOne key={one.entry.id} kind={kind} mine={entry} similar={one} />
          ))}
        </ul>
      )}
    </Part>
  );
}

function SimilarOne<E extends Entry>({
  kind,
  mine,
  similar,
}: {
  kind: Kind<E>;
  mine: E;
  similar: Similar<E>;
}): ReactNode {
  const { t, i18n } = useTranslation();
  const [compared, setCompared] = useState(false);
  const { entry, likeness } = similar;
  const name = kind.titleOf(entry);
  return (
    <li className="flex flex-col gap-2 p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p dir="auto" className="min-w-40 flex-1 break-words">
          {name}
        </p>
        <span className="text-sm text-muted">
          {t(`entries.status.${entry.status}`)}, {t("entries.likeness", { percent: percent(likeness, i18n.language) })}
        </span>
        <Badge look={similar.kind === "contradiction" ? "danger" : "warn"}>
          {t(`entries.similarKind.${similar.kind}`)}
        </Badge>
        <Button
          small
          aria-expanded={compared}
          aria-label={t("entries.compareWith", { name })}
          onClick={() => setCompared(!compared)}
        >
          {t("entries.compare")}
        </Button>
      </div>
      {compared && (
        <div className="rounded-md bg-canvas p-3">
          <Difference before={kind.textOf(entry)} after={kind.textOf(mine)} />
        </div>
      )}
    </li>
  );
}
