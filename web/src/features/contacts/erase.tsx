import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Contact, parley, type Schemas } from "../../api/parley.js";
import { displayNameOf } from "../../api/contacts.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Alert } from "../../ui/field.js";
import { download } from "./download.js";

const COUNTED = ["contacts", "messages", "attachments"] as const;

/** Erases all about a person. It says what goes, asks for a second step, and shows the certificate at the end. */
export function Erase({
  contact,
  open,
  withRecentSignIn,
  onClose,
  onErased,
}: {
  contact: Contact;
  open: boolean;
  withRecentSignIn: <T>(run: () => Promise<T>) => Promise<T>;
  onClose: () => void;
  /** The member has seen the certificate. The contact is gone. */
  onErased: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [understood, setUnderstood] = useState(false);
  const erase = useMutation({
    mutationFn: () => withRecentSignIn(() => parley.contacts.erase(contact.id)),
    onSuccess: () => {
      for (const queryKey of [["contacts"], ["conversations"], ["thread"], ["accounts"], ["attention"]])
        void client.invalidateQueries({ queryKey });
    },
  });
  const close = (): void => {
    setUnderstood(false);
    erase.reset();
    onClose();
  };
  if (erase.data)
    return (
      <Dialog open={open} onClose={onErased} title={t("contacts.erase.done")}>
        <Certificate erasure={erase.data} onClose={onErased} />
      </Dialog>
    );
  const name = displayNameOf(contact);
  return (
    <Dialog open={open} onClose={close} title={t("contacts.erase.title")}>
      <div className="flex flex-col gap-3">
        <p className="wrap-anywhere">{t("contacts.erase.explain", { name })}</p>
        <ul className="flex list-disc flex-col gap-1 ps-5">
          <li>{t("contacts.erase.person")}</li>
          <li>{t("contacts.erase.messages")}</li>
          <li>{t("contacts.erase.rest")}</li>
        </ul>
        <p className="font-medium text-danger">{t("contacts.erase.final")}</p>
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-1 size-4 shrink-0 accent-accent"
            checked={understood}
            onChange={({ target }) => setUnderstood(target.checked)}
          />
          {t("contacts.erase.understood")}
        </label>
        {erase.error && <Alert>{failureOf(erase.error).sentence}</Alert>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={close}>{t("common.cancel")}</Button>
          <Button look="danger" disabled={!understood || erase.isPending} onClick={() => erase.mutate()}>
            {t("contacts.erase.confirm")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Certificate({ erasure, onClose }: { erasure: Schemas["Erasure"]; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { id, erased, certificate } = erasure;
  return (
    <div className="flex flex-col gap-3">
      <p>{COUNTED.map((kind) => t(`contacts.erase.${kind}`, { count: erased[kind] })).join(", ")}</p>
      <p>{t("contacts.erase.certificate")}</p>
      <code className="block rounded-md border border-line bg-canvas p-3 font-mono text-xs break-all select-all">
        {certificate.digest}
      </code>
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          onClick={() =>
            download(
              new Blob([JSON.stringify(certificate, null, 2)], { type: "application/json" }),
              `erasure-${id}.json`,
            )
          }
        >
          {t("contacts.erase.download")}
        </Button>
        <Button look="primary" onClick={onClose}>
          {t("contacts.erase.close")}
        </Button>
      </div>
    </div>
  );
}
