import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Confirm } from "./confirm.js";

/** The forms of the page with edits. The first one asks for all of them. */
const edited = new Set<string>();

/**
 * Asks before somebody goes to another page, or closes the tab, with edits that are not saved.
 * @returns the question, which belongs anywhere into the form
 */
export function useUnsaved(isEdited: boolean): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  useEffect(() => {
    if (!isEdited) return undefined;
    edited.add(id);
    return () => void edited.delete(id);
  }, [id, isEdited]);
  const { status, proceed, reset } = useBlocker({
    // A filter or a search of the same page leaves the form where it is.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && [...edited][0] === id,
    enableBeforeUnload: isEdited,
    disabled: !isEdited,
    withResolver: true,
  });
  return (
    <Confirm
      open={status === "blocked"}
      title={t("unsaved.title")}
      verb={t("unsaved.leave")}
      danger
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    >
      {t("unsaved.explain")}
    </Confirm>
  );
}

/** The same for a form that leaves to its fields what was typed: it has edits after the first input. */
export function useUnsavedInput(isSaved: boolean): { onInput: () => void; question: ReactNode } {
  const [isTyped, setTyped] = useState(false);
  return { onInput: () => setTyped(true), question: useUnsaved(isTyped && !isSaved) };
}
