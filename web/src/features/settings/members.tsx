import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { QUIET_MS } from "../../api/paged.js";
import { parley } from "../../api/parley.js";
import { membersQuery, workspacesQuery } from "../../api/queries.js";
import { manages } from "../../session/roles.js";
import { type Member, useMember } from "../../session/session.js";
import { Avatar } from "../../ui/avatar.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Page } from "../../ui/page.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { Ago } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";
import { MemberForm } from "./member-form.js";
import { useRecentSignIn } from "../sign-in/recent-sign-in.js";

const ACTIONS = {
  invite: (id: string) => parley.members.invite(id),
  deactivate: (id: string) => parley.members.update(id, { status: "deactivated" }),
  activate: (id: string) => parley.members.update(id, { status: "active" }),
  endSessions: (id: string) => parley.members.endSessions(id),
  removeSecondFactors: (id: string) => parley.members.removeSecondFactors(id),
  remove: (id: string) => parley.members.delete(id),
};
type Action = keyof typeof ACTIONS;

/** Everybody who works here. Owners and admins invite, and say who may do what. */
export function Members(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useMember();
  const mayManage = manages(me);
  const { data: members, error, isPending, refetch } = useQuery({ ...membersQuery(), staleTime: QUIET_MS });
  const [form, setForm] = useState<"new" | Member>();
  const [asking, setAsking] = useState<{ action: Action; member: Member }>();
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ["members"] });
  const act = useMutation({
    mutationFn: ({ action, member }: { action: Action; member: Member }) =>
      withRecentSignIn<unknown>(() => ACTIONS[action](member.id)),
    onSuccess: (_, { action, member }) => toast(t(`members.done.${action}`, { name: member.name })),
    onError: (failure) => toast(failureOf(failure).sentence, { failed: true }),
    onSettled: readAgain,
  });
  const done = (): void => {
    setForm(undefined);
    readAgain();
    document.getElementById("content")?.focus();
  };
  return (
    <Page
      title={t("settings.section.members")}
      explain={t("members.explain")}
      action={
        mayManage &&
        !form && (
          <Button look="primary" onClick={() => setForm("new")}>
            {t("members.invite")}
          </Button>
        )
      }
    >
      {form ? (
        <MemberForm
          key={form === "new" ? "new" : form.id}
          member={form === "new" ? undefined : form}
          withRecentSignIn={withRecentSignIn}
          onDone={done}
        >
          {form !== "new" && form.id !== me.id && (
            <Actions member={form} onAsk={(action) => setAsking({ action, member: form })} />
          )}
        </MemberForm>
      ) : (
        <>
          {error && <Failed error={error} onRetry={() => void refetch()} />}
          {isPending ? (
            <Skeleton lines={4} />
          ) : (
            <ul
              aria-label={t("settings.section.members")}
              className="flex flex-col divide-y divide-line rounded-lg border border-line"
            >
              {[...(members?.values() ?? [])].map((member) => (
                <MemberRow
                  key={member.id}
                  member={member}
                  onEdit={
                    mayManage && (me.role === "owner" || member.role !== "owner") ? () => setForm(member) : undefined
                  }
                />
              ))}
            </ul>
          )}
        </>
      )}
      {dialog}
      <Confirm
        open={asking !== undefined}
        title={asking ? `${t(`members.action.${asking.action}`)}: ${asking.member.name}` : ""}
        verb={asking ? t(`members.action.${asking.action}`) : ""}
        danger={asking?.action === "remove" || asking?.action === "deactivate"}
        onClose={() => setAsking(undefined)}
        onConfirm={() => {
          setAsking(undefined);
          if (asking) act.mutate(asking, { onSuccess: done });
        }}
      >
        {asking && t(`members.ask.${asking.action}`)}
      </Confirm>
    </Page>
  );
}

function MemberRow({ member, onEdit }: { member: Member; onEdit: (() => void) | undefined }): ReactNode {
  const { t } = useTranslation();
  const { data: workspaces } = useQuery(workspacesQuery());
  const { id, name, email, role, status, presence, lastSeenAt, workspaceIds } = member;
  const names = workspaces?.filter((one) => workspaceIds.includes(one.id)).map((one) => one.name) ?? [];
  return (
    <li className={`flex flex-wrap items-center gap-x-4 gap-y-2 p-3 ${status === "deactivated" ? "text-muted" : ""}`}>
      <Avatar id={id} name={name} />
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium break-words">
            {name}
          </span>
          {status !== "active" && (
            <Badge look={status === "invited" ? "warn" : "plain"}>{t(`members.status.${status}`)}</Badge>
          )}
        </p>
        <p className="text-sm break-all text-muted">{email}</p>
      </div>
      <div className="min-w-32 text-sm text-muted">
        <p className="text-text">{t(`role.${role}`)}</p>
        {(role === "agent" || role === "observer") && <p>{names.join(", ") || t("members.nowhere")}</p>}
        {status === "active" && (
          <p>
            {presence !== "offline" || lastSeenAt === null ? (
              t(`presence.${presence}`)
            ) : (
              <>
                {t("members.lastSeen")} <Ago at={lastSeenAt} inSentence />
              </>
            )}
          </p>
        )}
      </div>
      {onEdit && (
        <Button small aria-label={t("members.editNamed", { name })} className="ms-auto" onClick={onEdit}>
          {t("lists.edit")}
        </Button>
      )}
    </li>
  );
}

function Actions({ member, onAsk }: { member: Member; onAsk: (action: Action) => void }): ReactNode {
  const { t } = useTranslation();
  const actions: Action[] = [
    ...(member.status === "invited" ? (["invite"] as const) : (["endSessions", "removeSecondFactors"] as const)),
    member.status === "deactivated" ? "activate" : "deactivate",
    "remove",
  ];
  return (
    <div
      role="group"
      aria-label={t("entries.actions", { name: member.name })}
      className="flex flex-wrap gap-2 border-t border-line pt-5"
    >
      {actions.map((action) => (
        <Button
          key={action}
          look={action === "remove" || action === "deactivate" ? "danger" : "plain"}
          onClick={() => onAsk(action)}
        >
          {t(`members.action.${action}`)}
        </Button>
      ))}
    </div>
  );
}
