import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { pagedQuery, QUIET_MS } from "../../api/paged.js";
import { parley, type Schemas } from "../../api/parley.js";
import { workspacesQuery } from "../../api/queries.js";
import { manages, mayWrite } from "../../session/roles.js";
import { type Member, useMember } from "../../session/session.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Dialog } from "../../ui/dialog.js";
import { Page } from "../../ui/page.js";
import { focusFirstRow, Paged } from "../../ui/paged.js";
import { SearchField } from "../../ui/search-field.js";
import { Empty } from "../../ui/states.js";
import { toast } from "../../ui/toasts.js";
import { CannedReplyForm } from "./canned-reply-form.js";

type CannedReply = Schemas["CannedReply"];

const listQuery = (query: string) =>
  pagedQuery(
    ["canned-replies", "settings", query],
    (page, options) => parley.cannedReplies.list({ ...page, ...(query && { query }) }, options),
    { staleTime: QUIET_MS },
  );

/** Owners and admins change all. Agents change what they made for a workspace. */
const mayChange = (me: Member, { createdBy, workspaceId }: CannedReply): boolean =>
  manages(me) || (mayWrite(me) && createdBy === me.id && workspaceId !== null);

/** The texts that members send often. */
export function CannedRepliesPage(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useMember();
  const [search, setSearch] = useState("");
  const query = useInfiniteQuery({ ...listQuery(search), enabled: me.role !== "billing" });
  const { data: workspaces } = useQuery({ ...workspacesQuery(), enabled: me.role !== "billing" });
  const [form, setForm] = useState<"new" | CannedReply>();
  const [removing, setRemoving] = useState<CannedReply>();
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ["canned-replies"] });
  const remove = useMutation({
    mutationFn: ({ id }: CannedReply) => parley.cannedReplies.delete(id),
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
    onSettled: readAgain,
  });

  const title = t("settings.section.canned-replies");
  if (me.role === "billing")
    return (
      <Page title={title}>
        <Empty text={t("failure.forbidden")} />
      </Page>
    );
  const create = mayWrite(me) && (
    <Button look="primary" onClick={() => setForm("new")}>
      {t("cannedReplies.create")}
    </Button>
  );
  const isEmpty = search === "" && query.data?.pages[0]?.data.length === 0;
  return (
    <Page title={title} explain={t("cannedReplies.explain")} action={!isEmpty && create}>
      <div className="mb-4">
        <SearchField
          label={t("cannedReplies.search")}
          placeholder={t("cannedReplies.searchHint")}
          value={search}
          onSearch={setSearch}
          onEnter={focusFirstRow}
        />
      </div>
      <Paged
        query={query}
        label={title}
        keyOf={({ id }) => id}
        empty={
          search ? (
            <Empty text={t("cannedReplies.noMatch")}>
              <Button onClick={() => setSearch("")}>{t("list.clear")}</Button>
            </Empty>
          ) : (
            <Empty text={t(mayWrite(me) ? "cannedReplies.empty" : "cannedReplies.emptyReader")}>{create}</Empty>
          )
        }
        row={(reply) => (
          <div className="flex flex-wrap items-start gap-x-4 gap-y-2 p-3">
            <div className="min-w-48 flex-1">
              <p className="flex flex-wrap items-center gap-2">
                <bdi className="font-medium wrap-anywhere">{reply.title}</bdi>
                <code className="rounded bg-hover px-1.5 text-sm wrap-anywhere">{reply.shortcut}</code>
                {reply.workspaceId !== null && (
                  <Badge>
                    {workspaces?.find(({ id }) => id === reply.workspaceId)?.name ?? t("cannedReplies.workspace")}
                  </Badge>
                )}
              </p>
              <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere text-muted">
                {reply.body}
              </p>
            </div>
            {mayChange(me, reply) && (
              <div className="flex gap-2">
                <Button
                  small
                  aria-label={t("cannedReplies.edit", { name: reply.title })}
                  onClick={() => setForm(reply)}
                >
                  {t("cannedReplies.editShort")}
                </Button>
                <Button
                  small
                  look="danger"
                  aria-label={t("cannedReplies.deleteNamed", { name: reply.title })}
                  onClick={() => setRemoving(reply)}
                >
                  {t("cannedReplies.delete")}
                </Button>
              </div>
            )}
          </div>
        )}
      />
      <Dialog
        wide
        open={form !== undefined}
        onClose={() => setForm(undefined)}
        title={t(form === "new" ? "cannedReplies.create" : "cannedReplies.editTitle")}
      >
        {form !== undefined && (
          <CannedReplyForm
            reply={form === "new" ? undefined : form}
            workspaces={workspaces ?? []}
            onCancel={() => setForm(undefined)}
            onSaved={() => {
              setForm(undefined);
              readAgain();
            }}
          />
        )}
      </Dialog>
      <Confirm
        open={removing !== undefined}
        title={t("cannedReplies.deleteTitle")}
        verb={t("cannedReplies.delete")}
        danger
        onClose={() => setRemoving(undefined)}
        onConfirm={() => {
          if (removing) remove.mutate(removing);
          setRemoving(undefined);
        }}
      >
        {t("cannedReplies.deleteExplain", { name: removing?.title })}
      </Confirm>
    </Page>
  );
}
