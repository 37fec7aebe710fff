import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Smartphone } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { QUIET_MS } from "../../api/paged.js";
import { parley, type Schemas } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Field } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { Page } from "../../ui/page.js";
import { QrCode } from "../../ui/qr-code.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { When } from "../../ui/dates.js";
import { toast } from "../../ui/toasts.js";
import { HAS_PASSKEYS } from "../sign-in/passkey.js";
import { useRecentSignIn } from "../sign-in/recent-sign-in.js";
import { ShownOnce } from "./shown-once.js";
import { LastUsed } from "./last-used.js";

type Factor = Schemas["SecondFactor"];
type NewFactor = Schemas["NewSecondFactor"];

const MAX_PASSKEYS = 10;

/** What a sign-in asks for beside the password: an app, passkeys, and codes for the day when both are lost. */
export function SecondFactorSettings(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const [app, setApp] = useState<NewFactor>();
  const [codes, setCodes] = useState<string[]>();
  const [removing, setRemoving] = useState<Factor>();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["second-factors"],
    queryFn: ({ signal }) => parley.me.listSecondFactors({ signal }),
    staleTime: QUIET_MS,
  });
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ["second-factors"] });
  const failed = (failure: unknown): void => {
    // The member closed the browser's window.
    if (!(failure instanceof DOMException)) toast(failureOf(failure).sentence, { failed: true });
  };

  const begin = useMutation({
    mutationFn: () =>
      withRecentSignIn(() => parley.me.addSecondFactor({ type: "totp", name: t("secondFactor.appName") })),
    onSuccess: setApp,
    onError: failed,
  });
  const addPasskey = useMutation({
    mutationFn: async () => {
      const name = t("secondFactor.passkeyName", { number: passkeys + 1 });
      const { id, passkeyOptions } = await withRecentSignIn(() => parley.me.addSecondFactor({ type: "passkey", name }));
      const passkey = await createPasskey(passkeyOptions!);
      return withRecentSignIn(() => parley.me.confirmSecondFactor(id, { passkey }));
    },
    onSuccess: () => toast(t("secondFactor.added")),
    onError: failed,
    onSettled: readAgain,
  });
  const remove = useMutation({
    mutationFn: ({ id }: Factor) => withRecentSignIn(() => parley.me.removeSecondFactor(id)),
    onError: failed,
    onSettled: readAgain,
  });
  const makeCodes = useMutation({
    mutationFn: () => withRecentSignIn(() => parley.me.createRecoveryCodes()),
    onSuccess: (made) => setCodes(made.codes),
    onError: failed,
    onSettled: readAgain,
  });
  const factors = data?.factors ?? [];
  const passkeys = factors.filter(({ type }) => type === "passkey").length;
  const withApp = factors.some(({ type }) => type === "totp");
  const add = (
    <div className={`flex flex-wrap gap-2 ${factors.length === 0 ? "justify-center" : ""}`}>
      {!withApp && (
        <Button look="primary" disabled={begin.isPending} onClick={() => begin.mutate()}>
          {t("secondFactor.addApp")}
        </Button>
      )}
      {passkeys < MAX_PASSKEYS && (
        <Button disabled={!HAS_PASSKEYS || addPasskey.isPending} onClick={() => addPasskey.mutate()}>
          {t("secondFactor.addPasskey")}
        </Button>
      )}
      {!HAS_PASSKEYS && <p className="w-full text-sm text-muted">{t("secondFactor.noPasskeys")}</p>}
    </div>
  );
  return (
    <Page title={t("settings.section.second-factor")} explain={t("secondFactor.explain")}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={2} />
      ) : (
        data && (
          <div className="flex flex-col gap-6">
            {data.required && <p>{t("secondFactor.required")}</p>}
            {factors.length > 0 && (
              <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
                {factors.map((factor) => (
                  <FactorRow key={factor.id} factor={factor} onRemove={() => setRemoving(factor)} />
                ))}
              </ul>
            )}
            {app ? (
              <ConfirmApp
                factor={app}
                withRecentSignIn={withRecentSignIn}
                onCancel={() => setApp(undefined)}
                onDone={() => {
                  setApp(undefined);
                  toast(t("secondFactor.added"));
                  readAgain();
                }}
              />
            ) : factors.length > 0 ? (
              add
            ) : (
              <Empty text={t("secondFactor.empty")}>{add}</Empty>
            )}
            {factors.length > 0 && (
              <section className="flex flex-col items-start gap-2 border-t border-line pt-5">
                <h2 className="font-semibold">{t("secondFactor.codes")}</h2>
                <p className="max-w-xl text-muted">
                  {t("secondFactor.codesExplain")} {t("secondFactor.codesLeft", { count: data.recoveryCodesLeft })}
                </p>
                <Button disabled={makeCodes.isPending} onClick={() => makeCodes.mutate()}>
                  {t("secondFactor.makeCodes")}
                </Button>
              </section>
            )}
          </div>
        )
      )}
      {codes && (
        <ShownOnce
          title={t("secondFactor.storeCodes")}
          label={t("secondFactor.codes")}
          value={codes.join("\n")}
          onStored={() => setCodes(undefined)}
        />
      )}
      {dialog}
      <Confirm
        open={removing !== undefined}
        title={t("secondFactor.removeTitle", { name: removing?.name ?? "" })}
        verb={t("settings.remove")}
        danger
        onClose={() => setRemoving(undefined)}
        onConfirm={() => {
          setRemoving(undefined);
          if (removing) remove.mutate(removing);
        }}
      >
        {t(factors.length === 1 ? "secondFactor.removeLast" : "secondFactor.removeExplain")}
      </Confirm>
    </Page>
  );
}

function FactorRow({
  factor: { type, name, createdAt, lastUsedAt },
  onRemove,
}: {
  factor: Factor;
  onRemove: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const Icon = type === "totp" ? Smartphone : KeyRound;
  return (
    <li className="flex flex-wrap items-center gap-3 p-3">
      <Icon size={18} aria-hidden="true" className="text-muted" />
      <div className="min-w-40 flex-1">
        <p className="font-medium">{name}</p>
        <p className="text-sm text-muted">
          {t("settings.since")} <When at={createdAt} />
          {lastUsedAt !== null && (
            <>
              , <LastUsed at={lastUsedAt} of="settings" />
            </>
          )}
        </p>
      </div>
      <Button small look="danger" aria-label={t("settings.removeNamed", { name })} onClick={onRemove}>
        {t("settings.remove")}
      </Button>
    </li>
  );
}

/** The secret for the app, as a picture for its camera and in letters, and the first code of the app, which proves that it has it. */
function ConfirmApp({
  factor: { id, totp },
  withRecentSignIn,
  onDone,
  onCancel,
}: {
  factor: NewFactor;
  withRecentSignIn: <T>(run: () => Promise<T>) => Promise<T>;
  onDone: () => void;
  onCancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const confirm = useMutation({
    mutationFn: (code: string) => withRecentSignIn(() => parley.me.confirmSecondFactor(id, { code })),
    onSuccess: onDone,
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    confirm.mutate((new FormData(event.currentTarget).get("code") as string).replace(/\s/g, ""));
  };
  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-4 rounded-lg border border-line bg-canvas p-4">
      <div className="flex flex-col items-start gap-2">
        <p>{t("secondFactor.secretExplain")}</p>
        <QrCode text={totp!.url} label={t("secondFactor.qrCode")} />
        <p className="font-mono text-lg break-words select-all">{totp!.secret.replace(/.{4}(?=.)/g, "$& ")}</p>
        <a href={totp!.url} className="text-accent underline">
          {t("secondFactor.openApp")}
        </a>
      </div>
      <Field
        label={t("signIn.secondFactor.code")}
        name="code"
        required
        {...FIRST_FIELD}
        inputMode="numeric"
        autoComplete="one-time-code"
        className="max-w-xs"
        error={confirm.error ? failureOf(confirm.error).sentence : undefined}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" disabled={confirm.isPending}>
          {t("secondFactor.confirm")}
        </Button>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </div>
    </form>
  );
}

/** Has the browser make a passkey. `PublicKeyCredential` reads and writes the JSON that the server speaks. */
async function createPasskey(options: object): Promise<Record<string, unknown>> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  return { ...credential.toJSON() };
}
