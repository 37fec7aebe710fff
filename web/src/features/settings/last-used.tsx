import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { lengthOf } from "../../ui/lengths.js";
import { Ago, useMinute } from "../../ui/time.js";

/** When it was used last, as part of a sentence or as one of its own. */
export function LastUsed({ at, of }: { at: string; of: "settings" | "apiKeys" }): ReactNode {
  const { t } = useTranslation();
  const [count] = lengthOf(at, Math.max(useMinute() * 60_000, Date.parse(at)));
  if (count === 0) return t(`${of}.usedNow`);
  return (
    <>
      {t(`${of}.lastUsed`)} <Ago at={at} inSentence />
    </>
  );
}
