import { Priority } from "@parley/sdk/enums";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BadgeCheck, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Conversation, parley, type Schemas } from "../../api/parley.js";
import { contactQuery, nameOf } from "../../api/contacts.js";
import { membersQuery, otherConversationsQuery } from "../../api/queries.js";
import { showConversation } from "../../live/update-query.js";
import { useKeys } from "../../keyboard/keys.js";
import { useMember } from "../../session/session.js";
import { Avatar } from "../../ui/avatar.js";
import { IconButton } from "../../ui/button.js";
import { When } from "../../ui/dates.js";
import { headlineOf } from "../../ui/headline.js";
import { Ago } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";
import { isMailed } from "../../api/participants.js";
import { Loaded } from "./loaded.js";
import { FoldedSection, Line, Section } from "./section.js";

/** What one wants to know beside a conversation: who the contact is, how well that is proven, and what else there was. */
export function Context({ conversation, onClose }: { conversation: Conversation; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { data: contact } = useQuery(contactQuery(conversation.contactId));
  const { data: others } = useQuery(otherConversationsQuery(conversation));
  const name = nameOf(contact) ?? t("common.unknownContact");
  const earlier = others?.filter(({ id }) => id !== conversation.id) ?? [];
  return (
    <div className="flex flex-col gap-5 p-4">
      <div className="flex items-center gap-3">
        <Avatar id={conversation.contactId} name={name} />
        <Link
          to="/contacts/$contactId"
          params={{ contactId: conversation.contactId }}
          dir="auto"
          className="min-w-0 flex-1 truncate font-semibold hover:underline"
        >
          {name}
        </Link>
        <IconButton label={t("common.close")} onClick={onClose} className="min-[1400px]:hidden">
          <X size={16} />
        </IconButton>
      </div>
      <Section title={t("context.contact")}>
        {contact?.blocked && <p className="font-medium text-danger">{t("context.blocked")}</p>}
        <Points points={contact?.emails} />
        <Points points={contact?.phones} />
        {contact && (
          <Line label={t("context.since")}>
            <When at={contact.createdAt} />
          </Line>
        )}
        <Loaded part="contact" conversation={conversation} />
      </Section>
      {isMailed(conversation) && (
        <Section title={t("people.participants")}>
          <Loaded part="participants" conversation={conversation} />
        </Section>
      )}
      <Section title={t("context.assurance")}>
        <Sender proof={conversation.senderProof} />
        <Loaded part="verification" conversation={conversation} />
      </Section>
      <Section title={t("context.about")}>
        <About conversation={conversation} />
      </Section>
      <FoldedSection title={t("common.assistant")} name="activity">
        <Loaded part="activity" conversation={conversation} />
      </FoldedSection>
      <FoldedSection title={t("shell.cases")} name="cases">
        <Loaded part="cases" conversation={conversation} />
      </FoldedSection>
      <FoldedSection title={t("context.bookings")} name="bookings">
        <Loaded part="bookings" conversation={conversation} />
      </FoldedSection>
      <Section title={t("context.others")}>
        {earlier.length === 0 ? (
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
    </div>
  );
}

/** What proves that the contact wrote. Nothing does before they have. */
function Sender({ proof }: { proof: Conversation["senderProof"] }): ReactNode {
  const { t } = useTranslation();
  if (proof === null) return null;
  return (
    <>
      <Line label={t("context.sender")}>
        <span className={proof === "none" ? "font-medium text-warn" : ""}>{t(`context.senderProof.${proof}`)}</span>
      </Line>
      {proof === "none" && <p className="text-muted">{t("context.unproven")}</p>}
    </>
  );
}

function Points({ points = [] }: { points: Schemas["ContactPoint"][] | undefined }): ReactNode {
  const { t } = useTranslation();
  return points.map(({ value, verifiedAt }) => (
    // All of it: whose address this is stands at its end.
    <p key={value} className="flex items-center gap-1">
      <span className="min-w-0 wrap-anywhere">{value}</span>
      {verifiedAt !== null && (
        <BadgeCheck size={14} role="img" aria-label={t("context.verified")} className="shrink-0 text-ok" />
      )}
    </p>
  ));
}

/** Who has it, how urgent it is, and its labels. The last two can be changed here. */
function About({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  const { id, assigneeId, priority, createdAt } = conversation;
  const save = useMutation({
    mutationFn: (change: Schemas["UpdateConversation"]) => parley.conversations.update(id, change),
    onSuccess: (changed) => showConversation(client, conversation, changed),
    onError: (error) => toast(t("failure.notSaved", { reason: failureOf(error).sentence }), { failed: true }),
  });
  const prioritise = (wanted: Conversation["priority"]) => () => save.mutate({ priority: wanted });
  const mayChange = me.role !== "observer";
  useKeys(mayChange ? Object.fromEntries(Priority.map((one) => [`priority-${one}`, prioritise(one)])) : {});
  return (
    <>
      <Line label={t("context.assignee")}>
        {assigneeId === null
          ? t("context.nobody")
          : assigneeId === me.id
            ? t("common.you")
            : (members?.get(assigneeId)?.name ?? t("common.somebody"))}
      </Line>
      <Line label={t("context.started")}>
        <Ago at={createdAt} inSentence />
      </Line>
      <label className="flex items-center gap-2">
        <span className="flex-1 text-muted">{t("context.priority")}</span>
        <select
          value={priority}
          disabled={!mayChange}
          onChange={({ target }) => prioritise(target.value as Conversation["priority"])()}
          className="h-7 rounded-md border border-edge bg-surface px-1"
        >
          {Priority.map((one) => (
            <option key={one} value={one}>
              {t(`priority.${one}`)}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
