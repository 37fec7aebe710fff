import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Contact } from "../../api/parley.js";
import { languageName } from "./language.js";
import { AccountName } from "./row.js";

/** Two contacts side by side, and what the one that remains has after the merge. On a phone, below one another. */
export function Comparison({
  survivor,
  source,
  after,
}: {
  survivor: Contact;
  source: Contact;
  after: Contact | undefined;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Side title={t("contacts.merge.remains")} contact={survivor} />
      <Side title={t("contacts.merge.goes")} contact={source} />
      {after && <Side title={t("contacts.merge.after")} contact={after} isResult />}
    </div>
  );
}

/** Each address on a line of its own. */
const lines = (points: Contact["emails"]): ReactNode =>
  points.length > 0 &&
  points.map(({ value }) => (
    <span key={value} className="block">
      {value}
    </span>
  ));

function Side({ title, contact, isResult }: { title: string; contact: Contact; isResult?: boolean }): ReactNode {
  const { t } = useTranslation();
  const values: [name: string, value: ReactNode][] = [
    [t("contacts.name"), contact.name],
    [t("contacts.emails"), lines(contact.emails)],
    [t("contacts.phones"), lines(contact.phones)],
    [t("contacts.account"), contact.accountId !== null && <AccountName id={contact.accountId} />],
    [t("contacts.language"), contact.language !== null && languageName(contact.language)],
    [t("contacts.labels"), contact.labels.join(", ")],
    [t("contacts.externalId"), contact.externalId],
    [t("contacts.blocked"), contact.blocked && t("contacts.yes")],
  ];
  const known = values.filter(([, value]) => Boolean(value));
  return (
    <section
      className={`flex flex-col gap-2 rounded-lg border p-3 ${isResult ? "border-accent bg-selected sm:col-span-2" : "border-line bg-canvas"}`}
    >
      <h3 className="text-sm font-semibold text-muted">{title}</h3>
      <dl className={`grid gap-x-6 gap-y-1.5 text-sm ${isResult ? "sm:grid-cols-2" : ""}`}>
        {known.length === 0 && <dd className="text-muted">{t("contacts.merge.empty")}</dd>}
        {known.map(([name, value]) => (
          <div key={name} className="flex gap-3">
            <dt className="w-20 shrink-0 wrap-anywhere text-muted">{name}</dt>
            <dd dir="auto" className="min-w-0 flex-1 wrap-anywhere">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
