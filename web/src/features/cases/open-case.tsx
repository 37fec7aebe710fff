import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../api/parley.js";
import { Dialog } from "../../ui/dialog.js";
import { toast } from "../../ui/toasts.js";
import { CreateCase } from "./create-case.js";

/** Opens a case about a conversation. */
export default function OpenCase({ about, onClose }: { about: Conversation; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} title={t("cases.new")}>
      <CreateCase
        about={about}
        onCancel={onClose}
        onCreated={({ number }) => {
          onClose();
          toast(t("cases.created", { number }));
        }}
      />
    </Dialog>
  );
}
