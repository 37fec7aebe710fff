import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { StoredDraft } from "../../drafts/drafts.js";
import type { OpenDraft } from "../../drafts/open-draft.js";
import { Button } from "../../ui/button.js";

/** A draft that was written elsewhere at the same time. The newer one is in the field, and this one is not lost. */
export default function OtherVersion({
  other,
  open,
}: {
  other: NonNullable<StoredDraft["other"]>;
  open: OpenDraft;
}): ReactNode {
  const { t } = useTranslation();
  const leave = (beside: StoredDraft["other"]): void => {
    open.adopt({ ...open.now()!, other: beside });
    void open.write();
  };
  const use = (): void => {
    const before = open.now()![other.mode];
    open.change({ mode: other.mode, [other.mode]: other.text });
    leave(before ? { mode: other.mode, text: before } : undefined);
  };
  return (
    <div role="status" className="mx-3 mb-2 flex flex-wrap items-center gap-2 rounded-md bg-canvas px-3 py-2 text-sm">
      <p className="min-w-40 flex-1">
        {t("draft.other")} <q className="line-clamp-2 text-muted">{other.text}</q>
      </p>
      <Button small onClick={use}>
        {t("draft.use")}
      </Button>
      <Button small look="quiet" onClick={() => leave(undefined)}>
        {t("draft.discard")}
      </Button>
    </div>
  );
}
