import { namedEnum } from "../../platform/enums/named-enum.js";

export const HAND_OVER_REASONS = namedEnum(
  "HandOverReason",
  "Why the assistant handed a conversation over to people.",
  {
    nothing_found: "no approved entry answers",
    unsure: "it was not sure enough of an entry",
    unfounded: "what it wrote rests on no entry",
    opposite: "the contact means something else than the closest entry",
    not_helped: "the contact says that the answer did not help",
    repeated: "the contact got this answer before and still asks",
    wants_person: "the contact asks for a person",
    angry: "the contact is angry",
    complaint: "the contact complains, or asks about what has happened",
    details: "the contact gave details that a person has to act on",
    passed_on: "its rules, a procedure or the language model passed the conversation on",
    used_up: "its tokens are used up",
    failed: "something went wrong",
  },
);
export type HandOverReason = (typeof HAND_OVER_REASONS)[number];
