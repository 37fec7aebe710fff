import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { parley } from "../api/parley.js";
import { contactQuery, displayNameOf } from "../api/contacts.js";
import { countsQuery } from "../api/queries.js";
import { followBrowser, setLanguage } from "../i18n/i18n.js";
import { isLanguage } from "../i18n/languages.js";
import { turnShortcuts } from "../keyboard/keys.js";
import { isLeading, isLive, onEvent } from "../live/live.js";
import { preferencesChannel, preferencesQuery } from "../preferences/preferences.js";
import { showTheme } from "../preferences/theme.js";
import { environment, switchEnvironment, useMember } from "../session/session.js";
import { headlineOf } from "../ui/headline.js";
import { plain } from "../ui/plain.js";
import { isPushed, isWanted, keepSubscribed } from "./device.js";
import { isQuiet } from "./quiet.js";
import { isOutdated, offerReload } from "./renewal.js";
import { ring } from "./sound.js";
import { type Notice, noticesFor } from "./notices.js";

/** Of one conversation the member is notified once in this time, however much is written in it. */
const AGAIN_MS = 10_000;

const SECTIONS = new Set([
  "inbox",
  "attention",
  "contacts",
  "cases",
  "calendar",
  "knowledge",
  "quality",
  "settings",
  "search",
]);
/** The sections of pages with names of their own. */
const BELONGS: Record<string, string> = { accounts: "contacts", approvals: "attention", reports: "quality" };

/** The name of a lock that tabs hold as long as they show a conversation to the member. */
const shownLock = (conversationId: string): string => `parley-shown-${environment()}-${conversationId}`;

/** Whether a tab of this browser shows a conversation now. */
async function isShown(conversationId: string): Promise<boolean> {
  if (document.visibilityState === "visible" && location.pathname.includes(conversationId)) return true;
  if (!("locks" in navigator)) return false;
  return navigator.locks.request(shownLock(conversationId), { ifAvailable: true }, (lock) => lock === null);
}

/** Makes the page as the member prefers it, and tells them what happens while they look elsewhere. Shows nothing itself. */
export default function Notify(): ReactNode {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const me = useMember();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const isBilling = me.role === "billing";
  const { data: preferences } = useQuery(preferencesQuery());
  const { data: counts } = useQuery({ ...countsQuery(), enabled: !isBilling });

  useEffect(() => {
    const forget = (): void => void client.invalidateQueries({ queryKey: ["preferences"] });
    preferencesChannel.addEventListener("message", forget);
    return () => preferencesChannel.removeEventListener("message", forget);
  }, [client]);
  const { shortcuts, language, theme } = preferences ?? {};
  useEffect(() => {
    if (theme !== undefined) showTheme(theme);
  }, [theme]);
  useEffect(() => {
    if (shortcuts !== undefined) turnShortcuts(shortcuts);
  }, [shortcuts]);
  useEffect(() => {
    if (language === undefined) return;
    const change = isLanguage(language) ? setLanguage(language) : followBrowser();
    // Without its texts the page stays in the language that it has.
    change.catch(() => undefined);
  }, [language]);

  const mine = counts?.mine?.count ?? 0;
  const [, place = ""] = pathname.split("/", 2);
  const section = SECTIONS.has(place) ? place : BELONGS[place];
  useEffect(() => {
    const name = section ? t(`shell.${section as "inbox"}`) : "Parley";
    document.title = mine > 0 ? `(${mine}) ${name}` : name;
    // On the icon, where the dashboard is installed.
    if ("setAppBadge" in navigator) navigator.setAppBadge(mine).catch(() => undefined);
  }, [mine, section, t, i18n.language]);

  useEffect(
    () => () => {
      document.title = "Parley";
      if ("setAppBadge" in navigator) navigator.setAppBadge(0).catch(() => undefined);
    },
    [],
  );

  // While this page shows a conversation, no tab rings for it.
  const shown = /^\/inbox\/[^/]+\/([^/]+)/.exec(pathname)?.[1];
  useEffect(() => {
    if (shown === undefined || !("locks" in navigator)) return undefined;
    let release: (() => void) | undefined;
    const changed = (): void => {
      release?.();
      release = undefined;
      if (document.visibilityState !== "visible") return;
      const held = new Promise<void>((resolve) => (release = resolve));
      navigator.locks.request(shownLock(shown), { mode: "shared" }, () => held).catch(() => undefined);
    };
    changed();
    document.addEventListener("visibilitychange", changed);
    return () => {
      document.removeEventListener("visibilitychange", changed);
      release?.();
    };
  }, [shown]);

  const open = useEffectEvent((event: MessageEvent<{ type?: string; path?: string } | null>) => {
    const { type, path } = event.data ?? {};
    if (type !== "open" || path === undefined) return;
    // What is pushed is of the live side.
    if (environment() === "live") void navigate({ to: path });
    else switchEnvironment("live", path);
  });
  useEffect(() => {
    if (!("serviceWorker" in navigator)) return undefined;
    navigator.serviceWorker.addEventListener("message", open);
    return () => navigator.serviceWorker.removeEventListener("message", open);
  }, []);
  const keep = useEffectEvent(() => void keepSubscribed(me.id, i18n.language).catch(() => undefined));
  useEffect(() => keep(), [me.id]);

  // A script that this page has not loaded yet is gone with the connection, and with the next version of the dashboard.
  const missed = useEffectEvent(() => offerReload(t("notices.missing"), t("notices.reload"), { failed: true }));
  const renew = useEffectEvent(async (): Promise<boolean> => {
    const found = await isOutdated();
    if (found) offerReload(t("notices.newer"), t("notices.reload"));
    return found;
  });
  useEffect(() => {
    // The page that was loaded a moment ago is the server's. What begins later follows an interruption.
    let [isFresh, isNew, isOld, hasMissed] = [!isLive(), false, false, false];
    const miss = (): void => {
      // Without a connection there is nothing to load.
      if (navigator.onLine) missed();
      else hasMissed = true;
    };
    addEventListener("vite:preloadError", miss);
    // An upgrade ends all streams.
    const stop = onEvent(({ type }) => {
      if (type === "ready" && hasMissed) missed();
      // Said once, because a connection may break often.
      else if (type === "ready" && !isNew && !isOld)
        renew().then(
          (found) => (isOld = found),
          () => undefined,
        );
      isNew = isFresh && type === "begin";
      if (isNew) isFresh = false;
    });
    return () => {
      removeEventListener("vite:preloadError", miss);
      stop();
    };
  }, []);

  const tell = useEffectEvent(async ({ reason, conversationId }: Notice): Promise<void> => {
    if (!preferences?.notifications[reason] || isQuiet(preferences.quietHours)) return;
    if (conversationId !== undefined && (await isShown(conversationId))) return;
    if (preferences.sound) ring().catch(() => undefined);
    if (!isWanted()) return;
    // The server pushes what happens on the live side. The service worker shows it once, whatever tabs are open.
    if (environment() === "live" && (await isPushed())) return;
    let [name, text]: [string | undefined, string | undefined] = [undefined, undefined];
    if (conversationId !== undefined) {
      const conversation = await parley.conversations.get(conversationId);
      name = displayNameOf(await client.fetchQuery(contactQuery(conversation.contactId)));
      text = reason === "urgent" ? headlineOf(conversation) : plain(conversation.lastMessagePreview ?? "");
    }
    const notification = new Notification(t(`notices.${reason}`, { name: name ?? "Parley" }), {
      body: reason === "mentions" ? undefined : text,
      // A newer one of the same conversation replaces it.
      tag: `${environment()}-${conversationId ?? reason}`,
    });
    notification.onclick = () => {
      window.focus();
      notification.close();
      void navigate(
        conversationId === undefined
          ? { to: "/attention" }
          : { to: "/inbox/$view/$conversationId", params: { view: "all", conversationId } },
      );
    };
  });
  useEffect(() => {
    if (isBilling) return undefined;
    const notified = new Map<string, number>();
    const find = noticesFor(me.id);
    return onEvent((event) => {
      for (const notice of find(event)) {
        const key = `${notice.reason}:${notice.conversationId}`;
        // The other tabs hear of it, too. They follow what is known, so that each can be the next to ring.
        if (!isLeading() || Date.now() - (notified.get(key) ?? 0) < AGAIN_MS) continue;
        notified.set(key, Date.now());
        tell(notice).catch(() => undefined);
      }
    });
  }, [me.id, isBilling]);
  return null;
}
