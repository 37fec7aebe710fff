import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Navigate, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { LogOut, type LucideIcon } from "lucide-react";
import {
  Fragment,
  memo,
  type ReactNode,
  Suspense,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { attentionCountQuery, workspacesQuery } from "../../api/queries.js";
import { saveUnsaved } from "../../drafts/synced.js";
import { withTexts } from "../../i18n/i18n.js";
import { type Language, LANGUAGES } from "../../i18n/languages.js";
import { holdKeys, releaseKeys, useKeys } from "../../keyboard/keys.js";
import { applyEvents } from "../../live/apply.js";
import { QUIET_MS } from "../../live/hearing.js";
import { isIdle } from "../../live/idle.js";
import { listen, onEvent, useLiveState } from "../../live/live.js";
import { page } from "../../page.js";
import { manages, mayWrite } from "../../session/roles.js";
import { signOut, switchEnvironment, useMember, useSession } from "../../session/session.js";
import { Avatar } from "../../ui/avatar.js";
import { Mark } from "../../ui/mark.js";
import { Menu, MenuItem, MenuLine } from "../../ui/menu.js";
import { PageLink } from "../../ui/page-link.js";
import { TestBand } from "../../ui/test-band.js";
import { Toasts } from "../../ui/toasts.js";
import { compose, endComposing, useComposing } from "../../composing.js";
import { useInboxParams } from "../thread/inbox-params.js";
import { sayForgotten } from "../thread/forgotten.js";
import { HeldReplies } from "../thread/held.js";
import { sayNotSent } from "../thread/not-sent.js";
import { sendUnsent } from "../thread/outgoing.js";
import { Views } from "../inbox/views.js";
import { navItemsOf } from "./nav-items.js";
import { choosePresence, usePresence } from "../../live/presence.js";

const Shortcuts = withTexts(() => import("./shortcuts.js"));
const Compose = withTexts(() => import("../compose/compose.js"));
const Palette = withTexts(() => import("./palette.js"));
const Notify = withTexts(() => import("../../notifications/notify.js"));

/** What surrounds every page of a member: where to go, which side this is, and whether the page is live. */
export function Shell(): ReactNode {
  const { t, i18n } = useTranslation();
  const session = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [overlay, setOverlay] = useState<"help" | "palette">();
  const { view } = useInboxParams();
  const member = session.status === "signed-in" ? session.member : undefined;

  const isBilling = member?.role === "billing";
  /** Of a member who works with conversations. */
  const workingId = isBilling ? undefined : member?.id;
  useEffect(() => {
    if (workingId === undefined) return;
    const controller = new AbortController();
    const forget = onEvent(applyEvents(client, workingId, { page, isIdle }));
    listen(workingId, controller.signal);
    void sendUnsent(workingId, sayNotSent);
    saveUnsaved(workingId, controller.signal);
    return () => {
      controller.abort();
      forget();
    };
  }, [client, workingId]);

  const waiting = useWaiting(workingId);
  const { pathname } = useLocation();
  const go = (to: string) => () => void navigate({ to });
  const close = (): void => setOverlay(undefined);
  const isTest = session.status === "signed-in" && session.environment === "test";
  const switchSide = (): void => switchEnvironment(isTest ? "live" : "test");
  const leave = (): void => {
    signOut()
      .catch(() => undefined)
      .finally(() => client.clear());
  };
  useKeys(
    {
      help: () => setOverlay("help"),
      palette: () => setOverlay("palette"),
      search: go("/search"),
      goInbox: go("/inbox"),
      goAttention: go("/attention"),
      goApprovals: go("/approvals"),
      goContacts: go("/contacts"),
      goCases: go("/cases"),
      goCalendar: go("/calendar"),
      goKnowledge: go("/knowledge"),
      goQuality: go("/quality"),
      goSettings: go("/settings"),
      "other-side": switchSide,
      "sign-out": leave,
    },
    "shell",
  );
  if (session.status !== "signed-in") return null;
  const items = navItemsOf(session.member);
  const current = items
    .filter(({ to, also }) => pathname.startsWith(to) || (also !== undefined && pathname.startsWith(also)))
    .at(-1)?.to;
  if (isBilling && !pathname.startsWith("/settings")) return <Navigate to="/settings" replace />;
  return (
    <div className="flex h-full flex-col">
      <a
        href="#content"
        className="absolute start-2 top-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        {t("shell.skip")}
      </a>
      <header>
        <TestBand>
          {manages(session.member) && (
            <Link to="/settings/captured-messages" className="underline">
              {t("shell.seeCaptured")}
            </Link>
          )}
        </TestBand>
        <Connection />
      </header>
      <div className="flex min-h-0 flex-1 max-md:flex-col-reverse">
        <nav
          aria-label={t("shell.navigation")}
          className="flex shrink-0 gap-1 border-line bg-canvas p-2 max-md:justify-between max-md:border-t max-md:gap-0 max-md:px-1 max-md:py-1 md:w-14 md:flex-col md:border-e xl:w-52"
        >
          <Corner isAsked={!isBilling} />
          {items.map(({ to, name, icon }) => (
            <Fragment key={to}>
              <NavItem
                to={to}
                label={t(`shell.${name}`)}
                icon={icon}
                isCurrent={to === current}
                count={name === "attention" ? waiting : undefined}
              />
              {name === "inbox" && <Views view={view} className="mb-2 hidden flex-col gap-0.5 ps-7 xl:flex" />}
            </Fragment>
          ))}
          <div className="md:mt-auto">
            <Menu
              trigger={
                <button
                  type="button"
                  className="flex items-center gap-2 rounded-md p-1 hover:bg-hover md:w-full md:justify-center xl:justify-start"
                >
                  <Avatar id={session.member.id} name={session.member.name} />
                  <span className="sr-only">{t("shell.account")} </span>
                  <span className="sr-only truncate xl:not-sr-only">{session.member.name}</span>
                </button>
              }
            >
              <p className="max-w-64 truncate px-3 py-1.5 text-sm text-muted">{session.member.email}</p>
              <MenuLine />
              <PresenceItem memberId={workingId} />
              <MenuItem onClick={switchSide}>{t(isTest ? "shell.switchToLive" : "shell.switchToTest")}</MenuItem>
              <MenuItem onClick={go("/search")}>{t("shell.search")}</MenuItem>
              <MenuItem onClick={() => setOverlay("palette")}>{t("shell.commands")}</MenuItem>
              <MenuItem onClick={() => setOverlay("help")}>{t("shell.shortcuts")}</MenuItem>
              <MenuItem onClick={go("/settings/preferences")}>
                {t("shell.language", { language: LANGUAGES[i18n.language as Language] })}
              </MenuItem>
              <MenuLine />
              <MenuItem onClick={leave}>
                <LogOut size={16} aria-hidden="true" />
                {t("shell.signOut")}
              </MenuItem>
            </Menu>
          </div>
        </nav>
        <main id="content" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface outline-none">
          <Outlet />
        </main>
      </div>
      <Suspense>
        <Notify />
      </Suspense>
      <Suspense fallback={<Opening />}>
        {overlay === "help" && <Shortcuts onClose={close} />}
        <Composing />
        {overlay === "palette" && (
          <Palette
            onClose={(run) => {
              flushSync(close);
              // After the dialog has returned the focus, which the action may want elsewhere, and before the next letter.
              if (run) queueMicrotask(run);
            }}
          />
        )}
      </Suspense>
      {!isBilling && <HeldReplies />}
      <Toasts />
    </div>
  );
}

/** Whose desk this is: the workspace, or the brand of several. */
function Corner({ isAsked }: { isAsked: boolean }): ReactNode {
  const { data: workspaces = [] } = useQuery({ ...workspacesQuery(), enabled: isAsked });
  const [first] = workspaces;
  const brands = new Set(workspaces.map(({ brandName }) => brandName));
  const name = workspaces.length === 1 ? first?.name : brands.size === 1 ? first?.brandName : undefined;
  return (
    <p className="mb-1 flex h-9 items-center gap-2 px-2 font-semibold max-md:hidden md:max-xl:justify-center md:max-xl:px-0">
      {first?.logoUrl && name !== undefined ? (
        <img src={first.logoUrl} alt="" className="corner-logo" />
      ) : (
        <Mark size={22} />
      )}
      <span dir="auto" className="truncate max-xl:sr-only">
        {name ?? "Parley"}
      </span>
    </p>
  );
}

/** Stands in for a window while its script loads. What is typed meanwhile is the text of the window. */
function Opening(): ReactNode {
  useLayoutEffect(() => holdKeys(sayForgotten, undefined, true), []);
  // The effects of the window, which give it the focus, run before the letters are written.
  useEffect(() => () => releaseKeys(true), []);
  return null;
}

/** The window in which a conversation begins. */
function Composing(): ReactNode {
  const composing = useComposing();
  useKeys({ compose: mayWrite(useMember()) ? () => compose() : undefined }, "shell");
  return composing && <Compose key={composing.contactId} {...composing} onClose={endComposing} />;
}

/** How many attention items are open; undefined if there is none. */
function useWaiting(memberId: string | undefined): string | undefined {
  const { data } = useQuery({ ...attentionCountQuery(), enabled: memberId !== undefined });
  return data && data.count > 0 ? `${data.count}${data.more ? "+" : ""}` : undefined;
}

/** What a member says of themselves. */
function PresenceItem({ memberId }: { memberId: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const isAway = usePresence(memberId) !== undefined;
  return (
    memberId !== undefined && (
      <MenuItem onClick={() => choosePresence(memberId, isAway ? "online" : "away")}>
        {t(isAway ? "shell.setAvailable" : "shell.setAway")}
      </MenuItem>
    )
  );
}

const NavItem = memo(function NavItem({
  to,
  label,
  icon: Icon,
  isCurrent,
  count,
}: {
  to: string;
  label: string;
  icon: LucideIcon;
  isCurrent: boolean;
  /** How many of it wait. */
  count: string | undefined;
}): ReactNode {
  return (
    <PageLink
      to={to}
      aria-label={count === undefined ? label : `${label} ${count}`}
      title={label}
      aria-current={isCurrent ? "page" : undefined}
      className={`flex h-9 items-center gap-2.5 rounded-md px-2 font-medium max-md:size-10 max-md:justify-center max-md:px-0 md:justify-center xl:justify-start ${isCurrent ? "bg-selected text-accent-strong" : "text-muted hover:bg-hover hover:text-text"}`}
    >
      <span className="relative">
        <Icon size={18} aria-hidden="true" />
        {count !== undefined && (
          <span className="absolute -end-1 -top-1 size-2 rounded-full bg-accent ring-2 ring-canvas xl:hidden" />
        )}
      </span>
      <span className="hidden min-w-0 flex-1 truncate xl:inline">{label}</span>
      {count !== undefined && <span className="hidden text-xs tabular-nums xl:inline"> {count}</span>}
    </PageLink>
  );
});

const subscribeOnline = (changed: () => void): (() => void) => {
  addEventListener("online", changed);
  addEventListener("offline", changed);
  return () => {
    removeEventListener("online", changed);
    removeEventListener("offline", changed);
  };
};

/** Says that the page is not live. Quiet: nothing that is shown goes away. */
function Connection(): ReactNode {
  const { t } = useTranslation();
  const live = useLiveState();
  const online = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    if (online) return;
    const timer = setTimeout(() => setOffline(true), QUIET_MS);
    return () => {
      clearTimeout(timer);
      setOffline(false);
    };
  }, [online]);
  return (
    <div role="status">
      {(isOffline || live === "down") && (
        <p className="border-b border-line bg-note px-3 py-1 text-center text-sm text-note-text">
          {t(online ? "shell.reconnecting" : "shell.offline")}
        </p>
      )}
    </div>
  );
}

export function NotFound(): ReactNode {
  const { t } = useTranslation();
  return (
    <main className="flex min-h-full flex-col">
      <TestBand />
      <div className="flex flex-1 flex-col items-center justify-center gap-3 p-6">
        <h1 className="text-lg font-semibold">{t("shell.notFound")}</h1>
        <Link to="/inbox" className="text-accent hover:underline">
          {t("shell.toInbox")}
        </Link>
      </div>
    </main>
  );
}
