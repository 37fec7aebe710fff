import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { contactQuery, displayNameOf } from "../../api/contacts.js";
import type { Conversation } from "../../api/parley.js";
import { Avatar } from "../../ui/avatar.js";
import { IconButton } from "../../ui/button.js";
import { Loaded } from "./loaded.js";

/** What one wants to know beside a conversation, with the contact's name above it. */
export function Context({ conversation, onClose }: { conversation: Conversation; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { data: contact } = useQuery(contactQuery(conversation.contactId));
  const name = displayNameOf(contact);
  return (
    <div className="flex flex-col gap-4 p-4">
      <div className="flex items-center gap-3">
        <Avatar id={conversation.contactId} name={name} />
        <Link
          to="/contacts/$contactId"
          params={{ contactId: conversation.contactId }}
          dir="auto"
          className="min-w-0 flex-1 truncate font-semibold hover:underline"
        >
          {name}
        </Link>
        <IconButton label={t("common.close")} onClick={onClose} className="min-[1400px]:hidden">
          <X size={16} />
        </IconButton>
      </div>
      <Loaded name="pane" load={() => import("./pane.js")} conversation={conversation} />
    </div>
  );
}
