import { describe, expect, test } from "vitest";
import { coded, ERROR_CODES, errorHeaders } from "../../../src/platform/http/error-codes.js";

describe("the headers of an error", () => {
  test("have a known code for every status, and the code that the thrower named", () => {
    for (let status = 400; status < 600; status++) expect(ERROR_CODES).toContain(errorHeaders(status)["x-error-code"]);
    expect(errorHeaders(403, coded(new Error(), "webhooks-off"))).toEqual({ "x-error-code": "webhooks-off" });
  });

  test("are one line of ASCII, whatever the detail is", () => {
    const detail = "needs\r\nSet-Cookie: a=b\u0000 naïve";
    expect(errorHeaders(403, { detail })["x-error-detail"]).toBe("needs??Set-Cookie: a=b? na?ve");
  });
});
