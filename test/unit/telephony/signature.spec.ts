import fc from "fast-check";
import { expect, test } from "vitest";
import webhooks from "twilio/lib/webhooks/webhooks.js";
import { isSigned } from "../../../src/channels/telephony/signature.js";
import { runs } from "../../support/seed.js";

const FORM = "application/x-www-form-urlencoded";
const TOKEN = "a token of 32 characters, or more";

const text = fc.string({ unit: "grapheme", maxLength: 12 }).map((value) => value.toWellFormed());
const params = fc.dictionary(
  text.filter((name) => name !== "" && name !== "__proto__"),
  text,
  { maxKeys: 6 },
);
const query = fc.oneof(
  fc.constant(""),
  fc.webQueryParameters().map((written) => `?${written}`),
  fc.constantFrom("?a=%27b%27&c", "?a='b'", "?event=status&message=%C3%BC", "?", "?x=a+b%20c"),
);
const url = fc
  .tuple(
    fc.constantFrom("http", "https"),
    fc.constantFrom("parley.example.com", "EXAMPLE.com", "127.0.0.1", "[::1]", "user:word@example.com", ""),
    fc.constantFrom("", ":443", ":80", ":8443", ":"),
    fc.webPath(),
    query,
  )
  .map(([scheme, host, port, path, rest]) => `${scheme}://${host}${port}${path || "/"}${rest}`);

const encode = (given: Record<string, string>): Buffer => Buffer.from(new URLSearchParams(given).toString());
const theirs = (signature: string, address: string, given: Record<string, unknown>): boolean => {
  try {
    return webhooks.validateRequest(TOKEN, signature, address, given);
  } catch {
    return false;
  }
};

test("Parley accepts the same signatures as the provider's own library, for any URL and fields that come once", () => {
  let [taken, refused] = [0, 0];
  fc.assert(
    fc.property(
      url,
      params,
      fc.constantFrom("as it is", "another token", "another address", "another port", "another value", "nothing"),
      (address, given, how) => {
        const signed =
          { "another address": `${address}x`, "another port": address.replace(/:443|:80/, "") }[how as string] ??
          address;
        const values = how === "another value" ? { ...given, Body: "forged" } : given;
        const signature =
          how === "nothing"
            ? ""
            : webhooks.getExpectedTwilioSignature(how === "another token" ? "x" : TOKEN, signed, values);
        const ours = isSigned(TOKEN, { url: address, signature, type: FORM, body: encode(given) });
        expect(ours).toBe(theirs(signature, address, given));
        if (ours) taken++;
        else refused++;
      },
    ),
    { numRuns: runs(500, 2_000) },
  );
  expect(Math.min(taken, refused)).toBeGreaterThan(runs(75, 300));
});

test("Parley refuses a form in which a field comes twice, which the provider's own library accepts", () => {
  const address = "https://parley.example.com/api";
  for (const [fields, form] of [
    [{ Body: ["one", "two"] }, "Body=one&Body=two"],
    [{ Body: ["one", "two"] }, "Body=two&Body=one&Body=two"],
    [{ Body: ["one", "one"] }, "Body=one&Body=one"],
  ] as const) {
    const signature = webhooks.getExpectedTwilioSignature(TOKEN, address, fields);
    expect(theirs(signature, address, fields)).toBe(true);
    expect(isSigned(TOKEN, { url: address, signature, type: FORM, body: Buffer.from(form) })).toBe(false);
  }
});

test("Parley refuses a body that is no form if the signature covers the address alone", () => {
  const url = "https://parley.example.com/api";
  const signature = webhooks.getExpectedTwilioSignature(TOKEN, url, {});
  expect(isSigned(TOKEN, { url, signature, type: "application/json", body: Buffer.from("{}") })).toBe(false);
  expect(isSigned(TOKEN, { url, signature, body: Buffer.from("Body=x") })).toBe(false);
  expect(isSigned(TOKEN, { url, signature, body: Buffer.alloc(0) })).toBe(true);
});

test("Parley accepts the same signatures by a hash of the body as the provider's own library", () => {
  fc.assert(
    fc.property(fc.json(), fc.boolean(), fc.boolean(), (body, changed, forged) => {
      const address = `https://parley.example.com/api?bodySHA256=${webhooks.getExpectedBodyHash(changed ? `${body} ` : body)}`;
      const signature = webhooks.getExpectedTwilioSignature(forged ? "x" : TOKEN, address, {});
      expect(isSigned(TOKEN, { url: address, signature, type: "application/json", body: Buffer.from(body) })).toBe(
        !changed && !forged,
      );
    }),
    { numRuns: runs(100, 300) },
  );
});
