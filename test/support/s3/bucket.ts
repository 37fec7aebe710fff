import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { AwsV4Signer } from "aws4fetch";
import S3rver from "s3rver";
import type { Config } from "../../../src/platform/config/config.js";

/** A bucket on a server that is like S3, and what the tests do with it besides. */
export interface Bucket {
  /** The settings of a server that uses it. */
  readonly settings: Partial<Config>;
  readonly endpoint: string;
  /** The secrets of the keys that may use it. */
  readonly secrets: Record<string, string>;
  /** A request that is signed with the key of the settings. The path follows the bucket. */
  request(method: string, path: string, body?: string | Buffer): Promise<Response>;
  /** The names of all objects. */
  names(): Promise<string[]>;
  close(): Promise<void>;
}

const BUCKET = "parley-files";

/** A bucket at an endpoint, with this key. */
export function bucketAt(endpoint: string, key: string, secret: string, close: () => Promise<void>): Bucket {
  const request: Bucket["request"] = async (method, path, body) => {
    const signer = new AwsV4Signer({
      method,
      url: `${endpoint}/${BUCKET}${path}`,
      body,
      accessKeyId: key,
      secretAccessKey: secret,
      service: "s3",
      region: "us-east-1",
    });
    const { url, headers } = await signer.sign();
    return fetch(url, { method, headers, body });
  };
  return {
    endpoint,
    secrets: { [key]: secret },
    request,
    settings: {
      ATTACHMENT_STORE: "s3",
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: key,
      S3_SECRET_ACCESS_KEY: secret,
      S3_PATH_STYLE: true,
    },
    names: async () => {
      const found: string[] = [];
      for (let after = ""; ; after = found.at(-1)!) {
        const xml = await (await request("GET", `?list-type=2&start-after=${encodeURIComponent(after)}`)).text();
        found.push(...[...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => match[1]!));
        if (!xml.includes("<IsTruncated>true")) return found;
      }
    },
    close,
  };
}

/**
 * A real S3rver. It keeps objects in a folder, and has no versions. What S3 checks and it does not is checked by the proxy in front of it.
 */
export async function startBucket(): Promise<Bucket> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "parley-s3-"));
  const server = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory,
    resetOnClose: true,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  return bucketAt(`http://127.0.0.1:${port}`, "S3RVER", "S3RVER", async () => {
    await server.close();
    fs.rmSync(directory, { recursive: true, force: true });
  });
}
