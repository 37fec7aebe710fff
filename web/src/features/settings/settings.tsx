import { Link, Navigate, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import {
  createContext,
  type FormEvent,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { useKeys } from "../../keyboard/keys.js";
import { manages } from "../../session/roles.js";
import { environment, type Member, useMember } from "../../session/session.js";
import { Back } from "../../ui/detail-page.js";
import { useCurrentInSight } from "../../ui/focus.js";
import { Page, WayBack } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";
import { useIsWide } from "../../ui/wide.js";
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

/** The section that is open, or was open before the list of a phone. */
const Latest = createContext<string | undefined>(undefined);

/** The sections beside the one that is open. On a phone they are a list of their own, to which each leads back. */
export function Settings(): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { pathname } = useLocation();
  const wide = useIsWide();
  useNewest();
  const [, , current] = pathname.split("/");
  const [latest, setLatest] = useState(current);
  if (current && current !== latest) setLatest(current);
  const back = useMemo(() => (wide ? null : <Back to="/settings" label={t("settings.title")} />), [wide, t]);
  const closed = GROUPS.flatMap(([, sections]) => [...sections]).find(
    ([section, managed]) => managed && section === current,
  );
  return (
    <WayBack value={back}>
      <Latest value={latest}>
        <div className="flex min-h-0 flex-1">
          {wide && <Sections />}
          {closed && !manages(me) ? (
            <Page title={t(`settings.section.${closed[0]}`)}>
              <Empty text={t("settings.managersOnly")} />
            </Page>
          ) : (
            <Outlet />
          )}
        </div>
      </Latest>
    </WayBack>
  );
}

export const SettingsHome = (): ReactNode => (useIsWide() ? <Navigate to="/settings/profile" replace /> : <Sections />);

function Sections(): ReactNode {
  const latest = use(Latest);
  const wide = useIsWide();
  const { t } = useTranslation();
  const me = useMember();
  const navigate = useNavigate();
  const list = useCurrentInSight(useLocation().pathname);
  const heading = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // On a phone, the focus returns to the section that was open.
  const enter = useEffectEvent(() => {
    if (!wide) (list.current?.querySelector<HTMLElement>(`[href$="/${latest}"]`) ?? heading.current)?.focus();
  });
  useEffect(() => enter(), []);
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
    <div className="flex flex-col border-line max-md:min-h-0 max-md:flex-1 max-md:overflow-y-auto max-md:px-4 max-md:py-6 sm:max-md:px-8 md:w-52 md:shrink-0 md:border-e">
      {!wide && (
        <h1 ref={heading} tabIndex={-1} className="mb-4 text-xl font-semibold outline-none">
          {t("settings.title")}
        </h1>
      )}
      <form role="search" onSubmit={openFirst} className="md:p-2 md:pt-4 md:pb-0">
        <input
          ref={field}
          type="search"
          aria-label={t("settings.find")}
          placeholder={t("settings.find")}
          value={text}
          maxLength={50}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
          className="h-8 w-full rounded-md border border-edge bg-surface px-2 text-sm placeholder:text-muted max-md:h-11 max-md:px-3 max-md:text-base"
        />
      </form>
      <nav
        ref={list}
        aria-label={t("settings.title")}
        className="relative flex flex-col max-md:gap-6 max-md:pt-6 md:min-h-0 md:flex-1 md:gap-4 md:overflow-y-auto md:px-2 md:py-4"
      >
        {shown.map(({ group, sections }) => (
          <section key={group} aria-labelledby={`settings-${group}`}>
            <h2
              id={`settings-${group}`}
              className="px-2 pb-2 text-xs font-medium text-muted max-md:px-3 max-md:text-sm"
            >
              {t(`settings.group.${group}`)}
            </h2>
            <ul className="flex flex-col max-md:divide-y max-md:divide-line max-md:overflow-clip max-md:rounded-lg max-md:border max-md:border-line md:gap-1">
              {sections.map((section) => (
                <li key={section}>
                  <Link
                    to={`/settings/${section}`}
                    activeProps={{ className: "bg-selected text-accent-strong" }}
                    inactiveProps={{ className: "hover:bg-hover hover:text-text md:text-muted" }}
                    className="flex items-center justify-between gap-2 font-medium max-md:min-h-12 max-md:px-3 max-md:-outline-offset-2 md:h-8 md:rounded-md md:px-2 md:whitespace-nowrap"
                  >
                    {t(`settings.section.${section}`)}
                    <ChevronRight
                      size={16}
                      aria-hidden="true"
                      className="shrink-0 text-muted md:hidden rtl:-scale-x-100"
                    />
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <p role="status" className="px-2 text-sm text-muted empty:hidden">
          {shown.length === 0 && t("settings.notFound", { text })}
        </p>
      </nav>
    </div>
  );
}
