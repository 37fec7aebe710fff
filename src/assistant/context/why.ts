/** Why a conversation is handed over. */
export type Why =
  | "unsure"
  | "nothingFound"
  | "wantsPerson"
  | "passedOn"
  | "unfounded"
  | "usedUp"
  | "failed"
  /** The answer was said before. */
  | "repeated"
  /** The contact told a number or an address, for somebody to do something with it. */
  | "details"
  | "complaint"
  /** What the contact means is the opposite of the closest entry. */
  | "opposite"
  | "notHelped"
  | "angry";
