import { type ReactNode, type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import { MOD } from "../keyboard/keys.js";
import { Button } from "./button.js";

type Outcome = "copied" | "selected";

/** Copies a text, or at least selects it where it is shown. Browsers give the clipboard to secure pages only, or after a question. */
export async function copyText(value: string, shown: HTMLElement | null): Promise<Outcome> {
  try {
    await navigator.clipboard.writeText(value);
    return "copied";
  } catch {
    if (!shown) return "selected";
    getSelection()?.selectAllChildren(shown);
    // Outdated, and the only way on a page without https. Browsers keep it for that.
    return document.execCommand("copy") ? "copied" : "selected";
  }
}

/** A button that copies a text. If the browser refuses, the text is selected, and a sentence says which key copies it. */
export function Copy({
  value,
  shown,
  small,
}: {
  value: string;
  /** Where the text is on the page. */
  shown: RefObject<HTMLElement | null>;
  small?: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const [done, setDone] = useState<{ value: string; outcome: Outcome }>();
  const outcome = done?.value === value ? done.outcome : undefined;
  return (
    <>
      <span role="status" className={outcome === "selected" ? "self-center text-sm text-muted" : "sr-only"}>
        {outcome && t(outcome === "selected" ? "common.copySelected" : "common.copied", { keys: `${MOD}+C` })}
      </span>
      <Button
        small={small}
        onClick={() => void copyText(value, shown.current).then((next) => setDone({ value, outcome: next }))}
      >
        {t(outcome === "copied" ? "common.copied" : "common.copy")}
      </Button>
    </>
  );
}
