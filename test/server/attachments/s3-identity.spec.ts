import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CredentialsSource } from "../../../src/conversations/attachments/s3/credentials.js";
import { Config } from "../../../src/platform/config/config.js";
import { type Bucket } from "../../support/s3/bucket.js";
import { MOTO, startMoto, WITHOUT_MOTO } from "../../support/s3/moto.js";

/** What the platform is asked, and what it answers: by method and path. */
let answers: Record<string, (request: http.IncomingMessage) => { status?: number; text: string }> = {};
let asked: string[] = [];
let platform: http.Server;
let base: string;
beforeAll(async () => {
  platform = http
    .createServer((request, response) => {
      const what = `${request.method} ${request.url}`;
      asked.push(what);
      const { status = 200, text } = answers[what]?.(request) ?? { status: 404, text: "" };
      response.writeHead(status).end(text);
    })
    .listen(0, "127.0.0.1");
  await new Promise((resolve) => platform.once("listening", resolve));
  base = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
});
afterAll(() => platform.close());

const source = (settings: Partial<Config>): CredentialsSource =>
  new CredentialsSource(Object.assign(new Config(), settings));
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const said = (key: string, hours = 6): string =>
  JSON.stringify({ AccessKeyId: key, SecretAccessKey: "s", Token: "t", Expiration: inHours(hours) });

describe("the identity of a container", () => {
  const settings = (): Partial<Config> => ({
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${base}/creds`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: "open sesame",
  });

  test("is asked for once, with what the container shows, until it ends", async () => {
    const hours = [0.01, 6];
    answers = {
      "GET /creds": ({ headers }) =>
        headers.authorization === "open sesame"
          ? { text: said(`K${hours.length}`, hours.shift()) }
          : { status: 401, text: "" },
    };
    asked = [];
    const credentials = source(settings());
    expect((await Promise.all([credentials.get(), credentials.get()])).map((c) => c.accessKeyId)).toEqual(["K2", "K2"]);
    // 36 seconds are less than what it is renewed before.
    expect((await credentials.get()).accessKeyId).toBe("K1");
    expect(await credentials.get()).toMatchObject({ accessKeyId: "K1", secretAccessKey: "s", sessionToken: "t" });
    expect(asked.length).toBe(2);
  });

  test("is used to its end if the platform does not answer meanwhile", async () => {
    answers = { "GET /creds": () => ({ text: said("K", 0.01) }) };
    const credentials = source(settings());
    await credentials.get();
    answers = { "GET /creds": () => ({ status: 500, text: "" }) };
    expect((await credentials.get()).accessKeyId).toBe("K");
  });

  test("is not sent in the clear to an address that is not the platform's", async () => {
    const elsewhere = source({ ...settings(), AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://example.com/creds" });
    await expect(elsewhere.get()).rejects.toThrow("AWS_CONTAINER_CREDENTIALS_FULL_URI must be https");
  });
});

describe("the role of a virtual machine", () => {
  const settings = (): Partial<Config> => ({ AWS_EC2_METADATA_SERVICE_ENDPOINT: base });
  const roles = "/latest/meta-data/iam/security-credentials/";

  test("is read with a session token", async () => {
    const withToken =
      (text: string) =>
      ({ headers }: http.IncomingMessage) =>
        headers["x-aws-ec2-metadata-token"] === "session" ? { text } : { status: 401, text: "" };
    answers = {
      "PUT /latest/api/token": () => ({ text: "session" }),
      [`GET ${roles}`]: withToken("parley-role\n"),
      [`GET ${roles}parley-role`]: withToken(said("VM")),
    };
    expect((await source(settings()).get()).accessKeyId).toBe("VM");
  });

  test("that is not there is named, with the setting that can be given instead", async () => {
    answers = {};
    await expect(source(settings()).get()).rejects.toThrow(/S3_ACCESS_KEY_ID is not set.*answered 404/);
  });
});

describe.skipIf(!MOTO)(`a web identity${WITHOUT_MOTO}`, () => {
  let bucket: Bucket;
  let folder: string;
  beforeAll(async () => {
    bucket = await startMoto();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-identity-"));
  });
  afterAll(async () => {
    await bucket.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test("is exchanged for credentials that end", async () => {
    const file = path.join(folder, "token");
    fs.writeFileSync(file, "a.b.c\n");
    const credentials = await source({
      AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/parley",
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
      AWS_ENDPOINT_URL_STS: bucket.endpoint,
    }).get();
    expect(credentials.accessKeyId).toMatch(/^ASIA/);
    expect(credentials.sessionToken).toBeTruthy();
    expect(credentials.expires).toBeGreaterThan(Date.now());
  });
});
