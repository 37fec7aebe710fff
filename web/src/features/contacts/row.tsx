import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Contact } from "../../api/parley.js";
import { nameOf } from "../../api/contacts.js";
import { Avatar } from "../../ui/avatar.js";
import { LabelChips } from "../../ui/label.js";
import { Ago } from "../../ui/time.js";
import { accountNameQuery } from "./queries.js";

export const COLUMNS = "grid min-w-0 flex-1 gap-x-4 md:items-center md:grid-cols-[3fr_4fr_2fr_3fr]";
export const SHORT_COLUMNS = "grid min-w-0 flex-1 gap-x-4 md:items-center md:grid-cols-[3fr_4fr_3fr]";

/** One contact: who, how to reach them, where they belong, their labels, and since when they are known. */
export function ContactRow({ contact, short }: { contact: Contact; short?: boolean }): ReactNode {
  const { t } = useTranslation();
  const { id, emails, phones, accountId, blocked, labels, createdAt } = contact;
  const name = nameOf(contact) ?? t("common.unknownContact");
  const [reach] = [...emails, ...phones].filter(({ value }) => value !== name);
  return (
    <Link
      to="/contacts/$contactId"
      params={{ contactId: id }}
      className="flex items-center gap-3 px-3 py-2.5 -outline-offset-2 hover:bg-hover"
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
          <Since at={createdAt} className="md:hidden" />
        </span>
        <Cell>{reach?.value}</Cell>
        {!short && <Cell>{accountId !== null && <AccountName id={accountId} />}</Cell>}
        <span className="flex min-w-0 flex-wrap gap-1 max-md:empty:hidden">
          <LabelChips names={labels} />
        </span>
      </span>
      <Since at={createdAt} className="min-w-20 text-end max-md:hidden" />
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
