import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/parley.js";
import { Badge } from "../../ui/badge.js";

type Result = Schemas["TestResult"];

/** In words of the reader's language. */
export function useFault(): (result: Result) => string {
  const { t } = useTranslation();
  return ({ turn, fault, played }) => {
    if (fault === null) return "";
    const did = played
      ? `${t(`tests.outcome.${played.outcome}`)}${played.entries.map(({ question }) => ` “${question}”`).join(",")}`
      : "";
    return t(`tests.fault.${fault}`, { turn, did });
  };
}

/** Whether a test passes. Null: nobody knows yet. */
export function Verdict({ result }: { result: Pick<Result, "passed"> | null }): ReactNode {
  const { t } = useTranslation();
  if (!result) return <Badge>{t("tests.notRun")}</Badge>;
  return <Badge look={result.passed ? "ok" : "warn"}>{t(result.passed ? "tests.passed" : "tests.failed")}</Badge>;
}
