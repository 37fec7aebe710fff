/** What a list shows, in its address, so that going back finds it again. */
export interface Shown {
  q?: string | undefined;
  status?: string | undefined;
  type?: string | undefined;
  assignee?: string | undefined;
  workspace?: string | undefined;
  /** A day, such as `2026-05-04`. */
  from?: string | undefined;
  to?: string | undefined;
  interval?: string | undefined;
  group?: string | undefined;
  sort?: string | undefined;
  label?: string | undefined;
  blocked?: string | undefined;
  industry?: string | undefined;
  plan?: string | undefined;
  /** How a sign-in to a mailbox ended, whose provider has sent the browser back. */
  signIn?: string | undefined;
}

const NAMES = [
  "q",
  "status",
  "type",
  "assignee",
  "workspace",
  "from",
  "to",
  "interval",
  "group",
  "sort",
  "label",
  "blocked",
  "industry",
  "plan",
  "signIn",
] as const;

export const shown = (search: Record<string, unknown>): Shown =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search[name];
      // A number in an address is read as one.
      return typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [];
    }),
  );
