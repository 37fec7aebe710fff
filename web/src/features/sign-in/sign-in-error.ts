import { useTranslation } from "react-i18next";
import { spoken } from "../../api/failure.js";
import { SignInError } from "../../session/session.js";

/** What a person can do about a sign-in that failed. */
export function useSignInError(): (error: unknown, wrong: string) => string {
  const { t } = useTranslation();
  return (error, wrong) => {
    if (!(error instanceof SignInError) || error.status >= 500) return t("signIn.broken");
    if (error.status === 0) return t("signIn.offline");
    if (error.status === 429)
      return t("signIn.locked", { count: Math.max(1, Math.ceil((error.retryAfterSeconds ?? 60) / 60)) });
    return error.status === 401 ? wrong : spoken(error.message);
  };
}
