import { Link } from "@tanstack/react-router";
import { Building } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Account } from "../contacts/queries.js";

export const COLUMNS =
  "grid min-w-0 flex-1 gap-x-4 md:items-center md:grid-cols-[4fr_3fr_3fr] lg:grid-cols-[3fr_3fr_2fr_2fr]";

export function AccountRow({
  account: { id, name, domains, industry, plan, contactCount },
}: {
  account: Account;
}): ReactNode {
  const { t } = useTranslation();
  const contacts = t("accounts.contacts", { count: contactCount });
  return (
    <Link
      to="/accounts/$accountId"
      params={{ accountId: id }}
      className="flex min-w-0 flex-1 items-center gap-3 px-3 py-2.5 -outline-offset-2 hover:bg-hover"
    >
      <span className="flex size-8 shrink-0 items-center justify-center rounded-md bg-hover text-muted">
        <Building size={16} aria-hidden="true" />
      </span>
      <span className={COLUMNS}>
        <span dir="auto" className="truncate font-medium">
          {name}
        </span>
        <span className="truncate text-sm text-muted max-md:empty:hidden md:max-lg:hidden">{domains.join(", ")}</span>
        <span dir="auto" className="truncate text-sm text-muted max-md:hidden">
          {industry}
        </span>
        <span dir="auto" className="truncate text-sm text-muted max-md:hidden">
          {plan}
        </span>
        <span dir="auto" className="truncate text-sm text-muted md:hidden">
          {[industry, plan, contacts].filter(Boolean).join(" · ")}
        </span>
      </span>
      <span className="min-w-20 shrink-0 text-end text-sm text-muted tabular-nums max-md:hidden">{contacts}</span>
    </Link>
  );
}
