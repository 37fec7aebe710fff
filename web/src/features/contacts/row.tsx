import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Contact } from "../../api/parley.js";
import { displayNameOf, nameOf } from "../../api/contacts.js";
import { Avatar } from "../../ui/avatar.js";
import { LabelChips } from "../../ui/label.js";
import { When } from "../../ui/dates.js";
import { Ago } from "../../ui/time.js";
import { accountNameQuery } from "./queries.js";

export const COLUMNS =
  "grid min-w-0 flex-1 gap-x-4 md:items-center md:grid-cols-[4fr_5fr_3fr] lg:grid-cols-[4fr_4fr_2fr_3fr]";
export const SHORT_COLUMNS = "grid min-w-0 flex-1 gap-x-4 md:items-center md:grid-cols-[3fr_4fr_3fr]";

/** One contact: who, how to reach them, where they belong, their labels, and when they wrote last. */
export function ContactRow({ contact, short }: { contact: Contact; short?: boolean }): ReactNode {
  const { t } = useTranslation();
  const { id, emails, phones, accountId, blocked, labels, lastSeenAt, createdAt } = contact;
  const name = displayNameOf(contact);
  const [reach] = [...emails, ...phones].filter(({ value }) => value !== name);
  return (
    <Link
      to="/contacts/$contactId"
      params={{ contactId: id }}
      className="flex min-w-0 flex-1 items-center gap-3 px-3 py-2.5 -outline-offset-2 hover:bg-hover"
    >
      <Avatar id={id} name={name} />
      <span className={short ? SHORT_COLUMNS : COLUMNS}>
        <span className="flex min-w-0 items-center gap-2">
          <span dir="auto" className="min-w-0 truncate font-medium max-md:flex-1">
            {name}
          </span>
          {blocked && (
            <span className="shrink-0 rounded bg-danger-soft px-1.5 text-xs leading-5 font-medium text-danger">
              {t("contacts.blocked")}
            </span>
          )}
          <LastSeen at={lastSeenAt} className="md:hidden" />
        </span>
        <Cell>
          {nameOf(contact) === undefined ? (
            <>
              {t("contacts.since")} <When at={createdAt} />
            </>
          ) : (
            reach?.value
          )}
        </Cell>
        {!short && <Cell>{accountId !== null && <AccountName id={accountId} />}</Cell>}
        <span className={`flex min-w-0 flex-wrap gap-1 max-md:empty:hidden ${short ? "" : "md:max-lg:hidden"}`}>
          <LabelChips names={labels} />
        </span>
      </span>
      <LastSeen at={lastSeenAt} className="min-w-20 text-end max-md:hidden" />
    </Link>
  );
}

/** A contact who has never written has none. */
function LastSeen({ at, className }: { at: string | null; className: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={`shrink-0 text-sm text-muted tabular-nums ${className}`}>
      {at !== null && (
        <>
          <span className="sr-only">{t("contacts.lastSeen")} </span>
          <Ago at={at} />
        </>
      )}
    </span>
  );
}

/** On a phone the cells stand below one another, and empty ones take no place. */
const Cell = ({ children }: { children: ReactNode }): ReactNode => (
  <span dir="auto" className="truncate text-sm text-muted max-md:empty:hidden">
    {children}
  </span>
);

export function AccountName({ id }: { id: string }): ReactNode {
  const client = useQueryClient();
  const { data: name } = useQuery(accountNameQuery(client, id));
  return name;
}
