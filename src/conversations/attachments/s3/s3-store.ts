import { randomUUID } from "node:crypto";
import path from "node:path";
import { Readable } from "node:stream";
import { Logger } from "@nestjs/common";
import { type Config, ConfigError } from "../../../platform/config/config.js";
import { notFound } from "../../../platform/http/errors.js";
import { NoRoomForFiles } from "../attachment-quota.js";
import {
  AttachmentStore,
  type FileKey,
  type FileRange,
  FilesUnavailable,
  type Room,
  type SentAs,
} from "../attachment-store.js";
import { DiskRoom } from "../disk.js";
import { S3Client, type S3Request } from "./s3-client.js";
import { blocks, S3Error, tag } from "./s3-error.js";
import { spool } from "./spool.js";

/** How often a download that breaks off is taken up again without a byte in between. */
const RESUMES = 3;
/** How long a presigned address works. A player asks for parts of a recording while it plays. */
const PRESIGNED_SECONDS = 300;
/** How long an answer to `room` holds. */
const ROOM_MS = 10_000;
/** Rounds of removing versions. Each removes up to a thousand. */
const ROUNDS = 20;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A version of an object, or the marker that stands for a deletion. */
interface Version {
  key: string;
  id: string;
  at: Date;
}

/** One bucket that all processes share: `<tenant>/<id>`. Running uploads are on the disk, without a name. */
export class S3Store extends AttachmentStore {
  private readonly log = new Logger("attachments");
  private readonly client: S3Client;
  private readonly incoming: string;
  private readonly space: DiskRoom;
  private readonly encryption: Record<string, string>;
  private readonly isPresigned: boolean;
  /** Whether the bucket keeps former versions. Asked once, and learned from what it answers to changes. */
  private isVersioned: boolean | undefined;
  private reached = -Infinity;

  constructor(config: Config) {
    super();
    this.client = new S3Client(config);
    this.incoming = path.resolve(config.attachmentsDir, "incoming");
    this.space = new DiskRoom(this.incoming, config.MIN_FREE_DISK_MB * 1_048_576);
    this.isPresigned = config.S3_PRESIGNED_DOWNLOADS;
    const { S3_SSE, S3_SSE_KMS_KEY_ID } = config;
    this.encryption = {
      ...(S3_SSE && { "x-amz-server-side-encryption": S3_SSE }),
      ...(S3_SSE_KMS_KEY_ID && { "x-amz-server-side-encryption-aws-kms-key-id": S3_SSE_KMS_KEY_ID }),
    };
  }

  close(): void {
    this.client.close();
  }

  /** S3 compares the bytes with their hash before it takes them. */
  async put(key: FileKey, bytes: AsyncIterable<Buffer>): Promise<void> {
    if ((await this.space.get()) === "none") throw new NoRoomForFiles();
    await this.store(nameOf(key), bytes);
  }

  /** A download that breaks off in the middle goes on where it was. */
  async get(key: FileKey, range?: FileRange): Promise<Readable> {
    const first = await this.open(key, range);
    const start = range?.start ?? 0;
    const end = range?.end ?? start + Number(first.headers["content-length"]) - 1;
    const bytes = Readable.from(this.resuming(key, first, start, end), { objectMode: false });
    // Who never begins to read does not end it either.
    return bytes.once("close", () => first.destroy());
  }

  async remove(key: FileKey): Promise<void> {
    await this.removeAll(nameOf(key));
  }

  /** Uploads need room on this machine for as long as they run, and a bucket that answers. */
  async room(): Promise<Room> {
    if (this.reached < performance.now() - ROOM_MS) {
      await this.ask({ method: "HEAD", what: "Reaching the bucket" });
      this.reached = performance.now();
    }
    return this.space.get();
  }

  async *list(tenantId: string, before: Date): AsyncGenerator<string> {
    const prefix = `${tenantId}/`;
    let last = "";
    for await (const { key, at } of (await this.keepsVersions()) ? this.versions(prefix) : this.objects(prefix)) {
      const id = key.slice(prefix.length);
      if (id === last || !UUID.test(id) || at >= before) continue;
      last = id;
      yield id;
    }
  }

  /** Puts, reads, lists and deletes a file of its own, because policies of buckets allow each of these by itself. */
  async check(): Promise<void> {
    const key = `probe/${randomUUID()}`;
    const text = Buffer.from("Parley has tried whether it can use this bucket.");
    try {
      await this.tryOut("s3:ListBucket", { method: "GET", what: "Listing files", query: listing(key) });
      if (await this.keepsVersions())
        await this.tryOut("s3:ListBucketVersions", { method: "GET", what: "Listing versions", query: versionsOf(key) });
      await this.tryOut("s3:PutObject", () => this.store(key, Readable.from([text])));
      await this.tryOut("s3:GetObject", { method: "GET", what: "Reading a file", key });
      await this.tryOut((await this.keepsVersions()) ? "s3:DeleteObjectVersion" : "s3:DeleteObject", () =>
        this.removeAll(key),
      );
    } catch (error) {
      const cause = error instanceof FilesUnavailable ? error.cause : error;
      if (!(cause instanceof S3Error)) throw error;
      if (!cause.isPassing) throw new ConfigError(`Attachments cannot be stored in S3. ${cause.message}`);
    }
  }

  /** What a browser shows in place is sent by Parley, with the headers that S3 does not send. */
  async addressOf(key: FileKey, { contentType, disposition }: SentAs): Promise<string | undefined> {
    if (!this.isPresigned || disposition.startsWith("inline") || !(await this.has(key))) return undefined;
    return this.client.presign(nameOf(key), PRESIGNED_SECONDS, {
      "response-content-type": contentType,
      "response-content-disposition": disposition,
      "response-cache-control": "private, no-store",
    });
  }

  async has(key: FileKey): Promise<boolean> {
    try {
      await this.ask({ method: "HEAD", what: "Looking for a file", key: nameOf(key) });
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  private async store(name: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    const body = await spool(this.incoming, bytes);
    try {
      const { encryption: headers } = this;
      this.note((await this.ask({ method: "PUT", what: "Storing a file", key: name, headers, body })).headers);
    } finally {
      await body.close();
    }
  }

  private async tryOut(permission: string, request: S3Request | (() => Promise<void>)): Promise<void> {
    try {
      await (typeof request === "function" ? request() : this.ask(request));
    } catch (error) {
      throw error instanceof FilesUnavailable ? this.naming(permission, error.cause) : error;
    }
  }

  /** Says which permission is missing, if one is. */
  private naming(permission: string, error: Error): Error {
    if (!(error instanceof S3Error) || error.code !== "AccessDenied") return error;
    return new S3Error(`${error.message} ${permission} for ${this.client.bucket}`, 403, error.code, false);
  }

  /** Some servers that are like S3 have no versions, and do not know the question. */
  private async keepsVersions(): Promise<boolean> {
    if (this.isVersioned !== undefined) return this.isVersioned;
    try {
      const { text } = await this.client.ask({ method: "GET", what: "Asking for versions", query: { versioning: "" } });
      return (this.isVersioned = /^(Enabled|Suspended)$/.test(tag(text, "Status") ?? ""));
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      if (error.isPassing || /^(AccessDenied|NoSuchBucket|InvalidAccessKeyId|SignatureDoesNotMatch)$/.test(error.code))
        throw this.unavailable(this.naming("s3:GetBucketVersioning", error));
      return (this.isVersioned = false);
    }
  }

  private async removeAll(name: string): Promise<void> {
    if (!(await this.keepsVersions())) {
      const { headers } = await this.ask({ method: "DELETE", what: "Removing a file", key: name });
      this.note(headers);
      if (!this.isVersioned) return;
    }
    for (let round = 0; round < ROUNDS; round++) {
      const found: Version[] = [];
      for await (const version of this.versions(name)) if (version.key === name) found.push(version);
      if (!found.length) return;
      for (const { id } of found)
        await this.ask({ method: "DELETE", what: "Removing a version", key: name, query: { versionId: id } });
    }
    throw this.unavailable(new S3Error("Removing a file: the bucket still lists versions", 0, "VersionsLeft", true));
  }

  /** A bucket that keeps versions says so in its answers to changes. */
  private note(headers: Record<string, unknown>): void {
    if (headers["x-amz-version-id"] !== undefined || headers["x-amz-delete-marker"] !== undefined)
      this.isVersioned = true;
  }

  private async *objects(prefix: string): AsyncGenerator<Version> {
    for (let after: string | undefined = ""; after !== undefined;) {
      const query: Record<string, string> = { ...listing(prefix), ...(after && { "start-after": after }) };
      const { text }: { text: string } = await this.ask({ method: "GET", what: "Listing files", query });
      const found = blocks(text, "Contents").map(versionIn);
      yield* found;
      after = tag(text, "IsTruncated") === "true" ? found.at(-1)?.key : undefined;
    }
  }

  private async *versions(prefix: string): AsyncGenerator<Version> {
    for (let from: Record<string, string> | undefined = {}; from;) {
      const query: Record<string, string> = { ...versionsOf(prefix), ...from };
      const { text }: { text: string } = await this.ask({ method: "GET", what: "Listing versions", query });
      yield* blocks(text, "Version", "DeleteMarker").map(versionIn);
      const [key, id] = [tag(text, "NextKeyMarker"), tag(text, "NextVersionIdMarker")];
      from =
        tag(text, "IsTruncated") === "true" && key
          ? { "key-marker": key, ...(id && { "version-id-marker": id }) }
          : undefined;
    }
  }

  private async open(key: FileKey, range?: FileRange): ReturnType<S3Client["send"]> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
    try {
      return await this.client.send({ method: "GET", what: "Reading a file", key: nameOf(key), headers });
    } catch (error) {
      throw isMissing(error) ? notFound() : this.unavailable(error);
    }
  }

  private async *resuming(
    key: FileKey,
    first: AsyncIterable<Buffer>,
    start: number,
    end: number,
  ): AsyncGenerator<Buffer> {
    let [position, failures, bytes] = [start, 0, first];
    for (;;) {
      try {
        for await (const chunk of bytes) {
          position += chunk.length;
          failures = 0;
          yield chunk;
        }
        if (position > end) return;
        throw new Error("the answer ended early");
      } catch (error) {
        if (position > end) return;
        if (++failures > RESUMES) throw this.unavailable(error);
      }
      bytes = await this.open(key, { start: position, end });
    }
  }

  private async ask(request: S3Request): ReturnType<S3Client["ask"]> {
    try {
      return await this.client.ask(request);
    } catch (error) {
      throw isMissing(error) ? error : this.unavailable(error);
    }
  }

  private unavailable(error: unknown): Error {
    if (!(error instanceof S3Error)) return error as Error;
    this.log[error.isPassing ? "warn" : "error"](error.message);
    return new FilesUnavailable(error);
  }
}

const nameOf = ({ tenantId, id }: FileKey): string => `${tenantId}/${id}`;
const listing = (prefix: string): Record<string, string> => ({ "list-type": "2", prefix });
const versionsOf = (prefix: string): Record<string, string> => ({ versions: "", prefix });

/** An answer to HEAD has no word for it. A bucket that is missing has. */
const isMissing = (error: unknown): boolean =>
  error instanceof S3Error && error.status === 404 && /^(NoSuchKey|HTTP 404)$/.test(error.code);

const versionIn = (xml: string): Version => ({
  key: tag(xml, "Key") ?? "",
  id: tag(xml, "VersionId") ?? "null",
  at: new Date(tag(xml, "LastModified") ?? 0),
});
