import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { createContext, type ReactNode, use, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Failed, Skeleton } from "./states.js";

interface Props {
  /** Of the thing that is shown. */
  id: string;
  /** The list that it belongs to. */
  back: { to: string; label: string };
  title: ReactNode;
  /** Beside the title. */
  picture?: ReactNode;
  action?: ReactNode;
  /** For forms: fields are no wider than what is typed into them. */
  narrow?: boolean;
  /** For something that is worked on with another thing beside it. */
  wide?: boolean;
  children: ReactNode;
}

/** The way to the list that a page belongs to, first in the page's column. On a phone it stays at the upper edge. */
export const Back = ({ to, label }: Props["back"]): ReactNode => (
  <div className="border-line max-md:sticky max-md:top-0 max-md:z-10 max-md:-mx-4 max-md:-mt-6 max-md:mb-4 max-md:border-b max-md:bg-surface max-md:px-2 sm:max-md:-mx-8 sm:max-md:px-6 md:mb-2">
    <Link
      to={to}
      className="inline-flex items-center gap-1 rounded-md font-medium text-muted hover:text-text max-md:h-11 max-md:px-2 md:-ms-1 md:px-1 md:text-sm"
    >
      <ArrowLeft size={14} aria-hidden="true" className="max-md:size-4 rtl:-scale-x-100" />
      {label}
    </Link>
  </div>
);

const PageTitle = createContext<ReactNode>(undefined);

/** A page about one thing of a list: the way back, what it is called, and its content. */
export function DetailPage({ id, back, title, picture, action, narrow, wide, children }: Props): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  // Screen readers continue here, and not where the link was.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [id]);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto max-md:scroll-pt-14">
      <div data-column className={`mx-auto w-full px-4 py-6 sm:px-8 ${wide ? "max-w-6xl" : "max-w-4xl"}`}>
        <Back {...back} />
        <div className={narrow ? "max-w-2xl" : ""}>
          <header className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
            {picture}
            <h1
              ref={heading}
              tabIndex={-1}
              dir="auto"
              className="outline-none min-w-0 flex-1 basis-48 text-xl font-semibold wrap-anywhere"
            >
              {title}
            </h1>
            {action}
          </header>
          <PageTitle value={title}>{children}</PageTitle>
        </div>
      </div>
    </div>
  );
}

/** The same until the thing is there: that it loads, or why it does not come. */
export function DetailPending({
  query: { error, refetch },
  one,
  ...page
}: Pick<Props, "id" | "back" | "narrow" | "wide"> & {
  query: { error: unknown; refetch: () => unknown };
  /** What such a thing is called. */
  one: string;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <DetailPage {...page} title={error ? one : <span className="sr-only">{t("common.loading")}</span>}>
      {error ? <Failed error={error} onRetry={() => void refetch()} /> : <Skeleton lines={5} />}
    </DetailPage>
  );
}

/** A part of such a page. The first one, if it is called as the page is, is not called so again below the page's heading. */
export function Part({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const isTitled = use(PageTitle) === title;
  return (
    <section className="group/part flex flex-col gap-3">
      <div className={`flex min-h-7 items-center gap-2 ${isTitled && !action ? "group-first/part:hidden" : ""}`}>
        <h2 className={`min-w-0 flex-1 text-lg font-semibold ${isTitled ? "group-first/part:sr-only" : ""}`}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}
