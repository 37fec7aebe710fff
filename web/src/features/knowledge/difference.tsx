import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { differences } from "./diff.js";

const LOOKS = {
  added: "bg-[light-dark(#dcefe4,#1f3d2d)] no-underline",
  removed: "bg-danger-soft text-danger line-through",
};

/** How one text became the other: words that went are struck through, and words that came have a ground. */
export function Difference({ before, after }: { before: string; after: string }): ReactNode {
  const { t } = useTranslation();
  const parts = useMemo(() => differences(before, after), [before, after]);
  if (parts.every(({ kind }) => kind === "same")) return <p className="text-sm text-muted">{t("entries.same")}</p>;
  return (
    <p dir="auto" className="break-words whitespace-pre-wrap">
      {parts.map(({ kind, text }, i) =>
        kind === "same" ? (
          text
        ) : kind === "added" ? (
          <ins key={i} className={LOOKS.added}>
            <span className="sr-only">{t("entries.added")}: </span>
            {text}
          </ins>
        ) : (
          <del key={i} className={LOOKS.removed}>
            <span className="sr-only">{t("entries.removedText")}: </span>
            {text}
          </del>
        ),
      )}
    </p>
  );
}
