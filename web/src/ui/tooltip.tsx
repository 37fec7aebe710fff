import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

/** Shows a short text beside what the pointer or the keyboard is on. It repeats a label, so screen readers do not read it. */
export const Tooltip = ({ text, children }: { text: string; children: ReactElement }): ReactNode => (
  <Base.Root>
    <Base.Trigger render={children} />
    <Base.Portal>
      <Base.Positioner sideOffset={6} className="z-50">
        <Base.Popup className="rounded-md bg-text px-2 py-1 text-xs text-surface shadow-popup">{text}</Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
