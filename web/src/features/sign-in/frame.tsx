import type { ReactNode } from "react";
import { Mark } from "../../ui/mark.js";
import { TestBand } from "../../ui/test-band.js";

/** The frame of the pages before one is signed in: one column in the middle. */
export const Frame = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <main className="flex min-h-full flex-col bg-canvas">
    <TestBand />
    <div className="flex flex-1 items-center justify-center p-4">
      <div className="w-full max-w-sm rounded-lg border border-line bg-surface p-6 sm:p-8">
        <p aria-hidden="true" className="mb-6 flex items-center gap-2 font-semibold">
          <Mark size={24} />
          Parley
        </p>
        <h1 className="mb-5 text-xl font-semibold">{title}</h1>
        {children}
      </div>
    </div>
  </main>
);
