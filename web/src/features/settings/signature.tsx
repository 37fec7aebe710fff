import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { QUIET_MS } from "../../api/paged.js";
import { parley, type Schemas } from "../../api/parley.js";
import { Part } from "../../ui/detail-page.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { TextArea } from "../../ui/text-area.js";
import { useEdits } from "./edits.js";

type Signed = Schemas["Signature"];

interface Props {
  /** Whose it is, among what is kept of the server. */
  of: string;
  hint: string;
  read: (options: { signal: AbortSignal }) => Promise<Signed>;
  write: (body: string | null) => Promise<Signed>;
}

const MAX_SIGNATURE = 5_000;

/** What mails end with: a member's, or a mailbox's. */
function Signature({ of, hint, read, write }: Props): ReactNode {
  const { t } = useTranslation();
  const queryKey = ["signature", of];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read({ signal }),
    staleTime: QUIET_MS,
  });
  return (
    <Part title={t("signature.title")}>
      {data ? (
        <Editor queryKey={queryKey} signed={data} hint={hint} write={write} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={3} />
      )}
    </Part>
  );
}

function Editor({
  queryKey,
  signed,
  hint,
  write,
}: Pick<Props, "hint" | "write"> & { queryKey: string[]; signed: Signed }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { draft, edit, wrong, form, end } = useEdits({
    now: { body: signed.body ?? "" },
    fields: ["body"],
    send: (_, { body }) => write(body.trim() || null),
    onSaved: (saved) => {
      client.setQueryData(queryKey, saved);
      void client.invalidateQueries({ queryKey: ["mail-frame"] });
    },
  });
  return (
    <form {...form} aria-label={t("signature.title")} className="flex flex-col gap-4">
      <TextArea
        label={t("signature.title")}
        hint={hint}
        dir="auto"
        maxLength={MAX_SIGNATURE}
        placeholder={"{{member.name}}\n{{brand.name}}"}
        value={draft.body}
        error={wrong("body")}
        onChange={({ target }) => edit({ body: target.value })}
      />
      {end}
    </form>
  );
}

export function OwnSignature(): ReactNode {
  const { t } = useTranslation();
  return (
    <Signature
      of="me"
      hint={t("signature.ownHint")}
      read={(options) => parley.me.getSignature(options)}
      write={(body) => parley.me.setSignature({ body })}
    />
  );
}

export function ChannelSignature({ channelId }: { channelId: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Signature
      of={channelId}
      hint={t("signature.channelHint")}
      read={(options) => parley.channels.getSignature(channelId, options)}
      write={(body) => parley.channels.setSignature(channelId, { body })}
    />
  );
}
