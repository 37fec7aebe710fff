import { createContext, type ReactNode, use } from "react";
import { useFirstFocus } from "./focus.js";

/** The way back that each page in here has. */
export const WayBack = createContext<ReactNode>(null);

interface Props {
  title: string;
  explain?: string;
  /** The one thing that members most often do here. */
  action?: ReactNode;
  /** For a list with many columns. */
  wide?: boolean;
  children: ReactNode;
}

/** A page that is read from top to bottom: its title, what it is for, and its content in one column. */
export function Page({ title, explain, action, wide, children }: Props): ReactNode {
  const back = use(WayBack);
  // The link that led here is gone.
  const heading = useFirstFocus<HTMLHeadingElement>(back !== null);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto max-md:scroll-pt-14">
      <div data-column className={`mx-auto w-full px-4 py-6 sm:px-8 ${wide ? "max-w-6xl" : "max-w-4xl"}`}>
        {back}
        <header className="mb-6 flex flex-wrap items-start gap-4">
          <div className="min-w-48 flex-1">
            <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
              {title}
            </h1>
            {explain !== undefined && <p className="mt-1 max-w-xl text-pretty text-muted">{explain}</p>}
          </div>
          {action}
        </header>
        {children}
      </div>
    </div>
  );
}
