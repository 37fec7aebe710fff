import { BadgeCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Contact, Schemas } from "../../api/parley.js";
import { languageName } from "./language.js";

/** What is known about a contact, to read. */
export function Details({ contact }: { contact: Contact }): ReactNode {
  const { t } = useTranslation();
  const points = (of: Schemas["ContactPoint"][]): ReactNode =>
    of.map(({ value, verifiedAt }) => (
      <span key={value} className="flex items-center gap-1">
        <span className="min-w-0 wrap-anywhere">{value}</span>
        {verifiedAt !== null && (
          <BadgeCheck size={14} role="img" aria-label={t("contacts.verified")} className="shrink-0 text-ok" />
        )}
      </span>
    ));
  return (
    <Facts
      facts={[
        [t("contacts.name"), contact.name],
        [t("contacts.emails"), contact.emails.length > 0 && points(contact.emails)],
        [t("contacts.phones"), contact.phones.length > 0 && points(contact.phones)],
        [t("contacts.language"), contact.language && languageName(contact.language)],
        [t("contacts.labels"), contact.labels.join(", ")],
        ...(contact.blocked ? [[t("contacts.blocked"), t("contacts.blockHint")] as const] : []),
      ]}
    />
  );
}

/** Names and what stands behind them. */
export function Facts({ facts }: { facts: (readonly [name: string, value: ReactNode])[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <dl className="flex flex-col gap-2">
      {facts.map(([name, value]) => (
        <div key={name} className="flex gap-4">
          <dt className="w-24 shrink-0 text-muted">{name}</dt>
          <dd dir="auto" className="min-w-0 flex-1 wrap-anywhere">
            {value || <span className="text-muted">{t("common.none")}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
