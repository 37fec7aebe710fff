/** The kinds of reviewed entries, with the fields that a request for each needs. */
export const REVIEWED = [
  {
    kind: "kb-entries",
    table: "kb_entry",
    type: "kb",
    title: "question",
    text: "answer",
    needed: { question: "Q", answer: "A" },
  },
  {
    kind: "policy-entries",
    table: "policy_entry",
    type: "policy",
    title: "title",
    text: "rule",
    needed: { title: "T", rule: "R", effect: "deny" },
  },
] as const;
