import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { changeAll } from "../../api/many.js";
import { parley, type Schemas } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Menu, MenuItem } from "../../ui/menu.js";
import { leaveBar, SelectionBar } from "../../ui/selection.js";
import { toast } from "../../ui/toasts.js";
import PickLabels from "../labels/pick-labels.js";
import { PickAccount } from "./pick-account.js";

type Change = Omit<Schemas["ChangeContacts"], "ids">;

interface Props {
  ids: ReadonlySet<string>;
  /** Those that are shown. */
  shown: readonly string[];
  onSelect: (ids: ReadonlySet<string>) => void;
}

/** What can be done with all selected contacts. */
export default function Many({ ids, shown, onSelect }: Props): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [asked, setAsked] = useState<"labels" | "account">();
  const change = useMutation({
    mutationFn: (action: Change) => changeAll(ids, (some) => parley.contacts.changeMany({ ids: some, ...action })),
    onSuccess: ({ done, errors }) => {
      onSelect(new Set());
      leaveBar(ids);
      const [why] = errors;
      if (why === undefined) toast(t("contacts.many.done", { count: done }));
      else toast(t("contacts.many.failed", { count: errors.length, why }), { failed: true });
    },
    onSettled: () => {
      setAsked(undefined);
      for (const name of ["contacts", "contact", "accounts", "account"])
        void client.invalidateQueries({ queryKey: [name] });
    },
  });
  return (
    <SelectionBar title={t("contacts.many.title")} ids={ids} shown={shown} error={change.error} onSelect={onSelect}>
      <Button small disabled={change.isPending} onClick={() => setAsked("labels")}>
        {t("contacts.labels")}
      </Button>
      <Menu trigger={<Button small>{t("contacts.account")}</Button>}>
        <MenuItem onClick={() => setAsked("account")}>{t("contacts.link")}</MenuItem>
        <MenuItem onClick={() => change.mutate({ type: "unlink" })}>{t("contacts.unlink")}</MenuItem>
      </Menu>
      {(["block", "unblock"] as const).map((type) => (
        <Button key={type} small disabled={change.isPending} onClick={() => change.mutate({ type })}>
          {t(`contacts.many.${type}`)}
        </Button>
      ))}
      {asked === "labels" && (
        <PickLabels
          onClose={() => setAsked(undefined)}
          onPick={(labels) => {
            setAsked(undefined);
            change.mutate({ type: "label", ...labels });
          }}
        />
      )}
      <Dialog open={asked === "account"} onClose={() => setAsked(undefined)} title={t("contacts.link")}>
        <PickAccount onPick={(accountId) => change.mutate({ type: "link", accountId })} />
      </Dialog>
    </SelectionBar>
  );
}
