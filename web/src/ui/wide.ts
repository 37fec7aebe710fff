import { useSyncExternalStore } from "react";

/** As wide as `md` in the classes: there is room for two things beside each other. */
const wide = (): MediaQueryList => matchMedia("(min-width: 768px)");
export const isWide = (): boolean => wide().matches;

const subscribe = (changed: () => void): (() => void) => {
  const query = wide();
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
};
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, isWide);
