import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement, ReactNode } from "react";

export interface BaseMenuProps {
  trigger: ReactElement;
  children: ReactNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  align: "start" | "end";
}

/** The library's part of `menu.tsx`, which loads it when the first menu is wanted. */
export const BaseMenu = ({ trigger, children, open, onOpenChange, align }: BaseMenuProps): ReactNode => (
  <Base.Root open={open} onOpenChange={onOpenChange}>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner sideOffset={4} align={align} className="z-50">
        <Base.Popup className="max-h-[60vh] min-w-44 overflow-y-auto rounded-lg border border-line bg-raised py-1 shadow-popup">
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);

export const BaseItem = ({ onClick, children }: { onClick: () => void; children: ReactNode }): ReactNode => (
  <Base.Item
    onClick={onClick}
    className="flex items-center gap-2 px-3 py-1.5 outline-none data-highlighted:bg-selected"
  >
    {children}
  </Base.Item>
);

export const BaseLine = (): ReactNode => <Base.Separator className="my-1 border-t border-line" />;
