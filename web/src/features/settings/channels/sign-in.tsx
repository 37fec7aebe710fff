import { useMutation } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../../api/failure.js";
import { parley } from "../../../api/parley.js";
import type { Shown } from "../../../shown.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Part } from "../../../ui/detail-page.js";
import { Alert } from "../../../ui/field.js";
import { Ago } from "../../../ui/time.js";
import { toast } from "../../../ui/toasts.js";
import type { Channel } from "./queries.js";

const PROVIDERS = ["microsoft", "google", "other"] as const;
const FAILURES = ["failed", "expired", "forbidden"] as const;

/** Who has signed in to the mailbox, and the button that leads to its provider. */
export function SignIn({ channel }: { channel: Channel }): ReactNode {
  const { t } = useTranslation();
  const { signIn: result }: Shown = useSearch({ strict: false });
  const { provider, grant = "code" } =
    (channel.settings as { signIn?: { provider: string; grant?: string } | null }).signIn ?? {};
  const begin = useMutation({
    mutationFn: () => parley.channels.beginSignIn(channel.id),
    onSuccess: ({ url }) => location.assign(url),
    onError: (failure) => toast(failureOf(failure).sentence, { failed: true }),
  });
  const known = PROVIDERS.find((one) => one === provider);
  if (channel.type !== "email" || !known || grant !== "code") return null;
  const { account = null, error = null, endedAt = null } = channel.signIn ?? {};
  const holds = account !== null && endedAt === null;
  const failure = FAILURES.find((one) => one === result);
  return (
    <Part title={t("mailSignIn.title")}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line p-3">
        <State signIn={channel.signIn} />
        <Button look={holds ? "plain" : "primary"} disabled={begin.isPending} onClick={() => begin.mutate()}>
          {t(`mailSignIn.continue.${known}`)}
        </Button>
      </div>
      {failure && !(failure === "failed" && holds && error === null) && (
        <Alert>{t(`mailSignIn.result.${failure}`)}</Alert>
      )}
      {error !== null && <p className="wrap-anywhere text-danger">{error}</p>}
      {result === "done" && holds && <p role="status">{t("mailSignIn.result.done")}</p>}
      <p className="text-sm text-muted">{t("mailSignIn.explain")}</p>
    </Part>
  );
}

function State({ signIn }: Pick<Channel, "signIn">): ReactNode {
  const { t } = useTranslation();
  if (signIn?.account == null)
    return (
      <p className="min-w-48 flex-1">
        <Badge look="warn">{t("mailSignIn.nobody")}</Badge>
      </p>
    );
  const { account, since, endedAt } = signIn;
  return (
    <p className="min-w-48 flex-1 wrap-anywhere">
      <Badge look={endedAt === null ? "ok" : "danger"}>
        {t(endedAt === null ? "mailSignIn.signedIn" : "mailSignIn.ended")}
      </Badge>{" "}
      {t(endedAt === null ? "mailSignIn.as" : "mailSignIn.endedAt", { account })} <Ago at={endedAt ?? since ?? ""} />
    </p>
  );
}
