import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Building } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Contact, parley } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { Part } from "../../ui/detail-page.js";
import { Dialog } from "../../ui/dialog.js";
import { toast } from "../../ui/toasts.js";
import { PickAccount } from "./pick-account.js";
import { accountQuery, contactChanged } from "./queries.js";

/** The account that a contact belongs to, to open, link or unlink. */
export function AccountOf({ contact, mayChange }: { contact: Contact; mayChange: boolean }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id, accountId } = contact;
  const { data: account } = useQuery({ ...accountQuery(accountId ?? ""), enabled: accountId !== null });
  const [isLinking, setLinking] = useState(false);
  const change = useMutation({
    mutationFn: (wanted: string | null) =>
      wanted === null ? parley.contacts.unlinkAccount(id) : parley.contacts.linkAccount(id, { accountId: wanted }),
    onSuccess: (changed) => {
      setLinking(false);
      contactChanged(client, changed);
      void client.invalidateQueries({ queryKey: ["accounts"] });
      void client.invalidateQueries({ queryKey: ["account"] });
    },
    onError: (error) => toast(t("failure.notSaved", { reason: failureOf(error).sentence }), { failed: true }),
  });
  return (
    <Part title={t("contacts.account")}>
      {accountId === null ? (
        <p className="text-muted">{t("contacts.noAccount")}</p>
      ) : (
        <Link
          to="/accounts/$accountId"
          params={{ accountId }}
          className="flex items-center gap-2 font-medium hover:underline"
        >
          <Building size={16} aria-hidden="true" className="shrink-0 text-muted" />
          <span dir="auto" className="truncate">
            {account?.name ?? t("common.loading")}
          </span>
        </Link>
      )}
      {mayChange && (
        <div className="flex flex-wrap gap-2">
          <Button small onClick={() => setLinking(true)}>
            {t(accountId === null ? "contacts.link" : "contacts.relink")}
          </Button>
          {accountId !== null && (
            <Button small disabled={change.isPending} onClick={() => change.mutate(null)}>
              {t("contacts.unlink")}
            </Button>
          )}
        </div>
      )}
      <Dialog open={isLinking} onClose={() => setLinking(false)} title={t("contacts.link")}>
        <PickAccount leaveOut={accountId} onPick={(picked) => change.mutate(picked)} />
      </Dialog>
    </Part>
  );
}
