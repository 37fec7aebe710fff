import type { ReactNode } from "react";

/**
 * A choice of a list under a field, such as that of the command palette. The focus stays in the field, whose keys move and choose.
 * Assistive software may move it here nevertheless.
 */
export const Option = ({
  id,
  isActive,
  onPoint,
  onPick,
  className,
  children,
}: {
  id: string;
  isActive: boolean;
  /** The pointer is on it. */
  onPoint: () => void;
  onPick: () => void;
  className: string;
  children: ReactNode;
}): ReactNode => (
  <div
    id={id}
    role="option"
    aria-selected={isActive}
    tabIndex={-1}
    onMouseDown={(event) => event.preventDefault()}
    onPointerMove={onPoint}
    onClick={onPick}
    onKeyDown={({ key }) => {
      if (key === "Enter") onPick();
    }}
    className={`flex items-center px-3 py-1.5 ${isActive ? "bg-selected" : ""} ${className}`}
  >
    {children}
  </div>
);
