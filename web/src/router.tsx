import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  redirect,
} from "@tanstack/react-router";
import { ConnectionError } from "@parley/sdk/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { isView } from "./api/views.js";
import { entriesSearch } from "./features/knowledge/search.js";
import { Inbox } from "./features/inbox/inbox.js";
import { inboxSearch } from "./features/inbox/search.js";
import { NotFound, Shell } from "./features/shell/shell.js";
import { loadPageTexts } from "./i18n/i18n.js";
import { SignIn } from "./features/sign-in/sign-in.js";
import { takeReturnPath, useSession } from "./session/session.js";
import { shown } from "./shown.js";
import { Missing } from "./ui/missing.js";
import { Failed, Skeleton } from "./ui/states.js";

/** The pages of members. Everybody else is asked to sign in, and then sees the page that the address names. */
function Members(): ReactNode {
  const session = useSession();
  if (session.status === "resuming") return session.isWaiting ? <Unreachable /> : <Skeleton lines={3} />;
  return session.status === "signed-out" ? <SignIn expired={session.reason === "expired"} /> : <Shell />;
}

/** Whoever leaves an edited form has been asked already: nobody would see a second question. */
const ToInbox = (): ReactNode => <Navigate to="/inbox/$view" params={{ view: "all" }} replace ignoreBlocker />;

/** Members come here from the external provider, too. They go on where they were. */
function SignedIn(): ReactNode {
  const [path] = useState(takeReturnPath);
  return path === undefined ? <ToInbox /> : <Navigate to={path} replace />;
}

/** Shown while the server does not answer to a page that was opened anew. */
function Unreachable(): ReactNode {
  const { t } = useTranslation();
  return (
    <main className="flex min-h-full items-center justify-center p-6 text-center text-muted">
      <p role="status">{t("signIn.waiting")}</p>
    </main>
  );
}

const root = createRootRoute({ notFoundComponent: NotFound });
const members = createRoute({ getParentRoute: () => root, id: "members", component: Members });

type Module = Record<string, () => ReactNode>;
/**
 * A page of its own script, with its texts. The router loads everything anew if a script is missing, as after an upgrade. Without a
 * connection nothing would be left then, so the page says instead that the server cannot be reached.
 */
const lazily = (load: () => Promise<Record<string, unknown>>, name: string) =>
  lazyRouteComponent(async () => {
    try {
      return (await Promise.all([load(), loadPageTexts()]))[0] as Module;
    } catch (error) {
      await reach();
      throw error;
    }
  }, name);
/** A proxy may answer for a server that is down. */
const reach = async (): Promise<void> => {
  const answer = await fetch("/").catch(() => undefined);
  if (!answer?.ok) throw new ConnectionError("");
};

const page = <const Path extends string>(path: Path, load: () => Promise<Record<string, unknown>>, name: string) =>
  createRoute({
    getParentRoute: () => members,
    path,
    validateSearch: shown,
    component: lazily(load, name),
  });
const open = <const Path extends string>(path: Path, load: () => Promise<Record<string, unknown>>, name: string) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazily(load, name),
  });

/** The id of a saved view. */
const SAVED = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const inbox = createRoute({
  getParentRoute: () => members,
  path: "/inbox/$view",
  validateSearch: inboxSearch,
  beforeLoad: ({ params }) => {
    if (!isView(params.view) && !SAVED.test(params.view))
      redirect({ to: "/inbox/$view", params: { view: "mine" }, throw: true });
  },
  component: Inbox,
});

const entries = <const Path extends string>(path: Path, name: "Knowledge" | "Policies") =>
  createRoute({
    getParentRoute: () => members,
    path,
    validateSearch: entriesSearch,
    component: lazily(() => import("./features/knowledge/entries.js"), name),
  });

const settings = page("/settings", () => import("./features/settings/settings.js"), "Settings");
const section = <const Path extends string>(path: Path, load: () => Promise<Record<string, unknown>>, name: string) =>
  createRoute({
    getParentRoute: () => settings,
    path,
    component: lazily(load, name),
  });

export const router = createRouter({
  routeTree: root.addChildren([
    members.addChildren([
      createRoute({
        getParentRoute: () => members,
        path: "/",
        component: ToInbox,
      }),
      createRoute({
        getParentRoute: () => members,
        path: "/sign-in",
        component: SignedIn,
      }),
      createRoute({
        getParentRoute: () => members,
        path: "/inbox",
        component: ToInbox,
      }),
      inbox.addChildren([createRoute({ getParentRoute: () => inbox, path: "/$conversationId" })]),
      entries("/knowledge", "Knowledge"),
      entries("/policies", "Policies"),
      page("/quality", () => import("./features/quality/quality.js"), "Quality"),
      page("/reports", () => import("./features/quality/reports/reports.js"), "Reports"),
      settings.addChildren([
        section("/", () => import("./features/settings/settings.js"), "SettingsHome"),
        section("/profile", () => import("./features/settings/profile.js"), "Profile"),
        section("/preferences", () => import("./features/settings/preferences.js"), "PreferencesPage"),
        section("/password", () => import("./features/settings/password.js"), "Password"),
        section("/second-factor", () => import("./features/settings/second-factor.js"), "SecondFactorSettings"),
        section("/sessions", () => import("./features/settings/sessions.js"), "Sessions"),
        section("/members", () => import("./features/settings/members.js"), "Members"),
        section("/workspaces", () => import("./features/settings/workspaces/workspaces.js"), "Workspaces"),
        section(
          "/workspaces/$workspaceId",
          () => import("./features/settings/workspaces/workspace.js"),
          "WorkspacePage",
        ),
        section(
          "/workspaces/$workspaceId/$part",
          () => import("./features/settings/workspaces/workspace.js"),
          "WorkspacePage",
        ),
        section("/channels", () => import("./features/settings/channels/channels.js"), "Channels"),
        section("/channels/new", () => import("./features/settings/channels/new-channel.js"), "NewChannel"),
        section("/channels/$channelId", () => import("./features/settings/channels/channel.js"), "ChannelPage"),
        section("/widgets", () => import("./features/settings/widgets/widgets.js"), "Widgets"),
        section("/agents", () => import("./features/settings/agents/agents.js"), "Agents"),
        section("/agents/$agentId", () => import("./features/settings/agents/agent.js"), "AgentPage"),
        section("/captured-messages", () => import("./features/settings/captured-messages.js"), "CapturedMessages"),
        section("/labels", () => import("./features/settings/labels.js"), "Labels"),
        section("/canned-replies", () => import("./features/settings/canned-replies.js"), "CannedRepliesPage"),
        section("/api-access", () => import("./features/settings/api-access.js"), "ApiAccess"),
        section("/webhooks", () => import("./features/settings/webhooks.js"), "Webhooks"),
        section("/audit-log", () => import("./features/settings/logs.js"), "AuditLog"),
        section("/security-log", () => import("./features/settings/logs.js"), "SecurityLog"),
      ]),
      page("/attention", () => import("./features/attention/attention.js"), "Attention"),
      page("/approvals", () => import("./features/actions/approvals.js"), "Approvals"),
      page("/contacts", () => import("./features/contacts/contacts.js"), "Contacts"),
      page("/contacts/$contactId", () => import("./features/profile/contact.js"), "ContactPage"),
      page("/cases", () => import("./features/cases/cases.js"), "Cases"),
      page("/cases/$caseId", () => import("./features/cases/case.js"), "CasePage"),
      page("/calendar", () => import("./features/calendar/calendar.js"), "Calendar"),
      page("/accounts", () => import("./features/accounts/accounts.js"), "Accounts"),
      page("/accounts/$accountId", () => import("./features/accounts/account.js"), "AccountPage"),
      page("/search", () => import("./features/search/search.js"), "Search"),
      createRoute({ getParentRoute: () => members, path: "$", component: Missing }),
    ]),
    open("/invitation", () => import("./features/sign-in/choose-password.js"), "Invitation"),
    open("/password-reset", () => import("./features/sign-in/choose-password.js"), "PasswordReset"),
    open("/email-proof", () => import("./features/sign-in/email-proof.js"), "EmailProof"),
  ]),
  defaultPreload: "intent",
  defaultErrorComponent: ({ error }) => (
    <>
      <h1 className="sr-only">{document.title}</h1>
      <Failed
        error={error}
        onRetry={() =>
          void reach().then(
            () => location.reload(),
            () => undefined,
          )
        }
      />
    </>
  ),
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
