import { Link, Navigate, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useKeys } from "../../keyboard/keys.js";
import { manages } from "../../session/roles.js";
import { environment, type Member, useMember } from "../../session/session.js";
import { useCurrentInSight } from "../../ui/focus.js";
import { Page } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";
import { useNewest } from "./newest.js";

/** The sections by what they are about, and whether only owners and admins see them. */
const GROUPS = [
  [
    "you",
    [
      ["profile", false],
      ["preferences", false],
      ["password", false],
      ["second-factor", false],
      ["sessions", false],
    ],
  ],
  [
    "team",
    [
      ["members", false],
      ["labels", false],
      ["canned-replies", false],
      ["workspaces", true],
    ],
  ],
  [
    "customers",
    [
      ["channels", true],
      ["widgets", true],
      ["agents", true],
      ["captured-messages", true],
    ],
  ],
  [
    "developers",
    [
      ["api-access", true],
      ["webhooks", true],
      ["audit-log", true],
      ["security-log", true],
    ],
  ],
] as const;
type Section = (typeof GROUPS)[number][1][number][0];

/** The sections that a member has on this side, by group. */
const groupsOf = (member: Member): { group: (typeof GROUPS)[number][0]; sections: Section[] }[] =>
  GROUPS.map(([group, sections]) => ({
    group,
    sections: sections
      .filter(
        ([section, managed]) =>
          (manages(member) || !managed) && (section !== "captured-messages" || environment() === "test"),
      )
      .map(([section]) => section),
  })).filter(({ sections }) => sections.length > 0);

export const sectionsOf = (member: Member): Section[] => groupsOf(member).flatMap(({ sections }) => sections);

/** The sections at the left, or in one line above on a phone, and the one that is open. */
export function Settings(): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { pathname } = useLocation();
  useNewest();
  const [, , current] = pathname.split("/");
  const closed = GROUPS.flatMap(([, sections]) => [...sections]).find(
    ([section, managed]) => managed && section === current,
  );
  return (
    <div className="flex min-h-0 flex-1 max-md:flex-col">
      <Sections />
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

function Sections(): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const navigate = useNavigate();
  const list = useCurrentInSight(useLocation().pathname);
  const field = useRef<HTMLInputElement>(null);
  useKeys({ search: () => field.current?.focus() });
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  // By the name, or by what the section has in it.
  const isWanted = (section: Section): boolean =>
    `${t(`settings.section.${section}`)} ${t(`settings.words.${section}`)}`.toLowerCase().includes(wanted);
  const shown = groupsOf(me)
    .map(({ group, sections }) => ({ group, sections: sections.filter(isWanted) }))
    .filter(({ sections }) => sections.length > 0);
  const openFirst = (event: FormEvent): void => {
    event.preventDefault();
    const [first] = shown;
    if (wanted !== "" && first) void navigate({ to: `/settings/${first.sections[0]!}` });
  };
  return (
    <div className="flex shrink-0 flex-col border-line max-md:border-b md:w-52 md:border-e">
      <form role="search" onSubmit={openFirst} className="p-2 pb-0 max-md:hidden md:pt-4">
        <input
          ref={field}
          type="search"
          aria-label={t("settings.find")}
          placeholder={t("settings.find")}
          value={text}
          maxLength={50}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
          className="h-8 w-full rounded-md border border-edge bg-surface px-2 text-sm placeholder:text-muted"
        />
      </form>
      <nav
        ref={list}
        aria-label={t("settings.title")}
        className="relative flex min-h-0 gap-1 p-2 max-md:fade-ends max-md:overflow-x-auto md:flex-1 md:flex-col md:gap-4 md:overflow-y-auto md:py-4"
      >
        {shown.map(({ group, sections }) => (
          <section key={group} aria-labelledby={`settings-${group}`} className="flex gap-1 md:flex-col">
            <h2 id={`settings-${group}`} className="px-2 pb-1 text-xs font-medium text-muted max-md:sr-only">
              {t(`settings.group.${group}`)}
            </h2>
            {sections.map((section) => (
              <Link
                key={section}
                to={`/settings/${section}`}
                activeProps={{ className: "bg-selected text-accent-strong" }}
                inactiveProps={{ className: "text-muted hover:bg-hover hover:text-text" }}
                className="flex h-8 shrink-0 items-center rounded-md px-2 font-medium whitespace-nowrap"
              >
                {t(`settings.section.${section}`)}
              </Link>
            ))}
          </section>
        ))}
        <p role="status" className="px-2 text-sm text-muted empty:hidden">
          {shown.length === 0 && t("settings.notFound", { text })}
        </p>
      </nav>
    </div>
  );
}

export const SettingsHome = (): ReactNode => <Navigate to="/settings/profile" replace />;
