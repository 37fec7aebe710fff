import type { ReactNode } from "react";

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
export const Page = ({ title, explain, action, wide, children }: Props): ReactNode => (
  <div className="min-h-0 flex-1 overflow-y-auto">
    <div data-column className={`mx-auto w-full px-4 py-6 sm:px-8 ${wide ? "max-w-6xl" : "max-w-4xl"}`}>
      <header className="mb-6 flex flex-wrap items-start gap-4">
        <div className="min-w-48 flex-1">
          <h1 className="text-xl font-semibold">{title}</h1>
          {explain !== undefined && <p className="mt-1 max-w-xl text-pretty text-muted">{explain}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  </div>
);
