import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../api/parley.js";
import { isMailed } from "../../api/participants.js";
import { assuranceQuery, otherConversationsQuery } from "../../api/queries.js";
import { headlineOf } from "../../ui/headline.js";
import { Skeleton } from "../../ui/states.js";
import { Ago } from "../../ui/time.js";
import About from "./about.js";
import { Loaded } from "./loaded.js";
import Participants from "./participants.js";
import Person from "./person.js";
import { FoldedSection, Line, Section } from "./section.js";

/** Who the contact is, what the conversation is about, how well the contact is proven, and what else there was. */
export default function Pane({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const { data: others, error } = useQuery(otherConversationsQuery(conversation));
  const earlier = others?.filter(({ id }) => id !== conversation.id);
  return (
    <>
      <Person conversation={conversation} />
      <Section title={t("context.about")}>
        <About conversation={conversation} />
      </Section>
      {isMailed(conversation) && (
        <Section title={t("people.participants")}>
          <Participants conversation={conversation} />
        </Section>
      )}
      <FoldedSection title={t("context.assurance")} name="identity" summary={<Level conversation={conversation} />}>
        <Sender proof={conversation.senderProof} />
        <Loaded name="verification" load={() => import("./verification.js")} conversation={conversation} />
      </FoldedSection>
      <FoldedSection title={t("shell.cases")} name="cases">
        <Loaded name="cases" load={() => import("./cases.js")} conversation={conversation} />
      </FoldedSection>
      <FoldedSection title={t("context.bookings")} name="bookings">
        <Loaded name="bookings" load={() => import("./bookings.js")} conversation={conversation} />
      </FoldedSection>
      <FoldedSection title={t("common.assistant")} name="activity">
        <Loaded name="activity" load={() => import("./activity.js")} conversation={conversation} />
      </FoldedSection>
      <Section title={t("context.others")}>
        {!earlier ? (
          !error && <Skeleton lines={1} />
        ) : earlier.length === 0 ? (
          <p className="text-muted">{t("context.noOthers")}</p>
        ) : (
          <ul className="flex flex-col gap-1">
            {earlier.map((one) => (
              <li key={one.id}>
                <Link
                  to="/inbox/$view/$conversationId"
                  params={{ view: "all", conversationId: one.id }}
                  className="flex gap-2 rounded-md px-2 py-1 hover:bg-hover -mx-2"
                >
                  <span dir="auto" className="min-w-0 flex-1 truncate">
                    {headlineOf(one)}
                  </span>
                  <Ago at={one.lastActivityAt} className="shrink-0 text-muted" />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

/** How well the contact is proven, in one line. What is locked or waits for a person shows there, too. */
function Level({ conversation: { id, assuranceLevel, senderProof } }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery(assuranceQuery(id));
  const level = data?.level ?? assuranceLevel;
  const isWaiting = data && (data.eid.approvals.length > 0 || Object.values(data.locks).some(Boolean));
  const Icon = level === "none" ? ShieldAlert : ShieldCheck;
  return (
    <span
      className={`flex min-w-0 items-center gap-1 font-normal ${isWaiting || (level === "none" && senderProof === "none") ? "text-warn" : "text-text"}`}
    >
      <Icon size={14} aria-hidden="true" className={level === "none" ? "shrink-0" : "shrink-0 text-ok"} />
      <span className="truncate">{t(isWaiting ? "context.asksForYou" : `context.level.${level}`)}</span>
    </span>
  );
}

/** What proves that the contact wrote. Nothing does before they have. */
function Sender({ proof }: { proof: Conversation["senderProof"] }): ReactNode {
  const { t } = useTranslation();
  if (proof === null) return null;
  return (
    <Line label={t("context.sender")}>
      <span className={proof === "none" ? "font-medium text-warn" : ""}>{t(`context.senderProof.${proof}`)}</span>
    </Line>
  );
}
