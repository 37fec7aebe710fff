const KEY = "parley.density";

/** Whether the rows of the inbox have two lines and not three. This browser keeps it: it depends on the screen. */
export const isCompact = (): boolean => localStorage.getItem(KEY) === "compact";
export const makeCompact = (compact: boolean): void =>
  compact ? localStorage.setItem(KEY, "compact") : localStorage.removeItem(KEY);
