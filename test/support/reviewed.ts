/** The kinds of entries that are reviewed, with what a request for each has to say. */
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
