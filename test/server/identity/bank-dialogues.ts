import fs from "node:fs";
import { ROOT } from "../../../src/platform/config/root.js";

// Dialogues of a bank that verifies real people: what they typed, compared with what the bank had on file.

export type Key = "name" | "account" | "pin" | "birthday" | "maiden" | "pet";
export interface Dialogue {
  id: number;
  accepted: boolean | null;
  record: Partial<Record<Key, string>>;
  answers: [turn: number, asked: Key, words: string][];
}
export const { dialogues } = JSON.parse(
  fs.readFileSync(new URL("test/server/identity/bank-dialogues.json", ROOT), "utf8"),
) as {
  dialogues: Dialogue[];
};

const PROMPTS: Record<Key, string> = {
  name: "Could I get your full name, please?",
  account: "Can you tell me your account number, please?",
  pin: "Could I get your PIN, please?",
  birthday: "Could you provide your date of birth, please?",
  maiden: "What was your mother's maiden name?",
  pet: "And what was the name of the pet you had as a child?",
};
export const KEYS = Object.keys(PROMPTS) as Key[];
export const SOURCE = {
  name: "bank",
  type: "contact_attributes",
  questions: KEYS.map((key) => ({ key, prompt: PROMPTS[key], attribute: key })),
};

export type Verdict = "passed" | "failed" | "not on file" | "locked";
