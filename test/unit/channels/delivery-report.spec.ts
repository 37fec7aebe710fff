import { describe, expect, test } from "vitest";
import { deliveryReason } from "../../../src/channels/email/delivery-reason.js";
import { readDeliveryReport } from "../../../src/channels/email/delivery-report.js";
import { MailHeaders } from "../../../src/channels/email/mail-headers.js";

const ID = "0190d3a0-0000-7000-8000-000000000001";
const report = (parts: string[], headers: Record<string, string> = {}) =>
  readDeliveryReport(
    new MailHeaders(Object.entries(headers).map(([key, value]) => ({ key, line: `${key}: ${value}` }))),
    `\nMessage-ID: <${ID}@parley.example.com>\n`,
    parts,
  );

describe("why a mail was not delivered", () => {
  test.each([
    ["5.2.2", undefined, "the mailbox is full"],
    ["4.2.2", undefined, "the mailbox is full"],
    ["5.1.1", "550 5.1.1 <a@b.example> User unknown", "there is no such address"],
    ["5.0.0", "552 5.2.2 Over quota", "the mailbox is full"],
    ["5.7.26", "550-5.7.26 Unauthenticated", "our domain does not prove that the mail comes from it (SPF and DKIM)"],
    ["4.4.7", undefined, "the receiving server could not be reached for too long"],
    ["5.0.0", "550 Requested action not taken", undefined],
    [undefined, "connected to 5.1.1.9 and was refused", undefined],
    ["5.999.999", undefined, undefined],
    ["5.constructor.0", undefined, undefined],
  ])("%s, %s: %s", (code, diagnostic, reason) => {
    expect(deliveryReason(code, diagnostic)).toBe(reason);
  });
});

describe("a delivery report", () => {
  test("names each recipient that the mail did not reach, as we wrote them, and none that it did", () => {
    const parts = [
      [
        "Reporting-MTA: dns; mx.example.org\n",
        "Original-Recipient: rfc822;Ada@Example.org\nFinal-Recipient: rfc822; ada@inner.example\nAction: failed\nStatus: 5.2.2\n",
        "Final-Recipient: rfc822; grace@example.org\nAction: delayed\nStatus: 4.4.1\n",
        "Final-Recipient: rfc822; <charles@example.org>\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp;\n 550 go away\n",
      ].join("\n"),
    ];
    expect(report(parts)).toEqual({
      messageId: ID,
      status: "failed",
      failed: [
        { address: "ada@example.org", reason: "the mailbox is full", said: "5.2.2" },
        { address: "charles@example.org", reason: "the receiving server does not accept it", said: "550 go away" },
      ],
      reached: [],
    });
  });

  test("of an old server names them in a header alone", () => {
    expect(
      report([], { "x-failed-recipients": "ada@example.org, nobody" })?.failed.map(({ address }) => address),
    ).toEqual(["ada@example.org", undefined]);
  });

  test("about a delay, a delivery or a read receipt is no failure", () => {
    expect(report(["Action: delayed\nStatus: 4.4.1"])).toBeUndefined();
    expect(report(["Action: delivered\nStatus: 2.0.0"])).toMatchObject({ status: "delivered", reached: [undefined] });
    const arrived = "Final-Recipient: rfc822; Ada@example.org\nAction: delivered\nStatus: 2.0.0\n";
    const relayed = "Final-Recipient: rfc822; grace@example.org\nAction: relayed\nStatus: 2.0.0\n";
    expect(report([`${arrived}\n${relayed}`])).toMatchObject({ status: "delivered", reached: ["ada@example.org"] });
    expect(report(["Disposition: manual-action/MDN-sent-manually; displayed"])).toMatchObject({ status: "read" });
    expect(report(["Action: relayed\nStatus: 2.0.0"])).toBeUndefined();
  });

  test("looks at no more than fifty recipients", () => {
    const part = Array.from(
      { length: 100_000 },
      (_, n) => `Final-Recipient: rfc822; a${n}@example.org\nAction: failed\n`,
    );
    expect(report([part.join("\n")])!.failed.length).toBeLessThan(60);
  });
});
