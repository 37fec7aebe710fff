import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTime, anId } from "../e2e/support.js";
import { until } from "../../races/support.js";
import { ask, speak } from "../security/http.js";
import { attachmentsOf, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { fileForm } from "../../support/client.js";
import {
  beginning,
  connection,
  download,
  filesOf,
  gif,
  isThere,
  jpeg,
  MB,
  PART,
  png,
  rows,
  upload,
} from "./support.js";
import { run } from "../../support/sql.js";

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

/** Checks that `work` leaves no row and no file. */
async function leavingNothing(work: () => Promise<void>): Promise<void> {
  const before = [await rows(app), filesOf(app)];
  await work();
  await until(async () => filesOf(app).length === (before[1] as string[]).length, "what was begun is removed");
  expect([await rows(app), filesOf(app)]).toEqual(before);
}

describe("an upload", () => {
  test("returns 201 with the file's metadata, and the file can be downloaded byte for byte", async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7) % 251));
    const made = await upload(tenant.live, bytes, "data.bin", "application/octet-stream");
    expect(made).toEqual({
      id: anId,
      fileName: "data.bin",
      contentType: "application/octet-stream",
      size: 300_000,
      width: null,
      height: null,
      createdAt: aTime,
    });
    const { url, ...read } = (await tenant.live.get(`/api/attachments/${made.id}`, 200)).body;
    expect(read).toEqual(made);
    expect(url).toMatch(/^http:\/\/localhost:3000\/api\/public\/attachments\/[\w-]{91}$/);
    expect(Buffer.from(await (await download(app, tenant.live, made.id)).arrayBuffer()).equals(bytes)).toBe(true);
  });

  test.each<[string, Buffer, [number, number]]>([
    ["PNG", png(640, 480), [640, 480]],
    ["GIF", gif(20, 10), [20, 10]],
    ["JPEG", jpeg(300, 200), [300, 200]],
    ["JPEG of a camera held upright", jpeg(300, 200, 6), [200, 300]],
  ])("of a %s returns its dimensions as displayed", async (_, bytes, [width, height]) => {
    expect(await upload(tenant.live, bytes, "a.bin", "application/octet-stream")).toMatchObject({
      contentType: expect.stringMatching(/^image\//),
      width,
      height,
    });
  });

  test("of an image that claims a huge size, or that is truncated, is accepted because no image is decoded", async () => {
    expect(await upload(tenant.live, png(65_535, 65_535))).toMatchObject({
      contentType: "image/png",
      width: 65_535,
      height: 65_535,
    });
    expect(await upload(tenant.live, png(4_294_967_295, 4_294_967_295))).toMatchObject({
      contentType: "image/png",
      width: null,
      height: null,
    });
    expect(await upload(tenant.live, jpeg(300, 200).subarray(0, 20))).toMatchObject({
      contentType: "image/jpeg",
      width: null,
      height: null,
    });
  });

  test.each<[string, string | Buffer, string, string, string]>([
    ["text that calls itself an image", "Hello", "a.png", "image/png", "text/plain"],
    [
      "a page that calls itself an image",
      "<!doctype html><script>alert(1)</script>",
      "a.png",
      "image/png",
      "text/plain",
    ],
    ["an image that calls itself a page", png(1, 1), "a.html", "text/html", "image/png"],
    ["an image of no type", png(1, 1), "a", "", "image/png"],
    [
      "an SVG",
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      "a.svg",
      "image/svg+xml",
      "image/svg+xml",
    ],
    [
      "an SVG with a prologue",
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
      "a.svg",
      "image/svg+xml",
      "image/svg+xml",
    ],
    ["a PDF", "%PDF-1.7\n", "a.pdf", "application/pdf", "application/pdf"],
    ["a table", "a;b\n1;2\n", "a.csv", "Text/CSV; charset=utf-8", "text/csv"],
    [
      "bytes that call themselves text",
      Buffer.from([1, 2, 3, 0, 255]),
      "a.txt",
      "text/plain",
      "application/octet-stream",
    ],
    [
      "bytes that call themselves a film",
      Buffer.from([1, 2, 3, 0, 255]),
      "a.mp4",
      "video/mp4",
      "application/octet-stream",
    ],
  ])("gets its type from its bytes: %s", async (_, content, name, type, contentType) => {
    expect(await upload(tenant.live, content, name, type)).toMatchObject({ contentType });
  });

  test.each<[string, string | Buffer, string]>([
    ["of Windows", Buffer.concat([Buffer.from("MZ"), Buffer.alloc(200)]), "report.pdf"],
    ["of Linux", Buffer.concat([Buffer.from("7f454c46020101", "hex"), Buffer.alloc(200)]), "report.pdf"],
    ["of macOS", Buffer.concat([Buffer.from("cffaedfe", "hex"), Buffer.alloc(200)]), "report.pdf"],
    ["in a script", "#!/bin/sh\nrm -rf /\n", "report.txt"],
    ["by its name", "Hello", "report.EXE"],
    ["by a name that ends in dots and spaces", "Hello", "report.exe. . "],
    ["by a name that reads backwards", "Hello", "report\u202efdp.exe"],
    ["by a name after a path", "Hello", "C:\\x\\run.bat"],
  ])("of an executable (%s) returns 415 and leaves no row and no file", (_, content, name) =>
    leavingNothing(async () => {
      await tenant.live.post("/api/attachments", fileForm(content, name, "application/pdf"), 415);
    }),
  );

  test("gets a file name that is safe on every disk and has no invisible characters", async () => {
    const names: [string, string][] = [
      ["../../etc/passwd", "passwd"],
      ["..\\..\\boot.ini", "boot.ini"],
      ["/abs/olute.txt", "olute.txt"],
      ["..", "file"],
      [".htaccess", "htaccess"],
      ["a\u202etxt.b", "atxt.b"],
      ["a\u0007b\u200b.txt", "ab.txt"],
      ["con.txt", "_con.txt"],
      ["a:b|c?.txt", "a_b_c_.txt"],
      ["  spaced   name .txt  ", "spaced name .txt"],
      ["Größe 🙂.txt", "Größe 🙂.txt"],
      ["e\u0301.txt", "é.txt"],
      [`${"x".repeat(300)}.txt`, `${"x".repeat(196)}.txt`],
    ];
    for (const [given, kept] of names) {
      const made = await upload(tenant.live, "Hello", given);
      expect([given, made.fileName]).toEqual([given, kept]);
      expect(isThere(app, made.id)).toBe(true);
    }
    expect(filesOf(app).filter((file) => !file.startsWith(attachmentsOf(app.db)))).toEqual([]);
  });
});

describe("a request body", () => {
  const send = (body: FormData) => tenant.live.post("/api/attachments", body, 400);
  test("with no file, two files, an empty file or other fields returns 400 and leaves no row and no file", () =>
    leavingNothing(async () => {
      const [none, text, extra, before, two, other] = Array.from({ length: 6 }, () => new FormData());
      text!.set("file", "text");
      for (const form of [extra!, before!, two!]) if (form !== before) form.set("file", new File(["Hello"], "a.txt"));
      before!.set("name", "x");
      before!.set("file", new File(["Hello"], "a.txt"));
      extra!.set("name", "x");
      two!.append("file", new File(["Hello"], "b.txt"));
      other!.set("attachment", new File(["Hello"], "a.txt"));
      for (const form of [none!, text!, extra!, before!, two!, other!, fileForm("")]) await send(form);
    }));

  test.each([
    ["no boundary", "multipart/form-data", "x"],
    ["another boundary", "multipart/form-data; boundary=y", `${PART}Hello\r\n--x--\r\n`],
    ["no end", "multipart/form-data; boundary=x", `${PART}Hello`],
    ["no head", "multipart/form-data; boundary=x", "--x\r\n\r\nHello\r\n--x--\r\n"],
    ["nothing", "multipart/form-data; boundary=x", ""],
  ])("that is malformed (%s) returns 400 and leaves no row and no file", (_, type, body) =>
    leavingNothing(async () => {
      const answer = await ask(app.baseUrl, {
        method: "POST",
        path: "/api/attachments",
        headers: { authorization: `Bearer ${tenant.live.token}`, "content-type": type },
        body,
      });
      expect([answer.status, Object.keys(JSON.parse(answer.text) as object)]).toEqual([400, ["error"]]);
    }),
  );

  test("of another type returns 415, and of an unauthorized caller 401 or 403 before the body is read", () =>
    leavingNothing(async () => {
      await tenant.live.post("/api/attachments", { file: "x" }, 415);
      await tenant.live.as(undefined).post("/api/attachments", fileForm("Hello"), 401);
    }));
});

describe("a file", () => {
  test("of 25 MB is accepted, and one byte more returns 413", () =>
    leavingNothing(async () => {
      const { id } = await upload(tenant.live, Buffer.alloc(25 * MB, "a"));
      await app.transaction(tenant.tenantId, (tx) =>
        run(tx, "delete from attachment where tenant_id = :tenant and id = :id", { id }),
      );
      fs.rmSync(filesOf(app).find((file) => path.basename(file) === id)!);
      await tenant.live.post("/api/attachments", fileForm(Buffer.alloc(25 * MB + 1, "a")), 413);
    }));

  test("is refused before it is read if Content-Length says 26 MB, and otherwise as soon as it is too large", () =>
    leavingNothing(async () => {
      const announced = await speak(app.baseUrl, `${beginning(tenant.live.token, `Content-Length: ${26 * MB}`)}`);
      expect(announced).toMatchObject({ status: 413, headers: { connection: "close" } });
      const socket = await connection(app.baseUrl, beginning(tenant.live.token, "Transfer-Encoding: chunked"));
      let [answer, sent] = ["", 0];
      socket
        .on("data", (data) => {
          answer += data.toString();
        })
        .on("error", () => undefined);
      const chunk = (text: string | Buffer) =>
        Buffer.concat([
          Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n`),
          Buffer.from(text),
          Buffer.from("\r\n"),
        ]);
      socket.write(chunk(PART));
      // The body never ends: only the server can stop it.
      const piece = chunk(Buffer.alloc(MB / 4, "a"));
      // The pause between the chunks lets the response arrive as soon as it is sent.
      for (; !answer && !socket.destroyed && sent < 60 * MB; sent += MB / 4)
        await new Promise<void>((resolve) => {
          socket.write(piece, () => setTimeout(resolve, 1));
        });
      // A client that keeps sending may see the closed connection before the response.
      expect(answer || "reset").toMatch(/^(HTTP\/1\.1 413 |reset$)/);
      expect(socket.destroyed || answer).toBeTruthy();
      expect(sent).toBeLessThan(45 * MB);
      socket.destroy();
    }));

  test.each(["Content-Length: 5000000", "Transfer-Encoding: chunked"])(
    "whose connection breaks off (%s) leaves no row and no file",
    (framing) =>
      leavingNothing(async () => {
        const body = PART + "a".repeat(1_000_000);
        const socket = await connection(
          app.baseUrl,
          beginning(tenant.live.token, framing) +
            (framing.includes("chunked") ? `${body.length.toString(16)}\r\n${body}\r\n` : body),
        );
        await until(
          async () => filesOf(app).some((file) => file.includes("incoming") && fs.statSync(file).size > 500_000),
          "the file is arriving",
        );
        socket.destroy();
        await until(async () => !filesOf(app).some((file) => file.includes("incoming")), "it is gone");
      }),
  );

  test("has a longer time limit than other requests", async () => {
    const server = app.app.getHttpServer();
    const body = `${PART}Hello\r\n--x--\r\n`;
    const ordinary = server.requestTimeout;
    server.requestTimeout = 500;
    try {
      const slow = await connection(
        app.baseUrl,
        `POST /api/contacts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tenant.live.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      );
      const socket = await connection(
        app.baseUrl,
        beginning(tenant.live.token, `Content-Length: ${body.length}`) + PART,
      );
      // The other request is found to be too slow in the same check of all connections.
      expect(String((await once(slow, "data"))[0])).toMatch(/^HTTP\/1\.1 408 /);
      socket.write(body.slice(PART.length));
      expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 201 /);
      socket.destroy();
    } finally {
      server.requestTimeout = ordinary;
    }
  });
});

describe("an upload with an Idempotency-Key", () => {
  const headers = (key: string) => ({ headers: { "idempotency-key": key } });
  test("returns the first response for the same file and stores it once, and returns 422 for another file or name", () =>
    leavingNothing(async () => {
      const first = await tenant.live.post("/api/attachments", fileForm("Hello"), 201, headers("a"));
      const kept = filesOf(app);
      const again = await tenant.live.post("/api/attachments", fileForm("Hello"), 201, headers("a"));
      expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
      for (const other of [fileForm("Hallo"), fileForm("Hello", "b.txt"), fileForm("Hello", "note.txt", "text/csv")])
        await tenant.live.post("/api/attachments", other, 422, headers("a"));
      expect(filesOf(app)).toEqual(kept);
      await tenant.live.post("/api/attachments", fileForm("Hello"), 400, headers("not one".repeat(50)));
      await app.db.query("delete from attachment where id = $1", [first.body.id]);
      for (const file of kept) if (file.endsWith(first.body.id)) fs.rmSync(file);
    }));

  test("is stored once when it is sent ten times concurrently", async () => {
    const before = await rows(app);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => tenant.live.post("/api/attachments", fileForm("Hello"), 201, headers("b"))),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect([await rows(app), filesOf(app).filter((file) => file.includes("incoming"))]).toEqual([before + 1, []]);
  });
});
