import { describe, expect, test } from "vitest";
import { addressing, refusedOf } from "../../../src/channels/email/mail-addressing.js";
import { addressOf, MailHeaders } from "../../../src/channels/email/mail-headers.js";
import { peopleOf } from "../../../src/channels/email/mail-people.js";
import { ReplyAddresses } from "../../../src/channels/email/reply-addresses.js";
import { without, withoutTag } from "../../../src/conversations/participants/addresses.js";
import { assertNotOurs, formsOf } from "../../../src/conversations/participants/recipients.js";
import { Sealer, type Sealers } from "../../../src/platform/database/seal.js";

const withKeys = (...keys: string[]): ReplyAddresses =>
  new ReplyAddresses({ for: (purpose: string) => new Sealer(keys, purpose) } as Sealers);
const [OLD, NEW] = ["o".repeat(32), "n".repeat(32)];
const BOX = "support@example.com";
const ANSWERED = { tenantId: "t", conversationId: "c", messageId: "m" };

describe("a signed address", () => {
  const addresses = withKeys(OLD);
  const signed = addresses.of(BOX, ANSWERED)!;

  test("proves an answer to the message that it was made for, and to no other", () => {
    expect(signed).toMatch(/^support\+[a-z2-7]{26}@example\.com$/);
    expect(addresses.prove([BOX, signed], BOX, ANSWERED)).toBe(true);
    for (const other of [{ tenantId: "u" }, { conversationId: "d" }, { messageId: "n" }])
      expect(addresses.prove([signed], BOX, { ...ANSWERED, ...other })).toBe(false);
    expect(addresses.prove([signed], "sales@example.com", ANSWERED)).toBe(false);
    expect(withKeys(NEW).prove([signed], BOX, ANSWERED)).toBe(false);
    for (const wrong of [BOX, "support+@example.com", "support+abc@example.com", signed.replace("+", "+a")])
      expect(addresses.prove([wrong], BOX, ANSWERED)).toBe(false);
  });

  test("proves it for a mailbox whose domain is written encoded", () => {
    const box = "support@xn--mller-kva.example";
    const given = addressOf(addresses.of(box, ANSWERED));
    expect(given).toMatch(/^support\+[a-z2-7]{26}@müller\.example$/);
    expect(addresses.prove([given!], box, ANSWERED)).toBe(true);
    expect(addresses.prove([given!], "sales@xn--mller-kva.example", ANSWERED)).toBe(false);
  });

  test("still proves it after the key was changed, as long as the old key is known", () => {
    const both = withKeys(NEW, OLD);
    expect(both.prove([signed], BOX, ANSWERED)).toBe(true);
    expect(both.of(BOX, ANSWERED)).not.toBe(signed);
  });

  test("is not made where it would be longer than an address may be", () => {
    expect(addresses.of(`${"a".repeat(37)}@example.com`, ANSWERED)).toHaveLength(64 + "@example.com".length);
    expect(addresses.of(`${"a".repeat(38)}@example.com`, ANSWERED)).toBeUndefined();
  });
});

describe("the people of a mail", () => {
  const people = (to: string[], cc: string[] = [], headers: Record<string, string> = {}, channelAddress = BOX) => {
    const value = (addresses: string[]) => ({
      value: addresses.map((address) => ({ address, name: "" })),
      html: "",
      text: "",
    });
    const lines = Object.entries(headers).map(([key, text]) => ({ key, line: `${key}: ${text}` }));
    return peopleOf({ to: value(to), cc: value(cc) }, new MailHeaders(lines), {
      sender: "ada@example.org",
      channelAddress,
    });
  };
  const addressesOf = (all: { address: string }[]): string[] => all.map(({ address }) => address);

  test("are those in To and Cc, each once, without the sender, the mailbox and what is no address", () => {
    const { to, cc, more, reachedAt } = people(
      ["Grace@Example.org", BOX, "nobody", "ada@example.org"],
      ["grace@example.org", "support+tag@example.com", "charles@example.org"],
      { "delivered-to": "<support+other@example.com>" },
    );
    expect([addressesOf(to), addressesOf(cc), more]).toEqual([["grace@example.org"], ["charles@example.org"], 0]);
    expect(reachedAt).toEqual([BOX, "support+tag@example.com", "support+other@example.com"]);
  });

  test("are not the mailbox itself, whichever way its domain is written", () => {
    for (const box of ["support@xn--mller-kva.example", "support@müller.example"])
      for (const written of ["support@xn--mller-kva.example", "support@Müller.example"]) {
        const { to, reachedAt } = people([written, "grace@example.org"], [], {}, box);
        expect([addressesOf(to), reachedAt], box).toEqual([["grace@example.org"], ["support@müller.example"]]);
      }
  });

  test("are not asked to be a mailbox of ours, whichever way its domain is written", () => {
    const [encoded, plain] = ["support@xn--mller-kva.example", "support@müller.example"];
    for (const asked of [encoded, plain, "support+x@xn--mller-kva.example", "support+x@müller.example"])
      for (const box of [encoded, plain]) {
        // What the mailboxes are looked up by.
        expect(formsOf(asked), asked).toContain(box);
        expect(() => assertNotOurs([asked], [box]), asked).toThrow("one of your own mailboxes");
      }
    expect(formsOf("ada@example.org")).toEqual(["ada@example.org"]);
    expect(formsOf("ada@..")).toEqual(["ada@.."]);
    expect(() => assertNotOurs(["support@muller.example"], [encoded, plain])).not.toThrow();
  });

  test("are 50 at most, and the others are counted", () => {
    const crowd = (count: number, name: string): string[] =>
      Array.from({ length: count }, (_, at) => `${name}${at}@example.org`);
    const { to, cc, more } = people(crowd(30, "a"), crowd(1_000, "b"));
    expect([to.length, cc.length, more]).toEqual([30, 20, 980]);
  });
});

describe("the addresses of a mail that leaves", () => {
  const RECIPIENTS = {
    to: [],
    cc: ["grace@example.org", "ada@example.org"],
    bcc: ["b@example.org", "grace@example.org"],
  };
  const plain = (named: { address: string }[] = []): string[] => named.map(({ address }) => address);

  test("name each person once, where they are named first, and ask for answers to the signed address", () => {
    const { to, cc, bcc, replyTo } = addressing("ada@example.org", RECIPIENTS, () => "support+tag@example.com");
    expect([plain(to), plain(cc), plain(bcc)]).toEqual([["ada@example.org"], ["grace@example.org"], ["b@example.org"]]);
    expect(replyTo).toEqual({ name: "", address: "support+tag@example.com" });
  });

  test("are the contact's alone, and ask for nothing, if nobody else is named", () => {
    expect(addressing("ada@example.org", null, () => "support+tag@example.com")).toEqual({
      to: [{ name: "", address: "ada@example.org" }],
    });
  });

  test("a refused one is told with the server's reason, on one line", () => {
    const sent = { rejectedErrors: [{ recipient: "b@example.org", response: "550 No\r\nsuch person" }] };
    expect(refusedOf(sent as never)).toEqual({ refused: [{ address: "b@example.org", reason: "550 No such person" }] });
    expect(refusedOf({} as never)).toBeUndefined();
  });
});

test("an address is known without what stands behind its plus", () => {
  expect(withoutTag("support+a+b@example.com")).toBe(BOX);
  expect(withoutTag("+a@example.com")).toBe("+a@example.com");
  expect(withoutTag("a@exa+mple.com")).toBe("a@exa+mple.com");
  expect(without(["a", "b", "a", "c"], ["b"])).toEqual(["a", "c"]);
});
