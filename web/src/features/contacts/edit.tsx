import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Contact } from "../../api/parley.js";
import { Confirm } from "../../ui/confirm.js";
import { Dialog } from "../../ui/dialog.js";
import { EditDetails } from "./details.js";

/** What was typed is not lost by a click beside the window. */
export default function EditContact({ contact, onClose }: { contact: Contact; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [isTyped, setTyped] = useState(false);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Dialog wide open onClose={() => (isTyped ? setAsking(true) : onClose())} title={t("contacts.details")}>
        <div onInput={() => setTyped(true)}>
          <EditDetails contact={contact} onSaved={onClose} />
        </div>
      </Dialog>
      <Confirm
        open={isAsking}
        title={t("unsaved.title")}
        verb={t("unsaved.leave")}
        danger
        onConfirm={onClose}
        onClose={() => setAsking(false)}
      >
        {t("unsaved.explain")}
      </Confirm>
    </>
  );
}
