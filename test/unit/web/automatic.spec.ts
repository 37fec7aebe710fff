import { expect, test } from "vitest";
import type { Message } from "../../../web/src/api/parley.js";
import { automaticSender, withoutSender } from "../../../web/src/features/thread/automatic-sender.js";

const note = (more: Partial<Message>): Message =>
  ({
    direction: "internal",
    authorType: "system",
    body: "Automatic reply from ada@example.org:\n\nI am away.",
    ...more,
  }) as Message;

test("the note of an automatic mail names its sender, and says what the mail says", () => {
  expect(automaticSender(note({}))).toBe("ada@example.org");
  expect(withoutSender(note({})).body).toBe("I am away.");
});

test("what a member or the contact writes is no automatic mail, whatever it says", () => {
  for (const more of [{ authorType: "member" }, { authorType: "contact", direction: "inbound" }] as const)
    expect(automaticSender(note(more))).toBeUndefined();
  expect(automaticSender(note({ body: "The mail was not delivered" }))).toBeUndefined();
});
