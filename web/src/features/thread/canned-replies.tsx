import { useQuery } from "@tanstack/react-query";
import { MessageSquareText } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { withTexts } from "../../i18n/i18n.js";
import { useOffers } from "../../keyboard/offers.js";
import { IconButton } from "../../ui/button.js";
import { cannedQuery, useCanned } from "../writing/canned.js";

const PickCanned = withTexts(() => import("../writing/pick-canned.js"));

/** The team's canned replies. The one that is chosen is filled in for this conversation. */
export function CannedReplies({
  conversationId,
  workspaceId,
  onInsert,
}: {
  conversationId: string;
  workspaceId: string;
  onInsert: (text: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(cannedQuery(workspaceId));
  const insert = useCanned<undefined>(conversationId, onInsert);
  useOffers(
    (data ?? []).map(({ id, title }) => ({
      id,
      group: "conversation",
      label: () => t("palette.canned", { name: title }),
      run: () => insert(id, undefined),
    })),
  );
  if (!data) return null;
  return (
    <>
      <IconButton label={t("composer.canned")} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <MessageSquareText size={16} />
      </IconButton>
      <Suspense>
        {isOpen && (
          <PickCanned
            workspaceId={workspaceId}
            onClose={() => setOpen(false)}
            onPick={(id) => {
              setOpen(false);
              insert(id, undefined);
            }}
          />
        )}
      </Suspense>
    </>
  );
}
