import { SecurityEventType } from "@parley/sdk/enums";
import { type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useState } from "react";
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
import { Id, type Logged, Named, pageOf, useNames } from "./log-names.js";

const PAGE = 50;

type Actor = Schemas["AuditActor"] | Schemas["SecurityActor"];

/** Who acted: a member or an API key by name, or what kind of caller it was. */
function useActorName(nameOf: (of: Logged) => string | undefined): (actor: Actor) => ReactNode {
  const { t } = useTranslation();
  return ({ kind, id }) => {
    const name = id !== null && nameOf({ type: kind, id });
    const kindOf = kind === "member" ? t("logs.formerMember") : t(`logs.actor.${kind}`);
    return <bdi title={id ?? undefined}>{name || kindOf}</bdi>;
  };
}

/** What the server names as programs do, in words; undefined for what this page has no text for, as of a newer server. */
function useWords(): (of: "kind" | "field" | "counted", name: string) => string | undefined {
  const { t, i18n } = useTranslation();
  return (of, name) => {
    const key = `logs.${of}.${name}`;
    return i18n.exists(key) ? t(key as "logs.kind.case") : undefined;
  };
}

/** A kind of resource, as it stands within a sentence. */
function useKind(): (type: string) => string {
  const words = useWords();
  return (type) => words("kind", type) ?? inWords(type).toLowerCase();
}

const rowsOf = <Item,>({ data }: { data: InfiniteData<{ data: Item[] }> | undefined }): Item[] =>
  data?.pages.flatMap((page) => page.data) ?? [];

/** What the rows of a log name, by kind and id. */
const loggedBy = ({ kind, id }: Actor): Logged[] => (id === null ? [] : [{ type: kind, id }]);
const loggedIn = ({ resourceType: type, resourceId: id }: Schemas["AuditEntry"]): Logged[] =>
  id === null ? [] : [{ type, id }];
function loggedAbout({ actor, detail }: Schemas["SecurityEvent"]): Logged[] {
  const { memberId, keyId, contactId } = detail as { memberId?: string | null; keyId?: string; contactId?: string };
  return [
    ...(memberId != null && memberId !== actor.id ? [{ type: "member", id: memberId }] : []),
    ...(keyId === undefined ? [] : [{ type: "apiKey", id: keyId }]),
    ...(contactId === undefined ? [] : [{ type: "contact", id: contactId }]),
  ];
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
  const [actorId, setActor] = useState("");
  const query = useInfiniteQuery({
    queryKey: ["audit-log", actorId],
    queryFn: ({ pageParam, signal }) =>
      parley.auditLog.list({ limit: PAGE, cursor: pageParam, ...(actorId && { actorId }) }, { signal }).then(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
  const nameOf = useNames(rowsOf(query).flatMap((entry) => [...loggedBy(entry.actor), ...loggedIn(entry)]));
  const actorName = useActorName(nameOf);
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
        row={(entry) => (
          <Row at={entry.at}>
            <AuditEntry entry={entry} by={actorName(entry.actor)} nameOf={nameOf} />
          </Row>
        )}
      />
    </Log>
  );
}

function AuditEntry({
  entry,
  by,
  nameOf,
}: {
  entry: Schemas["AuditEntry"];
  by: ReactNode;
  nameOf: (of: Logged) => string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const { action, change, resourceType, conversationId, fields, counts } = entry;
  const [of] = loggedIn(entry);
  const name = of && nameOf(of);
  const page = change === "deleted" ? undefined : of && pageOf(of, name);
  const to =
    page ?? (conversationId !== null && resourceType !== "conversation" ? `/inbox/all/${conversationId}` : undefined);
  const kind = useKind()(resourceType);
  return (
    <>
      <p>
        <span className="font-medium">{by}</span> {t(`logs.change.${change}`)}{" "}
        {of && (name ?? to) !== undefined ? (
          <>
            {name !== undefined && `${kind} `}
            <Named id={of.id} to={to}>
              {name ?? kind}
            </Named>
          </>
        ) : (
          kind
        )}
        {fields.length > 0 && <Fields names={fields} />}
        {counts && <Counts of={counts} />}
      </p>
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        <code className="font-mono break-all">{action}</code>
        {of && <Id value={of.id} />}
      </p>
    </>
  );
}

/** Which fields changed. Who calls the API finds the names that it has in the title. */
function Fields({ names }: { names: readonly string[] }): ReactNode {
  const words = useWords();
  // `locks.identity` is one of the locks.
  const shown = new Map(
    names.map((name) => {
      const text = words("field", name.split(".")[0]!);
      return [text ?? name, text ?? <code className="font-mono text-xs">{name}</code>];
    }),
  );
  return (
    <span className="text-muted" title={names.join(", ")}>
      {" ("}
      {[...shown].map(([key, text], n) => (
        <Fragment key={key}>
          {n > 0 && ", "}
          {text}
        </Fragment>
      ))}
      )
    </span>
  );
}

function Counts({ of }: { of: Record<string, number> }): ReactNode {
  const { t } = useTranslation();
  const words = useWords();
  const all = Object.entries(of).map(([name, number]) =>
    t("logs.count", { what: words("counted", name) ?? name, number: String(number) }),
  );
  return <span className="text-muted"> ({all.join(", ")})</span>;
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
  const [type, setType] = useState<Schemas["SecurityEventType"] | "">("");
  const query = useInfiniteQuery({
    queryKey: ["security-log", type],
    queryFn: ({ pageParam, signal }) =>
      parley.securityLog.list({ limit: PAGE, cursor: pageParam, ...(type && { type }) }, { signal }).then(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
  const nameOf = useNames(rowsOf(query).flatMap((event) => [...loggedBy(event.actor), ...loggedAbout(event)]));
  const actorName = useActorName(nameOf);
  const kindOf = useKind();
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
        row={(event) => {
          const { at, type: what, actor, address, userAgent } = event;
          const about = loggedAbout(event);
          const said = t(`logs.security.${what}`);
          return (
            <Row at={at}>
              <p className={`font-medium ${ALARMING.has(what) ? "text-danger" : ""}`}>
                {about.length > 0 ? t("logs.about", { event: said }) : said}
                {about.map((of, n) => (
                  <Fragment key={of.id}>
                    {n === 0 ? " " : ", "}
                    <Named id={of.id} to={pageOf(of, nameOf(of))}>
                      {nameOf(of) ?? (of.type === "member" ? t("logs.formerMember") : kindOf(of.type))}
                    </Named>
                  </Fragment>
                ))}
              </p>
              <p className="line-clamp-1 break-all text-muted" title={userAgent ?? undefined}>
                {actorName(actor)}
                {[address, userAgent && deviceName(userAgent)].filter(Boolean).map((part) => ` · ${part}`)}
              </p>
            </Row>
          );
        }}
      />
    </Log>
  );
}

const Row = ({ at, children }: { at: string; children: ReactNode }): ReactNode => (
  <div className="flex flex-wrap gap-x-4 gap-y-0.5 px-3 py-2 text-sm">
    <div className="min-w-48 flex-1">{children}</div>
    <Ago at={at} className="shrink-0 text-muted tabular-nums" />
  </div>
);
