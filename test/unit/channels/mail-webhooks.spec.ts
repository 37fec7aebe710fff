import { expect, test } from "vitest";
import { topicOf } from "../../../src/channels/email/webhooks/aws.js";
import { UrlEncodedFields } from "../../../src/channels/email/webhooks/form-fields.js";
import { JsonStrings } from "../../../src/channels/email/webhooks/json-strings.js";
import { isCertificateOf } from "../../../src/channels/email/webhooks/sns-messages.js";

const MAX = 1_000;
/** Reads a text that arrives in pieces of this length. */
async function strings(text: string, piece = text.length): Promise<Record<string, string>> {
  const reader = new JsonStrings({ RawEmail: MAX, b: 20 });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += piece) reader.push(bytes.subarray(at, at + piece));
  return Object.fromEntries(Object.entries(await reader.end()).map(([name, found]) => [name, found!.toString()]));
}

test.each([
  ['"\\/\b\f\n\r\t', "é ✓ 🙂"],
  ["", "\u0000\u001f\u007f"],
  ['{"RawEmail":"x"}', "\\u0041"],
])("strings of JSON are read as JSON.parse reads them, however they arrive: %j %j", async (RawEmail, b) => {
  const escaped = (text: string): string =>
    [...JSON.stringify(text)]
      .map((one) =>
        one > "~"
          ? [...one.split("")].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")
          : one,
      )
      .join("");
  const other = {
    deep: [{ RawEmail: "no", list: ["RawEmail", { b: "no" }] }],
    RawEmail2: "no",
    number: -1.5e3,
    yes: true,
  };
  for (const text of [
    JSON.stringify({ ...other, RawEmail, b }),
    JSON.stringify({ RawEmail, b, ...other }, null, 2),
    `{"RawEmail" : ${escaped(RawEmail)} ,"b":${escaped(b)}}\n`,
    JSON.stringify({ RawEmail, b }).replace('"RawEmail"', '"R\\u0061wEmail"'),
  ])
    for (const piece of [1, 2, 3, 7, text.length]) expect(await strings(text, piece), text).toEqual({ RawEmail, b });
});

test.each([
  "",
  " ",
  "null",
  "[]",
  '"RawEmail"',
  '{"RawEmail":"a"',
  '{"RawEmail":"a"}}',
  '{"RawEmail":"a"}{}',
  '{"RawEmail":"\\q"}',
  '{"RawEmail":"\\u00zz"}',
])("what is no JSON object is refused: %j", async (text) => {
  for (const piece of [1, 5]) await expect(strings(text, piece)).rejects.toThrow("The body is not a JSON object");
});

test("half a character stands for nothing, and too long a string is refused", async () => {
  expect(await strings('{"RawEmail":"a\\ud83dz\\ude42\\ud83d\\ud83d\\ude42"}')).toEqual({
    RawEmail: "a\ufffdz\ufffd\ufffd🙂",
  });
  expect((await strings(JSON.stringify({ RawEmail: "a".repeat(MAX) }))).RawEmail).toHaveLength(MAX);
  await expect(strings(JSON.stringify({ RawEmail: "a".repeat(MAX + 1) }))).rejects.toThrow("RawEmail may have at most");
  await expect(strings(JSON.stringify({ ["k".repeat(101)]: 1 }))).rejects.toThrow("The name of a field");
});

test("a form is read as URLSearchParams reads it, however it arrives", async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
  const form = `other=1&a=${[...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")}&b=x+y%2Bz=1&c`;
  for (const piece of [1, 2, 5, form.length]) {
    const reader = new UrlEncodedFields({ a: 256, b: 20, c: 1 });
    for (let at = 0; at < form.length; at += piece) reader.push(Buffer.from(form.slice(at, at + piece)));
    expect(await reader.end()).toEqual({ a: bytes, b: Buffer.from("x y+z=1") });
  }
  const read = (text: string): void => new UrlEncodedFields({ a: 3 }).push(Buffer.from(text));
  expect(() => read("a=1&a=2")).toThrow("a comes twice");
  expect(() => read("a=%zz")).toThrow("The body is not a form");
  expect(() => read("a=1234")).toThrow("a may have at most 3 bytes");
  // Anybody may send one, and each field costs more than its bytes.
  expect(() => read("b=1&".repeat(199) + "a=1")).not.toThrow();
  for (const field of ["b=1&", "b&", "&"])
    expect(() => read(field.repeat(200) + "a=1")).toThrow("The form has too many fields");
});

const PEM = "SimpleNotificationService-0123456789abcdef0123456789abcdef.pem";
const TOPIC = { partition: "aws", region: "eu-west-1" };
test.each([
  [`https://sns.eu-west-1.amazonaws.com/${PEM}`, true],
  [`https://sns.eu-west-1.amazonaws.com:443/${PEM}`, true],
  [`http://sns.eu-west-1.amazonaws.com/${PEM}`, false],
  [`https://sns.eu-west-1.amazonaws.com.evil.example/${PEM}`, false],
  [`https://sns.eu-west-1.amazonaws.com@evil.example/${PEM}`, false],
  [`https://evil.example/sns.eu-west-1.amazonaws.com/${PEM}`, false],
  [`https://user:pass@sns.eu-west-1.amazonaws.com/${PEM}`, false],
  [`https://sns.us-east-1.amazonaws.com/${PEM}`, false],
  [`https://s3.eu-west-1.amazonaws.com/${PEM}`, false],
  [`https://sns.eu-west-1.amazonaws.com.cn/${PEM}`, false],
  [`https://sns.eu-west-1.amazonaws.com:8443/${PEM}`, false],
  ["https://sns.eu-west-1.amazonaws.com/evil.pem", false],
  [`https://sns.eu-west-1.amazonaws.com/x/../${PEM}?a=b`, false],
  ["", false],
])("the certificate of SNS comes from SNS in the region of the topic: %s", (address, isIt) => {
  expect(isCertificateOf(TOPIC, address)).toBe(isIt);
});

test("a topic is in a partition that we know", () => {
  expect(topicOf("arn:aws:sns:eu-west-1:123456789012:incoming.fifo")).toEqual(TOPIC);
  expect(topicOf("arn:aws-cn:sns:cn-north-1:123456789012:a")).toEqual({ partition: "aws-cn", region: "cn-north-1" });
  for (const arn of [
    null,
    "",
    "arn:constructor:sns:eu-west-1:123456789012:a",
    "arn:aws:sns:eu-west-1.evil:123456789012:a",
    "arn:aws:sns:x@evil.example:123456789012:a",
    "arn:aws:sns:eu-west-1:1:a",
  ])
    expect(topicOf(arn), String(arn)).toBeUndefined();
});
