import type { ReactNode } from "react";

/** A part of the page with its heading. */
export const Part = ({ id, title, children }: { id: string; title: string; children: ReactNode }): ReactNode => (
  <section aria-labelledby={id} className="flex flex-col gap-3">
    <h2 id={id} className="font-semibold">
      {title}
    </h2>
    {children}
  </section>
);
