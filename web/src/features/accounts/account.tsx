import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { DetailPage, DetailPending, Part } from "../../ui/detail-page.js";
import { Paged } from "../../ui/paged.js";
import { Empty, Failed } from "../../ui/states.js";
import { When } from "../../ui/dates.js";
import { toast } from "../../ui/toasts.js";
import { Facts } from "../contacts/facts.js";
import { type Account, accountContactsQuery, accountQuery } from "../contacts/queries.js";
import { ContactColumns } from "../contacts/columns.js";
import { ContactRow } from "../contacts/row.js";
import { ACCOUNT_TEXTS, AccountForm } from "./account-form.js";

/** One company, and the contacts that belong to it. */
export function AccountPage(): ReactNode {
  const { t } = useTranslation();
  const { accountId = "" }: { accountId?: string } = useParams({ strict: false });
  const { data: account, error, refetch } = useQuery(accountQuery(accountId));
  const back = { to: "/accounts", label: t("accounts.back") };
  if (!account)
    return <DetailPending id={accountId} back={back} query={{ error, refetch }} one={t("accounts.title")} />;
  return (
    <DetailPage id={accountId} back={back} title={account.name}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      <Content key={account.id} account={account} />
    </DetailPage>
  );
}

function Content({ account }: { account: Account }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const contacts = useInfiniteQuery(accountContactsQuery(account.id));
  const mayChange = mayWrite(me);
  const attributes = Object.entries(account.attributes);
  return (
    <div className="flex flex-col gap-8">
      <div className="grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <Part title={t("contacts.details")}>
          {mayChange ? (
            <AccountForm account={account} onSaved={() => toast(t("contacts.saved"))} />
          ) : (
            <Facts
              facts={[
                [t("accounts.name"), account.name],
                [t("accounts.domains"), account.domains.join(", ")],
                ...ACCOUNT_TEXTS.map((text) => [t(`accounts.${text}`), account[text]] as const),
              ]}
            />
          )}
        </Part>
        <Part title={t("contacts.facts")}>
          <Facts
            facts={[
              [t("contacts.since"), <When at={account.createdAt} />],
              [t("contacts.externalId"), account.externalId],
              ...attributes.map(
                ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
              ),
            ]}
          />
        </Part>
      </div>
      <Part title={t("accounts.contactsTitle")}>
        <div>
          <ContactColumns short />
          <Paged
            query={contacts}
            label={t("accounts.contactsTitle")}
            keyOf={({ id }) => id}
            empty={
              <Empty text={t("accounts.noContacts")}>
                <Link to="/contacts" className="text-accent hover:underline">
                  {t("accounts.toContacts")}
                </Link>
              </Empty>
            }
            row={(contact) => <ContactRow contact={contact} short />}
          />
        </div>
      </Part>
    </div>
  );
}
