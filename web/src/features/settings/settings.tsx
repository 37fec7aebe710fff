import { Link, Navigate, Outlet, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { manages } from "../../session/roles.js";
import { environment, type Member, useMember } from "../../session/session.js";
import { useCurrentInSight } from "../../ui/focus.js";
import { Page } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";

/** The sections, and whether only owners and admins see them. */
const SECTIONS = [
  ["profile", false],
  ["preferences", false],
  ["password", false],
  ["second-factor", false],
  ["sessions", false],
  ["members", false],
  ["labels", false],
  ["workspaces", true],
  ["canned-replies", false],
  ["channels", true],
  ["widgets", true],
  ["agents", true],
  ["captured-messages", true],
  ["api-access", true],
  ["webhooks", true],
  ["audit-log", true],
  ["security-log", true],
] as const;

/** It has a link of its own in the main navigation, with the same name. A second one beside it would leave the two to be told apart. */
const OWN_PLACE = "api-access";

/** The sections that a member has on this side. */
export const sectionsOf = (member: Member): (typeof SECTIONS)[number][0][] =>
  SECTIONS.filter(
    ([section, managed]) =>
      (manages(member) || !managed) &&
      section !== OWN_PLACE &&
      (section !== "captured-messages" || environment() === "test"),
  ).map(([section]) => section);

/** The sections at the left, or in one line above on a phone, and the one that is open. */
export function Settings(): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { pathname } = useLocation();
  const list = useCurrentInSight(pathname);
  const [, , current] = pathname.split("/");
  const closed = SECTIONS.find(([section, managed]) => managed && section === current);
  return (
    <div className="flex min-h-0 flex-1 max-md:flex-col">
      {current !== OWN_PLACE && (
        <nav
          ref={list}
          aria-label={t("settings.title")}
          className="flex shrink-0 gap-1 border-line p-2 max-md:overflow-x-auto max-md:border-b md:w-48 md:flex-col md:overflow-y-auto md:border-e md:py-6"
        >
          {sectionsOf(me).map((section) => (
            <Link
              key={section}
              to={`/settings/${section}`}
              activeProps={{ className: "bg-selected text-accent-strong" }}
              inactiveProps={{ className: "text-muted hover:bg-hover hover:text-text" }}
              className="flex h-8 shrink-0 items-center rounded-md px-2 font-medium"
            >
              {t(`settings.section.${section}`)}
            </Link>
          ))}
        </nav>
      )}
      {closed && !manages(me) ? (
        <Page title={t(`settings.section.${closed[0]}`)}>
          <Empty text={t("settings.managersOnly")} />
        </Page>
      ) : (
        <Outlet />
      )}
    </div>
  );
}

export const SettingsHome = (): ReactNode => <Navigate to="/settings/profile" replace />;
