import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { withTexts } from "../../i18n/i18n.js";
import { environment, externalProvider, goToProvider, signIn, switchEnvironment } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Alert, Field } from "../../ui/field.js";
import { Frame } from "./frame.js";
import { useSignInError } from "./sign-in-error.js";
import type { Step } from "./second-factor.js";
import { FIRST_FIELD } from "../../ui/focus.js";

const ForgottenPassword = withTexts(() => import("./forgotten-password.js"));
const SecondFactor = lazy(() => import("./second-factor.js"));

/** Why nobody came back from the external provider with a session. */
const REASONS = ["declined", "unreachable", "invalid", "expired", "unknown"] as const;

/** Shown at every address until one is signed in. Then the page of the address is shown. */
export function SignIn({ expired = false }: { expired?: boolean }): ReactNode {
  const { t } = useTranslation();
  const explain = useSignInError();
  const client = useQueryClient();
  const [step, setStep] = useState<Step>();
  const [forgotten, setForgotten] = useState(false);
  const [refusal] = useState(() => REASONS.find((one) => one === new URLSearchParams(location.search).get("external")));
  const [error, setError] = useState<string | undefined>(refusal && t(`signIn.external.${refusal}`));
  const [provider, setProvider] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [email, setEmail] = useState("");

  useEffect(() => void externalProvider().then(setProvider), []);
  // The next member may be another one, who may see less.
  useEffect(() => client.clear(), [client]);

  if (forgotten)
    return (
      <Suspense>
        <ForgottenPassword email={email} onBack={() => setForgotten(false)} />
      </Suspense>
    );
  if (step)
    return (
      <Suspense>
        <SecondFactor step={step} onStartAgain={() => setStep(undefined)} />
      </Suspense>
    );

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get("password") as string;
    setBusy(true);
    setError(undefined);
    try {
      setStep(await signIn(email.trim(), password));
    } catch (failure) {
      setError(explain(failure, t("signIn.wrong")));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Frame title={t("signIn.title")}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {environment() === "test" && (
          <p role="note" className="rounded-md bg-note px-3 py-2 text-note-text">
            {t("signIn.testSide")}{" "}
            <button type="button" className="underline" onClick={() => switchEnvironment("live")}>
              {t("shell.switchToLive")}
            </button>
          </p>
        )}
        {expired && !error && (
          <p role="status" className="text-muted">
            {t("signIn.expired")}
          </p>
        )}
        <Field
          label={t("signIn.email")}
          name="email"
          type="email"
          autoComplete="username"
          required
          {...FIRST_FIELD}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label={t("signIn.password")}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={200}
        />
        {error && <Alert>{error}</Alert>}
        <Button type="submit" look="primary" disabled={busy}>
          {t("signIn.button")}
        </Button>
        {provider && (
          <Button onClick={() => goToProvider(refusal === "unknown")}>
            {t("signIn.external.button", { name: provider })}
          </Button>
        )}
        <button type="button" onClick={() => setForgotten(true)} className="self-start text-accent hover:underline">
          {t("signIn.forgot")}
        </button>
      </form>
    </Frame>
  );
}
