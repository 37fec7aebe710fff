import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/parley.js";
import { completeSignIn } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Alert, Field } from "../../ui/field.js";
import { Frame } from "./frame.js";
import { getPasskey, HAS_PASSKEYS } from "./passkey.js";
import { useSignInError } from "./sign-in-error.js";
import { FIRST_FIELD } from "../../ui/focus.js";

export type Step = Schemas["PendingSecondFactor"];

/** The second step of a sign-in: a code, a passkey, or a recovery code. */
export default function SecondFactor({ step, onStartAgain }: { step: Step; onStartAgain: () => void }): ReactNode {
  const { t } = useTranslation();
  const explain = useSignInError();
  const { token } = step;
  const passkeyOptions = HAS_PASSKEYS ? step.passkeyOptions : undefined;
  const withCode = (step.methods as string[]).includes("totp");
  const [recovery, setRecovery] = useState(!withCode && !passkeyOptions);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  const attempt = async (proof: () => Promise<Omit<Schemas["CompleteSignIn"], "token">>): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await completeSignIn({ token, ...(await proof()) });
    } catch (failure) {
      setError(explain(failure, t("signIn.secondFactor.wrong")));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = (new FormData(event.currentTarget).get("code") as string).trim();
    void attempt(() => Promise.resolve(recovery ? { recoveryCode: given } : { code: given.replace(/\s/g, "") }));
  };
  return (
    <Frame title={t("signIn.secondFactor.title")}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {step.passkeyOptions && !HAS_PASSKEYS && <p className="text-muted">{t("signIn.secondFactor.noPasskeys")}</p>}
        {passkeyOptions && (
          <Button
            look={withCode ? "plain" : "primary"}
            disabled={busy}
            onClick={() => void attempt(async () => ({ passkey: await getPasskey(passkeyOptions) }))}
          >
            {t("signIn.secondFactor.passkey")}
          </Button>
        )}
        {(withCode || recovery) && (
          <>
            <Field
              key={String(recovery)}
              label={t(recovery ? "signIn.secondFactor.recovery" : "signIn.secondFactor.code")}
              name="code"
              required
              {...FIRST_FIELD}
              autoComplete="one-time-code"
              inputMode={recovery ? "text" : "numeric"}
            />
            <Button type="submit" look="primary" disabled={busy}>
              {t("signIn.secondFactor.button")}
            </Button>
          </>
        )}
        {error && <Alert>{error}</Alert>}
        {(withCode || !recovery) && (
          <button
            type="button"
            onClick={() => setRecovery(!recovery)}
            className="self-start text-accent hover:underline"
          >
            {t(recovery ? "signIn.secondFactor.useCode" : "signIn.secondFactor.useRecovery")}
          </button>
        )}
        <button type="button" onClick={onStartAgain} className="self-start text-accent hover:underline">
          {t("signIn.secondFactor.startAgain")}
        </button>
      </form>
    </Frame>
  );
}
