import {
  cloneElement,
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { ariaKeys } from "../keyboard/keys.js";
import { Keys } from "./keys.js";

interface Props {
  /** A button. */
  trigger: ReactElement<ComponentProps<"button">>;
  children: ReactNode;
  /** For menus that a shortcut opens, too. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Which list of actions this is, where one of them leads to another list in the same place. */
  page?: string;
}

const GAP_PX = 4;

/**
 * A list of actions under a button. The browser's own popover closes it on Escape and on a click beside it, and returns the
 * focus. Arrows, Home, End and first letters move within it, and an arrow on the button opens it.
 */
export function Menu({ trigger, children, open, onOpenChange, page }: Props): ReactNode {
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    if (!open || !popup.current || popup.current.matches(":popover-open")) return;
    popup.current.showPopover();
    // The browser tells of it in a moment. The next key may be pressed before that.
    arrive(popup.current);
  }, [open]);
  useEffect(() => {
    if (popup.current?.matches(":popover-open")) arrive(popup.current);
  }, [page]);

  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const { key } = event;
    const letter = key.length === 1 ? key.toLocaleLowerCase() : undefined;
    const next =
      key === "ArrowDown"
        ? (at + 1) % items.length
        : key === "ArrowUp"
          ? (Math.max(at, 0) - 1 + items.length) % items.length
          : key === "Home"
            ? 0
            : key === "End"
              ? items.length - 1
              : letter !== undefined && letter !== " "
                ? items.findIndex((item) => item.textContent.trim().toLocaleLowerCase().startsWith(letter))
                : -1;
    if (key === "Tab") event.currentTarget.hidePopover();
    if (next === -1) return;
    event.preventDefault();
    items[next]?.focus();
  };
  return (
    <>
      {cloneElement(trigger, {
        popoverTarget: id,
        "aria-haspopup": "menu",
        "aria-expanded": isOpen,
        onKeyDown: (event) => {
          if ((event.key !== "ArrowDown" && event.key !== "ArrowUp") || isOpen) return;
          event.preventDefault();
          document.getElementById(id)?.showPopover();
        },
      })}
      <div
        ref={popup}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        className="fixed inset-auto m-0 max-h-[60vh] min-w-44 overflow-y-auto rounded-lg border border-line bg-raised py-1 text-text shadow-popup"
        onToggle={({ currentTarget, newState }) => {
          const opens = newState === "open";
          setOpen(opens);
          onOpenChange?.(opens);
          if (!opens) return;
          if (!currentTarget.contains(document.activeElement)) arrive(currentTarget);
        }}
        onKeyDown={move}
        onClick={({ target, currentTarget }) => {
          if ((target as Element).closest('[role="menuitem"]')) currentTarget.hidePopover();
        }}
      >
        {children}
      </div>
    </>
  );
}

/** Puts a menu that has opened beside its button, and the focus on its first item. */
function arrive(popup: HTMLElement): void {
  positionBeside(popup, document.querySelector(`[popovertarget="${popup.id}"]`)!);
  popup.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
}

/** Under the button, or above it if there is more room; within the window. */
function positionBeside(popup: HTMLElement, button: Element): void {
  const around = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popup;
  const fits = around.bottom + GAP_PX + height <= innerHeight || around.top < height;
  const end = document.documentElement.dir === "rtl" ? around.left : around.right;
  const left = end + width <= innerWidth ? around.left : around.right - width;
  popup.style.top = `${fits ? around.bottom + GAP_PX : around.top - GAP_PX - height}px`;
  popup.style.left = `${Math.max(GAP_PX, Math.min(left, innerWidth - width - GAP_PX))}px`;
}

interface ItemProps {
  onClick: () => void;
  children: ReactNode;
  /** The keys that do the same. */
  keys?: readonly string[];
  /** Whether it leads to another list in the same menu. */
  leadsOn?: boolean;
}

export const MenuItem = ({ onClick, children, keys, leadsOn = false }: ItemProps): ReactNode => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    aria-haspopup={leadsOn ? "menu" : undefined}
    aria-keyshortcuts={keys && ariaKeys(keys)}
    onClick={(event: MouseEvent) => {
      // The menu would close.
      if (leadsOn) event.stopPropagation();
      onClick();
    }}
    className="flex w-full items-center gap-2 px-3 py-1.5 text-start outline-none hover:bg-hover focus:bg-selected"
  >
    {children}
    {keys && (
      <span aria-hidden="true" className="ms-auto ps-6 pointer-coarse:hidden">
        <Keys keys={keys} />
      </span>
    )}
  </button>
);

export const MenuLine = (): ReactNode => <div role="separator" className="my-1 border-t border-line" />;
