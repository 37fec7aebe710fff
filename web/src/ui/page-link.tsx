import { useNavigate } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from "react";

/** Whether a click follows a link here. With other keys and buttons, the browser opens another tab or window. */
export const isPlainClick = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;

/**
 * A link to a page whose address is known. The router's own links compute theirs anew on each navigation: thirty of them take
 * longer than to show the next conversation.
 */
export function PageLink({
  to,
  onFollow,
  children,
  ...rest
}: { to: string; onFollow?: () => void } & Omit<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  "href" | "onClick"
>): ReactNode {
  const navigate = useNavigate();
  const follow = (event: MouseEvent): void => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onFollow?.();
    void navigate({ to });
  };
  return (
    <a href={to} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
