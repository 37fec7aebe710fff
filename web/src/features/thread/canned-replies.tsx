import { useMutation, useQuery } from "@tanstack/react-query";
import { MessageSquareText } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley } from "../../api/parley.js";
import { useOffers } from "../../keyboard/offers.js";
import { IconButton } from "../../ui/button.js";
import { Menu, MenuItem } from "../../ui/menu.js";
import { toast } from "../../ui/toasts.js";

const MAX_LISTED = 100;

/** A menu of the team's canned replies. The one that is chosen is filled in for this conversation. */
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
  const { data } = useQuery({
    queryKey: ["canned-replies", workspaceId],
    queryFn: async ({ signal }) =>
      (await parley.cannedReplies.list({ workspaceId, limit: MAX_LISTED }, { signal })).data,
  });
  const insert = useMutation({
    mutationFn: (id: string) => parley.cannedReplies.render(id, { conversationId }),
    onSuccess: ({ body }) => onInsert(body),
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
  });
  useOffers(
    (data ?? []).map(({ id, title }) => ({
      id,
      group: "conversation",
      label: () => t("palette.canned", { name: title }),
      run: () => insert.mutate(id),
    })),
  );
  if (!data?.length) return null;
  return (
    <Menu
      trigger={
        <IconButton label={t("composer.canned")}>
          <MessageSquareText size={16} />
        </IconButton>
      }
    >
      {data.map(({ id, title }) => (
        <MenuItem key={id} onClick={() => insert.mutate(id)}>
          <bdi>{title}</bdi>
        </MenuItem>
      ))}
    </Menu>
  );
}
