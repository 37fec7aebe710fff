import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BadgeCheck, CopyIcon } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { contactQuery } from "../../api/contacts.js";
import type { Contact, Conversation, Schemas } from "../../api/parley.js";
import { region } from "../../i18n/i18n.js";
import { IconButton } from "../../ui/button.js";
import { copyText } from "../../ui/copy.js";
import { When } from "../../ui/dates.js";
import { LabelChips } from "../../ui/label.js";
import { useMinute } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";
import { languageName } from "../contacts/language.js";
import { localTime } from "../contacts/local-time.js";
import ContactActions from "./contact.js";
import { Line } from "./section.js";

/** The rest is on the contact's page. */
const FEW_ATTRIBUTES = 5;

/** How to reach the contact, where they belong, and what an integration knows about them. */
export default function Person({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const { data: contact } = useQuery(contactQuery(conversation.contactId));
  return (
    <section aria-label={t("context.contact")} className="flex flex-col gap-1 text-sm">
      {conversation.senderProof === "none" && <p className="font-medium text-warn">{t("context.unproven")}</p>}
      {contact && <Known contact={contact} />}
      <ContactActions conversation={conversation} />
    </section>
  );
}

function Known({ contact }: { contact: Contact }): ReactNode {
  const { t } = useTranslation();
  useMinute();
  const time = localTime(contact, region());
  const attributes = Object.entries(contact.attributes);
  return (
    <>
      {contact.blocked && <p className="font-medium text-danger">{t("context.blocked")}</p>}
      {[...contact.emails, ...contact.phones].map((point) => (
        <Point key={point.value} point={point} />
      ))}
      {time !== undefined && <Line label={t("context.localTime")}>{time}</Line>}
      {contact.language !== null && <Line label={t("context.language")}>{languageName(contact.language)}</Line>}
      <Line label={t("context.since")}>
        <When at={contact.createdAt} />
      </Line>
      {attributes.slice(0, FEW_ATTRIBUTES).map(([name, value]) => (
        <Line key={name} label={name}>
          <bdi>{typeof value === "string" ? value : JSON.stringify(value)}</bdi>
        </Line>
      ))}
      {attributes.length > FEW_ATTRIBUTES && (
        <Link to="/contacts/$contactId" params={{ contactId: contact.id }} className="text-accent hover:underline">
          {t("context.allAttributes", { count: attributes.length })}
        </Link>
      )}
      {contact.labels.length > 0 && (
        <p aria-label={t("contacts.labels")} className="flex flex-wrap gap-1">
          <LabelChips names={contact.labels} />
        </p>
      )}
    </>
  );
}

function Point({ point: { value, verifiedAt } }: { point: Schemas["ContactPoint"] }): ReactNode {
  const { t } = useTranslation();
  const shown = useRef<HTMLSpanElement>(null);
  return (
    // All of it: whose address this is stands at its end.
    <p className="group flex items-center gap-1">
      <span ref={shown} className="min-w-0 wrap-anywhere">
        {value}
      </span>
      {verifiedAt !== null && (
        <BadgeCheck size={14} role="img" aria-label={t("context.verified")} className="shrink-0 text-ok" />
      )}
      <IconButton
        label={t("context.copy", { value })}
        className="-me-1 ms-auto size-7 pointer-fine:opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
        onClick={() =>
          void copyText(value, shown.current).then((outcome) => {
            if (outcome === "copied") toast(t("common.copied"));
          })
        }
      >
        <CopyIcon size={14} />
      </IconButton>
    </p>
  );
}
