import { Ellipsis, Forward as ForwardIcon } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Message } from "../../api/parley.js";
import { withTexts } from "../../i18n/i18n.js";
import { IconButton } from "../../ui/button.js";
import { Menu, MenuItem } from "../../ui/menu.js";

const Forward = withTexts(() => import("./forward.js"));

/** What can be done with one message. It is seen beside the pointer and with the focus in it, and on a touch screen always. */
export default function MessageMenu({ message, author }: { message: Message; author: string }): ReactNode {
  const { t } = useTranslation();
  const [forwards, setForwards] = useState(false);
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={t("messageTools.menu", { name: author })}
            // At the side of the bubble that does not move.
            className="-my-1 size-6! in-[.justify-end]:order-first opacity-0 group-hover:opacity-100 focus:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100"
          >
            <Ellipsis size={14} />
          </IconButton>
        }
      >
        <MenuItem onClick={() => setForwards(true)}>
          <ForwardIcon size={14} aria-hidden="true" />
          {t("messageTools.forward")}
        </MenuItem>
      </Menu>
      {forwards && (
        <Suspense>
          <Forward message={message} onClose={() => setForwards(false)} />
        </Suspense>
      )}
    </>
  );
}
