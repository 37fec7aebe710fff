import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button.js";
import { useUnsaved } from "./unsaved.js";

/** The end of a form that changes something: what was edited is saved or discarded, and not lost without a question. */
export function Save({
  isEdited,
  isSaving,
  onDiscard,
}: {
  isEdited: boolean;
  isSaving: boolean;
  onDiscard: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const rests = !isEdited || isSaving;
  const question = useUnsaved(isEdited);
  return (
    <div className="flex gap-2">
      {/* It stays focusable, so that the keyboard stays where it is after saving. The form ignores it meanwhile. */}
      <Button
        type="submit"
        look="primary"
        aria-disabled={rests}
        className={rests ? "opacity-50" : ""}
        onClick={(event) => rests && event.preventDefault()}
      >
        {t("common.save")}
      </Button>
      {isEdited && <Button onClick={onDiscard}>{t("list.discard")}</Button>}
      {question}
    </div>
  );
}
