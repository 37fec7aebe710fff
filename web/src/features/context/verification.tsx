import { AssuranceLevel } from "@parley/sdk/enums";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Lock, ShieldAlert, ShieldCheck, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Conversation, parley, type Schemas } from "../../api/parley.js";
import { assuranceQuery } from "../../api/queries.js";
import { manages, mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button, IconButton } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { Clock } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";
import { type Required, VerificationMethods } from "./verification-methods.js";

type Assurance = Schemas["Assurance"];

const LOCKS = ["conversation", "identity", "callerId"] as const;
/** How long after an end the state is read again. */
const MARGIN_MS = 1_000;
/** If an end is past by this clock, and the server still names it, the clocks differ. */
const SLOW_MS = 60_000;

/** Until the next factor, lock, link or approval ends. Nothing else tells of that. */
function untilNextEnd(assurance: Assurance | undefined): number | false {
  if (!assurance) return false;
  const { factors, locks, pendingLink, eid } = assurance;
  const ends = [...factors, ...eid.approvals, pendingLink]
    .map((one) => one?.expiresAt)
    .concat(LOCKS.map((name) => locks[name]?.until ?? undefined))
    .filter((at) => at !== undefined);
  if (ends.length === 0) return false;
  const left = Math.min(...ends.map((at) => Date.parse(at))) - Date.now();
  return left > 0 ? left + MARGIN_MS : SLOW_MS;
}

/** How well the contact is proven, by what, what is locked, and the ways to prove more. */
export default function Verification({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const { id } = conversation;
  const me = useMember();
  const {
    data: assurance,
    error,
    refetch,
  } = useQuery({
    ...assuranceQuery(id),
    refetchInterval: ({ state }) => untilNextEnd(state.data),
  });
  const [required, setRequired] = useState<Required>();
  if (!assurance) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Skeleton lines={1} />;
  const { level, factors, pendingLink } = assurance;
  const Icon = level === "none" ? ShieldAlert : ShieldCheck;
  return (
    <>
      <p role="status" className="flex items-center gap-1.5 font-medium">
        <Icon size={16} aria-hidden="true" className={level === "none" ? "text-muted" : "text-ok"} />
        {t(`context.level.${level}`)}
      </p>
      {required && (
        <Requirement
          required={required}
          isMet={AssuranceLevel.indexOf(level) >= AssuranceLevel.indexOf(required.level)}
          onClose={() => setRequired(undefined)}
        />
      )}
      {factors.length > 0 && (
        <ul aria-label={t("verification.factors")} className="flex flex-col gap-1.5">
          {factors.map(({ factorType, factorCategory, addedAt, expiresAt }) => (
            <li key={`${factorType} ${addedAt}`}>
              <p>{t(`factor.${factorType}`)}</p>
              <p className="text-xs text-muted">
                {t(`verification.category.${factorCategory}`)} · {t("verification.until")} <Clock at={expiresAt} />
              </p>
            </li>
          ))}
        </ul>
      )}
      {pendingLink && (
        <p className="rounded-md bg-hover px-2 py-1.5">
          {t(`verification.linkSent.${pendingLink.channel}`)} <strong>{pendingLink.code}</strong>.{" "}
          {t("verification.linkNumber")}{" "}
          <span className="text-muted">
            {t("verification.until")} <Clock at={pendingLink.expiresAt} />
          </span>
        </p>
      )}
      <Locks id={id} locks={assurance.locks} mayUnlock={manages(me)} />
      <Eid conversation={conversation} eid={assurance.eid} />
      {mayWrite(me) && <VerificationMethods conversation={conversation} onRequired={setRequired} />}
    </>
  );
}

/** What was asked for before something that needs it. It says so by itself once the level is reached. */
function Requirement({
  required: { level, purpose },
  isMet,
  onClose,
}: {
  required: Required;
  isMet: boolean;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div
      role="status"
      className={`flex items-start gap-1 rounded-md py-1 ps-2 ${isMet ? "bg-hover" : "bg-note text-note-text"}`}
    >
      <p className="min-w-0 flex-1 py-1 wrap-anywhere">
        {isMet ? t("verification.met") : t("verification.needed", { level: t(`context.level.${level}`) })}{" "}
        <bdi>{purpose}</bdi>
      </p>
      <IconButton label={t("common.close")} onClick={onClose}>
        <X size={14} />
      </IconButton>
    </div>
  );
}

/** Reads again what a step of verification changes. Others hear of it by an event. */
function useStep<Arguments>(id: string, run: (args: Arguments) => Promise<unknown>, done: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: () => toast(done),
    onError: (error) => toast(t("failure.notSaved", { reason: failureOf(error).sentence }), { failed: true }),
    onSettled: () => void client.invalidateQueries({ queryKey: ["assurance", id] }),
  });
}

function Locks({
  id,
  locks,
  mayUnlock,
}: {
  id: string;
  locks: Schemas["VerificationLocks"];
  mayUnlock: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const unlock = useStep(id, () => parley.verification.unlock(id), t("verification.unlocked"));
  const [asking, setAsking] = useState(false);
  const locked = LOCKS.filter((name) => locks[name]);
  if (locked.length === 0) return null;
  return (
    <div className="flex flex-col gap-1.5 rounded-md bg-note px-2 py-1.5 text-note-text">
      {locked.map((name) => {
        const until = locks[name]?.until;
        return (
          <p key={name} className="flex gap-1.5">
            <Lock size={14} aria-hidden="true" className="mt-0.5 shrink-0" />
            <span>
              {t(`verification.lock.${name}`)}{" "}
              {until ? (
                <>
                  {t("verification.until")} <Clock at={until} />
                </>
              ) : (
                t("verification.lockedForGood")
              )}
            </span>
          </p>
        );
      })}
      {mayUnlock && (
        <Button small className="self-start" onClick={() => setAsking(true)}>
          {t("verification.unlock")}
        </Button>
      )}
      <Confirm
        open={asking}
        title={t("verification.unlock")}
        verb={t("verification.unlock")}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          unlock.mutate(undefined);
        }}
      >
        {t("verification.unlockExplain")}
      </Confirm>
    </div>
  );
}

/** Approvals that a person has to judge, and the eID that is bound to the contact. */
function Eid({ conversation, eid }: { conversation: Conversation; eid: Schemas["EidState"] }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { id, contactId } = conversation;
  const confirm = useStep(
    id,
    (requestId: string) => parley.verification.confirmEid(requestId),
    t("verification.eid.confirmed"),
  );
  const unbind = useStep(id, () => parley.verification.unbindEid(contactId), t("verification.eid.unbound"));
  const [asking, setAsking] = useState(false);
  return (
    <>
      {eid.approvals.map(({ requestId, scheme, approvedAt }) => (
        <div key={requestId} className="flex flex-col gap-1.5 rounded-md bg-note px-2 py-1.5 text-note-text">
          <p>
            {t("verification.eid.stranger", { scheme })} <Clock at={approvedAt} />
          </p>
          {mayWrite(me) && (
            <Button small className="self-start" disabled={confirm.isPending} onClick={() => confirm.mutate(requestId)}>
              {t("verification.eid.confirm")}
            </Button>
          )}
        </div>
      ))}
      {eid.bound && (
        <div className="flex items-center gap-2">
          <p className="min-w-0 flex-1 text-muted">{t("verification.eid.bound")}</p>
          {manages(me) && (
            <Button small onClick={() => setAsking(true)}>
              {t("verification.eid.unbind")}
            </Button>
          )}
        </div>
      )}
      <Confirm
        open={asking}
        title={t("verification.eid.unbind")}
        verb={t("verification.eid.unbind")}
        danger
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          unbind.mutate(undefined);
        }}
      >
        {t("verification.eid.unbindExplain")}
      </Confirm>
    </>
  );
}
