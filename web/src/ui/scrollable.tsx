import type { ComponentProps, ReactNode } from "react";

/** Something that may scroll, so the keyboard has to reach it, though it does nothing when it is pressed. */
export const Scrollable = ({
  as: Tag = "div",
  ...rest
}: { as?: "div" | "section" } & ComponentProps<"div">): ReactNode => <Tag tabIndex={0} {...rest} />;
