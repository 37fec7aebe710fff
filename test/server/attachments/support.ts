import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import type { Schemas } from "../../support/api-types.js";
import { attachmentsOf, type TestApp } from "../../support/app.js";
import { type Client, fileForm } from "../../support/client.js";

export const MB = 1_048_576;

export async function upload(
  client: Client,
  content: string | Uint8Array = "Hello",
  name?: string,
  type?: string,
): Promise<Schemas["Attachment"]> {
  return (await client.post("/api/attachments", fileForm(content, name, type), 201)).body;
}

/** Follows the download link of an attachment, as a browser would, without credentials. */
export async function download(
  app: TestApp,
  client: Client,
  id: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Response> {
  const { url } = (await client.get(`/api/attachments/${id}`, 200)).body;
  return fetch(app.baseUrl + new URL(url).pathname, { headers, method });
}

/** Every file below the application's folder, including partial uploads. */
export function filesOf(app: TestApp): string[] {
  const folder = attachmentsOf(app.db);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
export const isThere = (app: TestApp, id: string): boolean => filesOf(app).some((file) => path.basename(file) === id);

export const rows = async (app: TestApp): Promise<number> =>
  (await app.db.query<{ n: number }>("select count(*)::int as n from attachment"))[0]!.n;

/** The headers of an upload and the beginning of its file, as raw bytes. */
export function beginning(token: string | undefined, framing: string): string {
  return `POST /api/attachments HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=x\r\n${framing}\r\n\r\n`;
}
export const PART =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';

/** Opens a connection, writes these bytes and keeps the connection open. */
export function connection(baseUrl: string, text: string): Promise<net.Socket> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(text, () => resolve(socket)));
    socket.on("error", reject);
  });
}

/** The smallest file of each type that states the image's dimensions. */
export function png(width: number, height: number): Buffer {
  const bytes = Buffer.from(
    "89504e470d0a1a0a0000000d49484452000000000000000008060000000000000000000000494441540000000000000000",
    "hex",
  );
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
/** @param frame the sides of its first frame */
export function gif(width: number, height: number, frame = 1): Buffer {
  const bytes = Buffer.from("474946383961000000008000000000000000002c00000000010001000002024401003b", "hex");
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  bytes.writeUInt16LE(frame, 24);
  bytes.writeUInt16LE(frame, 26);
  return bytes;
}
/** With a comment before its frame, as most programs write it. */
export function commentedGif(width: number, height: number, frame: number): Buffer {
  const plain = gif(width, height, frame);
  return Buffer.concat([plain.subarray(0, 19), Buffer.from("21fe02686902686900", "hex"), plain.subarray(19)]);
}
/** An AVIF that states several sizes. */
export function avif(...sizes: [width: number, height: number][]): Buffer {
  const box = (type: string, ...content: Buffer[]): Buffer => {
    const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), ...content]);
    bytes.writeUInt32BE(bytes.length, 0);
    return bytes;
  };
  const ispe = sizes.map(([width, height]) => {
    const content = Buffer.alloc(12);
    content.writeUInt32BE(width, 4);
    content.writeUInt32BE(height, 8);
    return box("ispe", content);
  });
  const meta = box("meta", Buffer.alloc(4), box("iprp", box("ipco", ...ispe)));
  return Buffer.concat([box("ftyp", Buffer.from("avif"), Buffer.alloc(4), Buffer.from("avifmif1")), meta]);
}
/** @param orientation the EXIF orientation: 6 means that the image is shown rotated by 90° */
export function jpeg(width: number, height: number, orientation = 1): Buffer {
  const exif = Buffer.from(
    `457869660000${"4d4d002a00000008"}${"0001"}${"0112000300000001"}${orientation.toString(16).padStart(4, "0")}0000${"00000000"}`,
    "hex",
  );
  const app1 = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif]);
  const frame = Buffer.from("ffc0001108000000000301220002110103110100", "hex");
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from("ffd8", "hex"), app1, frame, Buffer.from("ffd9", "hex")]);
}
