import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { proveEmail } from "./by-mail.js";
import { Alert } from "../../ui/field.js";
import { Frame } from "./frame.js";
import { takeToken } from "./mailed-token.js";

/** The page of a link by which a member proves that an email address is theirs. */
export function EmailProof(): ReactNode {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<"checking" | "done" | "used">("checking");
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    proveEmail(takeToken()).then(
      () => setOutcome("done"),
      () => setOutcome("used"),
    );
  }, []);
  return (
    <Frame title={t("signIn.proof.title")}>
      {outcome === "used" ? (
        <Alert>{t("signIn.choose.used")}</Alert>
      ) : (
        <p role="status">{t(outcome === "done" ? "signIn.proof.done" : "signIn.proof.checking")}</p>
      )}
      <Link to="/inbox" className="mt-4 inline-block text-accent hover:underline">
        {t("signIn.reset.back")}
      </Link>
    </Frame>
  );
}
