import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { apiKeysQuery } from "../../api/api-keys.js";
import { nameOf as nameOfContact, useContacts } from "../../api/contacts.js";
import { labelsQuery, membersQuery, workspacesQuery } from "../../api/queries.js";
import { Copy } from "../../ui/copy.js";
import { PageLink } from "../../ui/page-link.js";
import { agentsQuery } from "./agents/queries.js";

/** A resource as a log has it. */
export interface Logged {
  type: string;
  id: string;
}

/** The lists that have what has no page of its own. */
const LISTS: Record<string, string> = {
  apiKey: "/settings/api-access",
  label: "/settings/labels",
  member: "/settings/members",
};
/** Where the page of a resource is, before its id. */
const PAGES: Record<string, string> = {
  account: "/accounts/",
  agent: "/settings/agents/",
  case: "/cases/",
  channel: "/settings/channels/",
  contact: "/contacts/",
  conversation: "/inbox/all/",
  csatConfig: "/settings/workspaces/",
  identitySettings: "/settings/workspaces/",
  workspace: "/settings/workspaces/",
};
/** @param name undefined if nothing of this id is known any more */
export const pageOf = ({ type, id }: Logged, name: string | undefined): string | undefined =>
  PAGES[type] === undefined ? (name === undefined ? undefined : LISTS[type]) : PAGES[type] + id;

/** The names of what a log is about. Each kind of resource is one request, however long the log is, and none if the log has nothing of it. */
export function useNames(logged: readonly Logged[]): (of: Logged) => string | undefined {
  const has = (type: string): boolean => logged.some((one) => one.type === type);
  const { data: members } = useQuery(membersQuery());
  const { data: workspaces } = useQuery(workspacesQuery());
  const { data: keys } = useQuery({ ...apiKeysQuery(), enabled: has("apiKey") });
  const { data: agents } = useQuery({ ...agentsQuery(), enabled: has("agent") });
  const { data: labels } = useQuery({ ...labelsQuery(), enabled: has("label") });
  const contactOf = useContacts(logged.filter(({ type }) => type === "contact").map(({ id }) => id));
  const lists: Record<string, readonly { id: string; name: string }[] | undefined> = {
    agent: agents,
    apiKey: keys,
    csatConfig: workspaces,
    identitySettings: workspaces,
    label: labels,
    workspace: workspaces,
  };
  return ({ type, id }) => {
    if (type === "member") return members?.get(id)?.name;
    if (type === "contact") return nameOfContact(contactOf(id));
    return lists[type]?.find((one) => one.id === id)?.name;
  };
}

/** A name that leads to its page, if there is one. Its id is the title. */
export const Named = ({ id, to, children }: { id: string; to: string | undefined; children: ReactNode }): ReactNode =>
  to === undefined ? (
    <bdi title={id}>{children}</bdi>
  ) : (
    <PageLink to={to} title={id} className="text-accent hover:underline">
      <bdi>{children}</bdi>
    </PageLink>
  );

/** The id of a resource, on request: who calls the API needs it, and nobody else. */
export function Id({ value }: { value: string }): ReactNode {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const shown = useRef<HTMLElement>(null);
  return (
    <>
      <button
        type="button"
        aria-label={t("logs.showId")}
        aria-expanded={isShown}
        title={value}
        onClick={() => setShown(!isShown)}
        className="-my-1 min-h-6 min-w-6 rounded-sm px-1 hover:bg-hover hover:text-text"
      >
        ID
      </button>
      {isShown && (
        <>
          <code ref={shown} className="font-mono break-all">
            {value}
          </code>
          <Copy small value={value} shown={shown} />
        </>
      )}
    </>
  );
}
