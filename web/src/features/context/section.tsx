import { ChevronDown } from "lucide-react";
import { type ReactNode, useState } from "react";

/** A part of the pane beside a conversation. */
export const Section = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <section className="flex flex-col gap-1.5 text-sm">
    <h3 className="font-semibold text-muted">{title}</h3>
    {children}
  </section>
);

export const Line = ({ label, children }: { label: string; children: ReactNode }): ReactNode => (
  <p className="flex gap-2">
    <span className="min-w-0 flex-1 truncate text-muted">{label}</span>
    <span className="max-w-[60%] truncate">{children}</span>
  </p>
);

/**
 * A part that asks for its data only while it is open: not every conversation costs these requests. The browser remembers what a
 * member has opened.
 */
export function FoldedSection({
  title,
  name,
  summary,
  children,
}: {
  title: string;
  name: string;
  /** What is seen of it while it is closed. */
  summary?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const key = `parley.context.${name}`;
  const [isOpen, setOpen] = useState(() => localStorage.getItem(key) === "open");
  const turn = (): void => {
    localStorage.setItem(key, isOpen ? "closed" : "open");
    setOpen(!isOpen);
  };
  return (
    <section className="flex flex-col gap-1.5 text-sm">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={turn}
          className="-mx-2 flex w-[calc(100%+1rem)] items-center gap-2 rounded-md px-2 py-1 font-semibold text-muted hover:bg-hover"
        >
          <span className="min-w-0 flex-1 truncate text-start">{title}</span>
          {!isOpen && summary}
          <ChevronDown size={14} aria-hidden="true" className={isOpen ? "rotate-180" : ""} />
        </button>
      </h3>
      {isOpen && children}
    </section>
  );
}
