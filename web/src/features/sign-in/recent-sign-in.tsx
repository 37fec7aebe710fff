import { ForbiddenError } from "@parley/sdk/core";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley } from "../../api/parley.js";
import { externalProvider, goToProvider } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Alert, Field } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";

interface Asking {
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** What needs a recent sign-in: asks for the password if it is not recent enough, and goes on. */
export function useRecentSignIn(): { withRecentSignIn: <T>(run: () => Promise<T>) => Promise<T>; dialog: ReactNode } {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<Asking>();
  const [error, setError] = useState<string>();
  const refused = useRef<unknown>(undefined);
  const [provider, setProvider] = useState<string | null>(null);

  const withRecentSignIn = async <T,>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (failure) {
      if (!(failure instanceof ForbiddenError) || !failure.message.startsWith("Sign in again")) throw failure;
      refused.current = failure;
      void externalProvider().then(setProvider);
      await new Promise<void>((resolve, reject) => setAsking({ resolve, reject }));
      return run();
    }
  };
  const close = (): void => {
    asking?.reject(refused.current);
    setAsking(undefined);
    setError(undefined);
  };
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get("password") as string;
    setError(undefined);
    try {
      await parley.auth.reauthenticate({ password });
      asking?.resolve();
      setAsking(undefined);
    } catch (failure) {
      setError(failureOf(failure).sentence);
    }
  };
  return {
    withRecentSignIn,
    dialog: (
      <Dialog open={asking !== undefined} onClose={close} title={t("reauthenticate.title")}>
        <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
          <p>{t("reauthenticate.explain")}</p>
          <Field
            label={t("signIn.password")}
            name="password"
            type="password"
            autoComplete="current-password"
            required
            {...FIRST_FIELD}
          />
          {error && <Alert>{error}</Alert>}
          <Button type="submit" look="primary">
            {t("reauthenticate.button")}
          </Button>
          {provider && (
            <Button onClick={() => goToProvider(true)}>{t("signIn.external.button", { name: provider })}</Button>
          )}
        </form>
      </Dialog>
    ),
  };
}
