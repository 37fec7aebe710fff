import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Pick, Picked } from "./pick.js";
import { accountsQuery } from "./queries.js";

/** A search for the account that contacts are linked to. */
export function PickAccount({
  leaveOut = null,
  onPick,
}: {
  leaveOut?: string | null;
  onPick: (id: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  const [q, setQ] = useState("");
  const accounts = useInfiniteQuery(accountsQuery(q, 10));
  return (
    <Pick
      label={t("accounts.search")}
      placeholder={t("accounts.searchHint")}
      q={q}
      onSearch={setQ}
      query={accounts}
      leaveOut={leaveOut}
      empty={t("accounts.noMatch")}
      item={({ name, domains }) => <Picked name={name} rest={domains.join(", ")} />}
      onPick={({ id }) => onPick(id)}
    />
  );
}
