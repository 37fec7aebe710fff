import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley } from "../../../api/parley.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Part } from "../../../ui/detail-page.js";
import { Dialog } from "../../../ui/dialog.js";
import { Alert } from "../../../ui/field.js";
import { useWrongFocus } from "../../../ui/focus.js";
import { Submit } from "../../../ui/submit.js";
import { toast } from "../../../ui/toasts.js";
import { otherRefusal, refusalOf } from "../edits.js";
import { credentialsIn, credentialsOf, draftOf, pathsOf } from "./draft.js";
import { CredentialFields } from "./fields.js";
import { type Channel, channelChanged } from "./queries.js";
import { keepSecret } from "./webhook-secrets.js";

/** Whether credentials are stored, and a way to replace them. They are never shown. */
export function Credentials({ channel }: { channel: Channel }): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { hasCredentials, credentialFingerprint, type } = channel;
  const verb = t(hasCredentials ? "channelSetup.replace" : "channelSetup.enter");
  return (
    <Part title={t("channelSetup.credentials")}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line p-3">
        <p className="min-w-48 flex-1">
          <Badge look={hasCredentials ? "ok" : "plain"}>
            {t(hasCredentials ? "channelSetup.stored" : "channelSetup.missing")}
          </Badge>{" "}
          {credentialFingerprint !== null && (
            <span className="text-sm text-muted">
              {t("channelSetup.fingerprint")} <code className="font-mono">{credentialFingerprint}</code>
            </span>
          )}
        </p>
        <Button onClick={() => setOpen(true)}>{verb}</Button>
      </div>
      <p className="text-sm text-muted">
        {t(type === "webchat" ? "channelSetup.identityExplain" : "channelSetup.writeOnly")}
      </p>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t("channelSetup.credentials")}>
        <Replace channel={channel} verb={verb} onDone={() => setOpen(false)} />
      </Dialog>
    </Part>
  );
}

function Replace({ channel, verb, onDone }: { channel: Channel; verb: string; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id, type } = channel;
  const fields = credentialsOf(type, draftOf(channel));
  const save = useMutation({
    mutationFn: (credentials: Record<string, string>) => parley.channels.setCredentials(id, { credentials }),
    onSuccess: (changed, credentials) => {
      keepSecret(id, credentials);
      channelChanged(client, changed);
      toast(t("settings.saved"));
      onDone();
    },
  });
  const form = useWrongFocus(save.error);
  const other = otherRefusal(save.error, pathsOf(fields));
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    save.mutate(credentialsIn(fields, new FormData(event.currentTarget)));
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <p>{t("channelSetup.replaceExplain")}</p>
      <CredentialFields fields={fields} wrong={(path) => refusalOf(save.error, path)} />
      {other !== undefined && <Alert>{other}</Alert>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>{t("common.cancel")}</Button>
        <Submit isBusy={save.isPending}>{verb}</Submit>
      </div>
    </form>
  );
}
