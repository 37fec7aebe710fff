import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Conversation, parley } from "../../api/parley.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button, IconButton } from "../../ui/button.js";
import { Alert } from "../../ui/field.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { toast } from "../../ui/toasts.js";
import { type Participant, participantsQuery } from "../../api/participants.js";

/** Who takes part in a conversation by mail besides the contact. */
export default function Participants({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const may = mayWrite(useMember());
  const query = participantsQuery(conversation);
  const { data, error, refetch } = useQuery(query);
  const [isAdding, setAdding] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const remove = useMutation({
    mutationFn: (participant: Participant) =>
      parley.conversations.removeParticipants(conversation.id, { participantId: participant.id }).then(),
    onSuccess: (_, { id }) => {
      client.setQueryData(query.queryKey, (all) => all?.filter((one) => one.id !== id));
      // The button that had the focus is gone.
      addButton.current?.focus();
    },
    onError: (failure) => toast(t("failure.notSaved", { reason: failureOf(failure).sentence }), { failed: true }),
  });
  if (!data) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Skeleton lines={1} />;
  return (
    <>
      {data.length === 0 && <p className="text-muted">{t("participants.none")}</p>}
      {data.length > 0 && (
        <ul aria-label={t("people.participants")} className="flex flex-col">
          {data.map((one) => (
            <li key={one.id} className="flex items-center gap-1">
              <span className="flex min-w-0 flex-1 flex-col py-0.5">
                {one.name !== null && (
                  <bdi className="truncate" title={one.name}>
                    {one.name}
                  </bdi>
                )}
                <span className={`wrap-anywhere ${one.name === null ? "" : "text-muted"}`}>{one.address}</span>
              </span>
              {may && (
                <IconButton
                  label={t("participants.takeOut", { name: one.name ?? one.address })}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate(one)}
                >
                  <X size={14} />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {may && isAdding && (
        <Add
          conversation={conversation}
          onDone={(added) => {
            if (added)
              client.setQueryData(query.queryKey, (all) => [...(all ?? []).filter(({ id }) => id !== added.id), added]);
            setAdding(false);
            requestAnimationFrame(() => addButton.current?.focus());
          }}
        />
      )}
      {may && !isAdding && (
        <Button small ref={addButton} className="self-start" onClick={() => setAdding(true)}>
          <Plus size={14} aria-hidden="true" />
          {t("participants.add")}
        </Button>
      )}
    </>
  );
}

function Add({
  conversation,
  onDone,
}: {
  conversation: Conversation;
  onDone: (added?: Participant) => void;
}): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const [address, setAddress] = useState("");
  const add = useMutation({
    mutationFn: () => parley.conversations.addParticipant(conversation.id, { address: address.trim() }).then(),
    onSuccess: onDone,
  });
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (address.trim()) add.mutate();
      }}
    >
      <label htmlFor={id} className="text-muted">
        {t("participants.address")}
      </label>
      <input
        id={id}
        ref={(element) => element?.focus()}
        type="email"
        autoComplete="off"
        value={address}
        disabled={add.isPending}
        aria-invalid={add.error ? true : undefined}
        className="h-8 w-full rounded-md border border-edge bg-surface px-2 aria-invalid:border-danger"
        onChange={({ target: { value } }) => setAddress(value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onDone();
        }}
      />
      {add.error && <Alert>{failureOf(add.error).sentence}</Alert>}
      <div className="flex gap-2">
        <Button small type="submit" look="primary" disabled={!address.trim() || add.isPending}>
          {t("participants.add")}
        </Button>
        <Button small onClick={() => onDone()}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
