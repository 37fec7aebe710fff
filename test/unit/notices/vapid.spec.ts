import { createECDH } from "node:crypto";
import { expect, test } from "vitest";
import { vapidOf } from "../../../src/notices/vapid.js";
import { Config } from "../../../src/platform/config/config.js";

const keyed = (SECRET_KEY: string, ...SECRET_KEYS_OLD: string[]): Config =>
  Object.assign(new Config(), { SECRET_KEY, SECRET_KEYS_OLD });
const [ONE, OTHER] = ["one secret of 32 characters or more", "another secret of 32 characters, too"];

test("the key is the same at each start, a pair, and another for each installation", () => {
  const { publicKey, privateKey } = vapidOf(keyed(ONE));
  expect(vapidOf(keyed(ONE))).toMatchObject({ publicKey, privateKey });
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(Buffer.from(privateKey, "base64url"));
  expect(ecdh.getPublicKey("base64url")).toBe(publicKey);
  expect(vapidOf(keyed(OTHER)).publicKey).not.toBe(publicKey);
});

test("a new SECRET_KEY leaves it as it is for as long as the former one is kept", () => {
  expect(vapidOf(keyed(OTHER, ONE)).publicKey).toBe(vapidOf(keyed(ONE)).publicKey);
});

test("it says whom to write to: the server's address by https, otherwise the sender of its mails", () => {
  expect(vapidOf(Object.assign(keyed(ONE), { PUBLIC_URL: "https://parley.example" })).subject).toBe(
    "https://parley.example",
  );
  expect(vapidOf(Object.assign(keyed(ONE), { MAIL_FROM: "Parley <desk@parley.example>" })).subject).toBe(
    "mailto:desk@parley.example",
  );
});
