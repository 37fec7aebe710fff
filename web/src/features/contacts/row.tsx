import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Contact } from "../../api/parley.js";
import { nameOf } from "../../api/contacts.js";
import { Avatar } from "../../ui/avatar.js";
import { Ago } from "../../ui/time.js";
import { accountNameQuery } from "./queries.js";

/** One contact: who, how to reach them, where they belong, and since when they are known. */
export function ContactRow({ contact, short }: { contact: Contact; short?: boolean }): ReactNode {
  const { t } = useTranslation();
  const { id, emails, phones, accountId, blocked, createdAt } = contact;
  const name = nameOf(contact) ?? t("common.unknownContact");
  return (
    <Link
      to="/contacts/$contactId"
      params={{ contactId: id }}
      className="flex items-center gap-3 px-3 py-2.5 -outline-offset-2 hover:bg-hover"
    >
      <Avatar id={id} name={name} />
      <span
        className={`grid min-w-0 flex-1 gap-x-4 md:items-center ${short ? "md:grid-cols-[3fr_4fr_2fr]" : "md:grid-cols-[3fr_4fr_2fr_2fr]"}`}
      >
        <span className="flex min-w-0 items-center gap-2">
          <span dir="auto" className="min-w-0 truncate font-medium max-md:flex-1">
            {name}
          </span>
          {blocked && (
            <span className="shrink-0 rounded bg-danger-soft px-1.5 text-xs leading-5 font-medium text-danger">
              {t("contacts.blocked")}
            </span>
          )}
          <Since at={createdAt} className="md:hidden" />
        </span>
        <Cell>{contact.name !== null && emails[0]?.value}</Cell>
        <Cell>{(contact.name !== null || emails.length > 0) && phones[0]?.value}</Cell>
        {!short && <Cell>{accountId !== null && <AccountName id={accountId} />}</Cell>}
      </span>
      <Since at={createdAt} className="min-w-16 text-end max-md:hidden" />
    </Link>
  );
}

function Since({ at, className }: { at: string; className: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={`shrink-0 text-sm text-muted tabular-nums ${className}`}>
      <span className="sr-only">{t("contacts.since")} </span>
      <Ago at={at} />
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
