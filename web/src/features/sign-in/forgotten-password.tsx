import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { requestPasswordReset } from "./by-mail.js";
import { Button } from "../../ui/button.js";
import { Alert, Field } from "../../ui/field.js";
import { Frame } from "./frame.js";
import { useSignInError } from "./sign-in-error.js";
import { FIRST_FIELD } from "../../ui/focus.js";

/** Asks for a link by which a member sets a new password. */
export default function ForgottenPassword({ email, onBack }: { email: string; onBack: () => void }): ReactNode {
  const { t } = useTranslation();
  const explain = useSignInError();
  const [sent, setSent] = useState<string>();
  const [error, setError] = useState<string>();

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const address = (new FormData(event.currentTarget).get("email") as string).trim();
    setError(undefined);
    try {
      await requestPasswordReset(address);
      setSent(address);
    } catch (failure) {
      setError(explain(failure, t("signIn.broken")));
    }
  };
  return (
    <Frame title={t("signIn.reset.title")}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {sent === undefined ? (
          <>
            <p className="text-muted">{t("signIn.reset.explain")}</p>
            <Field
              label={t("signIn.email")}
              name="email"
              type="email"
              autoComplete="username"
              required
              {...FIRST_FIELD}
              defaultValue={email}
            />
            <Button type="submit" look="primary">
              {t("signIn.reset.button")}
            </Button>
          </>
        ) : (
          <p role="status">{t("signIn.reset.sent", { email: sent })}</p>
        )}
        {error && <Alert>{error}</Alert>}
        <button type="button" onClick={onBack} className="self-start text-accent hover:underline">
          {t("signIn.reset.back")}
        </button>
      </form>
    </Frame>
  );
}
