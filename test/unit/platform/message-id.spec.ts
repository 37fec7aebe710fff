import { expect, test } from "vitest";
import { ownMessageId } from "../../../src/channels/email/delivery-report.js";
import { messageIdOf } from "../../../src/platform/outbox/message-id.js";

const ID = "0190d3a0-0000-7000-8000-000000000001";

test.each([
  ["support@example.com", "parley.example.com"],
  ["Parley <desk@help.example.com>", "parley.help.example.com"],
  ['"a@b.example" <desk@example.com>', "parley.example.com"],
  ["hilfe@müller.example", "parley.xn--mller-kva.example"],
  ["Parley <no-reply@localhost>", "parley.localhost"],
  ["nobody", "parley"],
  ["a@exa mple.com\r\nBcc: b@example.org", "parley.example.org"],
  ["a@>", "parley"],
])("a mail from %j has a Message-ID at %s, which an answer names", (from, domain) => {
  expect(messageIdOf(ID, from)).toBe(`<${ID}@${domain}>`);
  expect(ownMessageId(messageIdOf(ID, from))).toBe(ID);
});

test.each([`<${ID}@example.com>`, `<${ID}@parleyx.example.com>`, `<${ID}@parley.>x`, `<a${ID}@parley.example.com>`])(
  "%s is not ours",
  (id) => expect(ownMessageId(id)).toBeUndefined(),
);
