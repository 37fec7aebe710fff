import { useMutation, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../api/parley.js";
import { Button, IconButton } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Menu, MenuItem } from "../../ui/menu.js";
import { Failed } from "../../ui/states.js";
import { toast } from "../../ui/toasts.js";
import PickLabels from "../labels/pick-labels.js";
import { PickAccount } from "./pick-account.js";

type Change = Omit<Schemas["ChangeContacts"], "ids">;
/** As many as one request changes. */
const AT_ONCE = 100;

interface Props {
  ids: ReadonlySet<string>;
  /** Those that are shown. */
  shown: readonly string[];
  onSelect: (ids: ReadonlySet<string>) => void;
}

async function changeAll(ids: readonly string[], action: Change): Promise<{ done: number; errors: string[] }> {
  const results = [];
  for (let from = 0; from < ids.length; from += AT_ONCE)
    results.push(await parley.contacts.changeMany({ ids: ids.slice(from, from + AT_ONCE), ...action }));
  return {
    done: results.reduce((sum, { done }) => sum + done, 0),
    errors: results.flatMap(({ errors }) => errors.map(({ error }) => error)),
  };
}

/** What can be done with all selected contacts. */
export default function Many({ ids, shown, onSelect }: Props): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [asked, setAsked] = useState<"labels" | "account">();
  const change = useMutation({
    mutationFn: (action: Change) => changeAll([...ids], action),
    onSuccess: ({ done, errors }) => {
      onSelect(new Set());
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
  const isWhole = shown.every((id) => ids.has(id));
  return (
    <section
      aria-label={t("contacts.many.title")}
      className="sticky bottom-3 z-10 mt-4 flex flex-col gap-2 rounded-lg border border-line bg-raised p-2 text-sm shadow-popup"
    >
      {change.error && <Failed error={change.error} />}
      <div className="flex flex-wrap items-center gap-1.5">
        <IconButton label={t("contacts.many.clear")} onClick={() => onSelect(new Set())} className="size-7">
          <X size={16} />
        </IconButton>
        <p role="status" className="min-w-24 flex-1 font-medium">
          {t("contacts.many.selected", { count: ids.size })}
        </p>
        {!isWhole && (
          <Button small look="quiet" className="text-accent!" onClick={() => onSelect(new Set([...ids, ...shown]))}>
            {t("contacts.many.all")}
          </Button>
        )}
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
      </div>
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
    </section>
  );
}
