import { cloneElement, type ComponentProps, lazy, type ReactElement, type ReactNode, Suspense, useState } from "react";

// A quarter of the page's code would be the library's menus, so they are loaded beside it.
const load = () => import("./base-menu.js");
const BaseMenu = lazy(() => load().then((loaded) => ({ default: loaded.BaseMenu })));
export const MenuItem = lazy(() => load().then(({ BaseItem }) => ({ default: BaseItem })));
export const MenuLine = lazy(() => load().then(({ BaseLine }) => ({ default: BaseLine })));

interface Props {
  trigger: ReactElement<ComponentProps<"button">>;
  children: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: "start" | "end";
}

/** A list of actions under a button. */
export function Menu({ trigger, children, open, onOpenChange, align = "start" }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const shown = open ?? isOpen;
  const change = onOpenChange ?? setOpen;
  const button = (
    <Button
      trigger={trigger}
      onOpen={() => {
        setOpened(true);
        change(true);
      }}
    />
  );
  if (!wasOpened && !shown) return button;
  return (
    <Suspense fallback={button}>
      <BaseMenu trigger={trigger} open={shown} onOpenChange={change} align={align}>
        {children}
      </BaseMenu>
    </Suspense>
  );
}

/** The trigger, before its menu was opened. */
const Button = ({ trigger, onOpen }: { trigger: Props["trigger"]; onOpen: () => void }): ReactNode =>
  cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onClick: onOpen,
  });
