import { expect, test } from "vitest";
import { duration, phoneOf } from "../../../src/channels/telephony/caller-id.js";
import { say, twiml } from "../../../src/channels/telephony/twiml.js";

test("a greeting is spoken without characters that XML forbids, and its markup is escaped", () => {
  expect(twiml((response) => say(response, 'Ada & "Co" <x> 🚚 a\0\u0008b\ud800\ufffe', "en-US"))).toEqual({
    type: "text/xml; charset=utf-8",
    text: '<?xml version="1.0" encoding="UTF-8"?><Response><Say language="en-US">Ada &amp; "Co" &lt;x&gt; 🚚 ab</Say></Response>',
  });
});

test.each([
  ["+4930901820", "+4930901820"],
  ["anonymous", null],
  ["Anonymous", null],
  ["+266696687", null],
  ["+7378742833", null],
  ["+2562533", null],
  ["+8656696", null],
  ["+86282452253", null],
  ["38383", null],
  ["client:ada", null],
  ["", null],
])("%s is parsed as the phone number %s", (from, number) => {
  expect(phoneOf(from)).toBe(number);
});
test.each([
  [0, "0 s"],
  [59, "59 s"],
  [60, "1 min"],
  [3_725, "1 h 2 min 5 s"],
])("%i seconds are written as %s", (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});
