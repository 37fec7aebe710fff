import { expect, test } from "vitest";
import { recordedBy } from "../../../src/channels/email/authentication-results.js";
import { headerFieldsOf } from "../../../src/channels/email/header-fields.js";
import { leastCost } from "../../support/cost.js";

test("Authentication-Results are read in the time of their length, and only those of the server on top count", () => {
  const of = (text: string) => recordedBy("mx.example.com", headerFieldsOf(Buffer.from(`${text}\r\n\r\n`))!.fields);
  expect(of("Authentication-Results: mx.example.com;\r\n dkim=fail; dkim=pass;\r\n\tdmarc = pass")).toEqual({
    dkim: "pass",
    dmarc: "pass",
  });
  expect(of('Authentication-Results: mx.example.com; spf=fail reason="; dmarc=pass"')).toEqual({ spf: "fail" });
  expect(of("Authentication-Results: mx.example.com (; dmarc=pass); none")).toEqual({});
  expect(of("Authentication-Results: evil (mx.example.com); dmarc=pass")).toBeUndefined();
  expect(
    of("Authentication-Results: a; dmarc=fail\r\nAuthentication-Results: mx.example.com; dmarc=pass"),
  ).toBeUndefined();
  expect(
    of("Authentication-Results: mx.example.com; dmarc=fail header.from=a.example; dmarc=pass header.from=x@B.example"),
  ).toEqual({ dmarc: "pass", from: "b.example" });
  const read = (): void => {
    of(`Authentication-Results: mx.example.com; ${"(".repeat(200_000)}`);
    of(`Authentication-Results: mx.example.com; ${"dkim=".repeat(40_000)}`);
    of(`Authentication-Results: mx.example.com; dmarc=pass ${" header.from=".repeat(20_000)}`);
    of(`Authentication-Results: mx.example.com;${" ".repeat(200_000)}x`);
  };
  expect(leastCost(read, 1_000)).toBeLessThan(1_000);
});
