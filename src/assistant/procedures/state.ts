/** What a contact was asked for and said. */
export interface Filled {
  value: unknown;
  /** As the contact reads it. */
  label: string;
  /** Of each, where there may be several. */
  labels?: string[];
  /** What was chosen from a tool's answer. */
  item?: unknown;
}

/** A value that the contact may have meant for a step. */
export interface Meant {
  step: string;
  filled: Filled;
}

/** What the contact is to be told, in this order. */
interface Unsaid {
  texts: string[];
  /** Those among them that are answers of entries, and so Markdown. */
  answers: string[];
  entryIds: string[];
}

/** A procedure on its way. It is stored as JSON. */
export interface State {
  /** The step where it stands. */
  at: string;
  /** The steps that it took. */
  path: string[];
  /** What the contact said, by step; a list where the step is taken for each of several. */
  slots: Record<string, Filled | Filled[]>;
  /** What the tools answered, likewise. */
  results: Record<string, unknown>;
  /** Whether the contact has been asked, at this step, and has not answered. */
  open: boolean;
  /** So often they wrote something else since. */
  unclear: number;
  /** What the language model took for their answer. They are asked whether it is so. */
  meant?: Meant | null;
  /** A language model began it, and the contact has answered none of its questions. */
  unasked?: boolean;
  /** They said no, and are asked what should be different. */
  doubts: boolean;
  /** What they said yes to, until something was changed by it. */
  confirmed: string | null;
  /** Whether something was changed. */
  changed: boolean;
  /** The run that is about to call, or has called, the tool of this step. */
  calling: string | null;
  /** Said at steps before a call or a wait. It is told with what comes next, also if the process dies meanwhile. */
  unsaid?: Unsaid;
  /** The contact's first message: it may answer later questions, too. */
  heard: string;
  /** The first message that it read, by its sequence number: all its values were said since. */
  from: number;
  /** The last one. */
  read: number;
}

export const begun = (first: string, from = 0): State => ({
  at: first,
  path: [],
  slots: {},
  results: {},
  open: false,
  unclear: 0,
  doubts: false,
  confirmed: null,
  changed: false,
  calling: null,
  heard: "",
  from,
  read: 0,
});
