import { Link } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { SignInError } from "../../session/session.js";
import { setPassword } from "./by-mail.js";
import { Button } from "../../ui/button.js";
import { Alert, Field } from "../../ui/field.js";
import { Frame } from "./frame.js";
import { takeToken } from "./mailed-token.js";
import { useSignInError } from "./sign-in-error.js";
import { FIRST_FIELD } from "../../ui/focus.js";

export const Invitation = (): ReactNode => <ChoosePassword invited />;
export const PasswordReset = (): ReactNode => <ChoosePassword />;

/** Sets a password with the token of a mailed link: the first one of an invitation, or a new one. */
function ChoosePassword({ invited = false }: { invited?: boolean }): ReactNode {
  const { t } = useTranslation();
  const explain = useSignInError();
  const [token] = useState(takeToken);
  const [done, setDone] = useState(false);
  const [error, setError] = useState<string>();

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setError(undefined);
    try {
      await setPassword(token, new FormData(event.currentTarget).get("password") as string);
      setDone(true);
    } catch (failure) {
      const used = failure instanceof SignInError && [401, 404, 409, 410].includes(failure.status);
      setError(used ? t("signIn.choose.used") : explain(failure, t("signIn.choose.used")));
    }
  };
  return (
    <Frame title={t(invited ? "signIn.choose.invitation" : "signIn.choose.title")}>
      {done ? (
        <div className="flex flex-col gap-4">
          <p role="status">{t("signIn.choose.done")}</p>
          <Link to="/inbox" className="text-accent hover:underline">
            {t("signIn.button")}
          </Link>
        </div>
      ) : (
        <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
          {invited && <p className="text-muted">{t("signIn.choose.title")}</p>}
          <Field
            label={t("signIn.choose.password")}
            hint={t("signIn.choose.hint")}
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={10}
            maxLength={200}
            {...FIRST_FIELD}
          />
          {error && <Alert>{error}</Alert>}
          <Button type="submit" look="primary">
            {t("signIn.choose.button")}
          </Button>
        </form>
      )}
    </Frame>
  );
}
