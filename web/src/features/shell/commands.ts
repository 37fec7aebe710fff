/** The groups of the command palette, in their order. */
export const GROUPS = [
  "conversation",
  "list",
  "page",
  "settings",
  "general",
  "contacts",
  "conversations",
  "accounts",
  "cases",
  "entries",
  "search",
] as const;

/** What the palette offers. */
export interface Command {
  id: string;
  group: (typeof GROUPS)[number];
  label: string;
  /** What tells it from others of that name. */
  rest?: string;
  keys?: readonly string[];
  run: () => void;
}
