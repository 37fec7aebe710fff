import { SecurityEventType } from "@parley/sdk/enums";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { deviceName } from "../../../../src/auth/sessions/device.js";
import { parley, type Schemas } from "../../api/parley.js";
import { membersQuery } from "../../api/queries.js";
import { Button } from "../../ui/button.js";
import { Select } from "../../ui/field.js";
import { Page } from "../../ui/page.js";
import { Paged } from "../../ui/paged.js";
import { Empty } from "../../ui/states.js";
import { Ago } from "../../ui/time.js";
import { inWords } from "../../i18n/in-words.js";

const PAGE = 50;

type Actor = Schemas["AuditActor"] | Schemas["SecurityActor"];

/** Who acted: a member by name, or what kind of caller it was. */
function useActorName(): (actor: Actor) => string {
  const { t } = useTranslation();
  const { data: members } = useQuery(membersQuery());
  return ({ kind, id }) =>
    kind === "member" ? (members?.get(id ?? "")?.name ?? t("logs.formerMember")) : t(`logs.actor.${kind}`);
}

function Log({
  title,
  explain,
  filter,
  children,
}: {
  title: string;
  explain: string;
  filter: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <Page title={title} explain={explain}>
      <div className="mb-4 flex flex-wrap gap-4">{filter}</div>
      {children}
    </Page>
  );
}

/** Who changed what, newest first. It names fields, never values. */
export function AuditLog(): ReactNode {
  const { t } = useTranslation();
  const { data: members } = useQuery(membersQuery());
  const nameOf = useActorName();
  const [actorId, setActor] = useState("");
  const query = useInfiniteQuery({
    queryKey: ["audit-log", actorId],
    queryFn: ({ pageParam, signal }) =>
      parley.auditLog.list({ limit: PAGE, cursor: pageParam, ...(actorId && { actorId }) }, { signal }).then(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
  return (
    <Log
      title={t("settings.section.audit-log")}
      explain={t("logs.auditExplain")}
      filter={
        <Select label={t("logs.by")} value={actorId} onChange={({ target }) => setActor(target.value)}>
          <option value="">{t("logs.everybody")}</option>
          {[...(members?.values() ?? [])].map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      }
    >
      <Paged
        keyOf={({ id }) => id}
        query={query}
        label={t("settings.section.audit-log")}
        empty={
          <Empty text={t("logs.empty")}>
            {actorId !== "" && <Button onClick={() => setActor("")}>{t("list.clearFilters")}</Button>}
          </Empty>
        }
        row={({ at, actor, action, change, resourceType, resourceId, fields, counts }) => (
          <div className="flex flex-wrap gap-x-4 gap-y-0.5 px-3 py-2 text-sm">
            <div className="min-w-48 flex-1">
              <p>
                <span className="font-medium">{nameOf(actor)}</span> <span>{t(`logs.change.${change}`)}</span>{" "}
                <span title={resourceType}>{inWords(resourceType).toLowerCase()}</span>
                {fields.length > 0 && <code className="font-mono"> ({fields.join(", ")})</code>}
                {counts &&
                  ` ${Object.entries(counts)
                    .map(([kind, count]) => `${kind}: ${String(count)}`)
                    .join(", ")}`}
              </p>
              <p className="text-xs break-all text-muted">
                <code className="font-mono">{action}</code>
                {resourceId !== null && <code className="font-mono"> {resourceId}</code>}
              </p>
            </div>
            <Ago at={at} className="shrink-0 text-muted tabular-nums" />
          </div>
        )}
      />
    </Log>
  );
}

/** What somebody who looks for an attack looks for. */
const ALARMING: ReadonlySet<Schemas["SecurityEventType"]> = new Set([
  "sign_in_failed",
  "locked",
  "many_failures",
  "refresh_token_reused",
]);

/** Sign-ins, and changes of credentials, members and keys. */
export function SecurityLog(): ReactNode {
  const { t } = useTranslation();
  const { data: members } = useQuery(membersQuery());
  const nameOf = useActorName();
  const [type, setType] = useState<Schemas["SecurityEventType"] | "">("");
  const query = useInfiniteQuery({
    queryKey: ["security-log", type],
    queryFn: ({ pageParam, signal }) =>
      parley.securityLog.list({ limit: PAGE, cursor: pageParam, ...(type && { type }) }, { signal }).then(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
  return (
    <Log
      title={t("settings.section.security-log")}
      explain={t("logs.securityExplain")}
      filter={
        <Select
          label={t("logs.what")}
          value={type}
          onChange={({ target }) => setType(target.value as Schemas["SecurityEventType"])}
        >
          <option value="">{t("logs.everything")}</option>
          {SecurityEventType.map((one) => (
            <option key={one} value={one}>
              {t(`logs.security.${one}`)}
            </option>
          ))}
        </Select>
      }
    >
      <Paged
        keyOf={({ id }) => id}
        query={query}
        label={t("settings.section.security-log")}
        empty={
          <Empty text={t("logs.empty")}>
            {type !== "" && <Button onClick={() => setType("")}>{t("list.clearFilters")}</Button>}
          </Empty>
        }
        row={({ at, type: what, actor, address, userAgent, detail }) => {
          const about = (detail as { memberId?: string | null }).memberId;
          return (
            <div className="flex flex-wrap gap-x-4 gap-y-0.5 px-3 py-2 text-sm">
              <div className="min-w-48 flex-1">
                <p className={`font-medium ${ALARMING.has(what) ? "text-danger" : ""}`}>
                  {t(`logs.security.${what}`)}
                  {about != null && about !== actor.id && (
                    <>
                      {": "}
                      <bdi>{members?.get(about)?.name ?? t("logs.formerMember")}</bdi>
                    </>
                  )}
                </p>
                <p className="line-clamp-1 break-all text-muted" title={userAgent ?? undefined}>
                  {[nameOf(actor), address, userAgent && deviceName(userAgent)].filter(Boolean).join(" · ")}
                </p>
              </div>
              <Ago at={at} className="shrink-0 text-muted tabular-nums" />
            </div>
          );
        }}
      />
    </Log>
  );
}
