import { describe, expect, test } from "vitest";
import { parseMail } from "../../../src/channels/email/parse-mail.js";
import type { ParsedMessage } from "../../../src/channels/email/parsed-message.js";
import { viewMail } from "../../../src/channels/email/view/view-mail.js";
import { repairMail } from "../../../src/channels/email/repair-mail.js";

/** @param source each character is a byte */
function read(source: string): Promise<ParsedMessage> {
  const bytes = Buffer.from(source.replace(/\n/g, "\r\n"), "latin1");
  const mail = { at: new Date("2026-05-01"), source: bytes, size: bytes.length };
  return parseMail(mail, "support@example.com");
}
const utf8 = (text: string): string => Buffer.from(text).toString("latin1");

describe("a mail", () => {
  test.each([
    ["in Latin 1", "Subject: Die Fr\xf6sche\n", "Die Frösche"],
    [
      "in the alphabet of its text",
      "Subject: \xf0\xd2\xc9\xd7\xc5\xd4\nContent-Type: text/plain; charset=koi8-r\n",
      "Привет",
    ],
    [
      "in the alphabet of its parts",
      "Subject: \xc4\xe3\xba\xc3\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain;\n charset=gb2312\n",
      "你好",
    ],
    ["in UTF-8", `Subject: ${utf8("Die Frösche")}\n`, "Die Frösche"],
    ["in UTF-8 that ends within a letter", `Subject: ${utf8("Привет").slice(0, -1)}\n`, "Приве"],
    ["beside one in UTF-8", `X-Other: \xf6\nSubject: ${utf8("Привет")}\n`, "Привет"],
    ["within an encoded word", "Subject: =?iso-8859-1?Q?Die_Fr\xf6sche?=\n", "Die Frösche"],
  ])("has a subject that is not encoded, %s", async (_, head, subject) => {
    expect((await read(`From: a@b.example\n${head}\nx`)).subject).toBe(subject);
  });

  test.each([
    ["as Windows writes it", "Content-Type: text/plain; charset=iso-8859-1\n", "Nur 5 \x80 \x85", "Nur 5 € …"],
    ["without an alphabet", "", "Gr\xfc\xdfe, 5 \x80", "Grüße, 5 €"],
    ["in parts without one", "Content-Type: text/plain\n", "Gr\xfc\xdfe", "Grüße"],
    ["that is said to be UTF-8", "Content-Type: text/plain;\n charset=UTF-8\n", "Gr\xfc\xdfe", "Grüße"],
    [
      "that is said to be ASCII",
      "Content-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: quoted-printable\n",
      "Gr=FC=DFe",
      "Grüße",
    ],
    [
      "in parts",
      "Content-Type: multipart/mixed; boundary=b\n",
      "--b\nContent-Type: text/html\n\n<p>Gr\xfc\xdfe</p>\n--b--",
      "Grüße",
    ],
    [
      "whose sender had lost letters, and which is kept as it came",
      "Content-Type: text/plain; charset=utf-8\n",
      "\xef\xbf\xbd",
      "\ufffd",
    ],
    [
      "of which one part is UTF-8, and another one nothing",
      "Content-Type: multipart/mixed; boundary=b\n",
      `--b\nContent-Type: text/plain; charset=utf-8\n\n${utf8("Grüße")}\n--b\nContent-Type: text/plain; charset=utf-8\n\n\xff\n--b--`,
      "Grüße\n\ufffd",
    ],
    [
      "with one letter that is cut, of many",
      "Content-Type: text/plain; charset=utf-8\n",
      utf8("Привет").slice(0, -1),
      "Приве\ufffd",
    ],
  ])("has a text %s", async (_, head, text, body) => {
    expect((await read(`From: a@b.example\n${head}\n${text}`)).body).toBe(body);
  });

  test("has a subject with the signs that Windows has where Latin 1 has none", async () => {
    expect((await read("From: a@b.example\nSubject: It\x92s 5 \x80\n\nx")).subject).toBe("It’s 5 €");
  });

  test("is shown in the alphabet that it has, whatever it says", async () => {
    const source = Buffer.from("Content-Type: text/html; charset=utf-8\r\n\r\n<p>Gr\xfc\xdfe</p>", "latin1");
    const { html } = await viewMail({ source: new Uint8Array(source).buffer, remote: new Map() });
    expect(html).toContain("Grüße");
  });

  test("has the name of a file in UTF-8 that is not encoded", async () => {
    const { files } = await read(
      `From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/png; name="${utf8("Картинка.png")}"\nContent-Disposition: attachment; filename="${utf8("Картинка.png")}"\n\nx\n--b--\n`,
    );
    expect(files.map(({ name }) => name)).toEqual(["Картинка.png"]);
  });

  test("has the name of a file in the alphabet of its text", async () => {
    const mail = (charset: string): string =>
      `From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=${charset}\n\nx\n--b\nContent-Type: image/png\nContent-Disposition: attachment; filename="\xc4\xe3\xba\xc3.png"\n\nx\n--b--\n`;
    expect((await read(mail("gb2312"))).files.map(({ name }) => name)).toEqual(["你好.png"]);
    expect((await read(mail("iso-8859-1"))).files.map(({ name }) => name)).toEqual(["ÄãºÃ.png"]);
  });

  test("keeps its text and all of it, although its boundaries are wrong", async () => {
    expect(
      await read(
        "From: a@b.example\nContent-Type: multipart/mixed; boundary=one\n\n--two\nContent-Type: text/plain;\n charset=utf-8\n\nWhere is it?\n--two--\n",
      ),
    ).toMatchObject({ body: "Where is it?", keepOriginal: true });
    expect(await read("From: a@b.example\nContent-Type: multipart/mixed; boundary=one\n\nJust text")).toMatchObject({
      body: "Just text",
      keepOriginal: true,
    });
  });

  test("has its text decoded, although nothing says where it begins, and a boundary that was moved to its own line", async () => {
    const broken =
      "Content-Type: multipart/mixed; boundary=one\nContent-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe";
    expect(await read(`From: a@b.example\n${broken}`)).toMatchObject({ body: "Grüße", keepOriginal: true });
    const moved =
      "Content-Type: multipart/mixed;\nboundary=one\n\n--one\nContent-Transfer-Encoding: base64\n\nSGVsbG8=\n--one--";
    expect(await read(`From: a@b.example\n${moved}`)).toMatchObject({ body: "Hello", keepOriginal: false });
  });

  test("may have spaces after its boundaries, and keeps the line before a signature", async () => {
    const mail =
      'From: a@b.example\nContent-Type: multipart/mixed; boundary="b b"\n\n--b b  \nContent-Type: text/plain\n\nHello\n-- \nAda\n--b b\t\nContent-Type: image/png\nContent-Disposition: attachment; filename=a.png\n\nx\n--b b-- \n';
    expect(await read(mail)).toMatchObject({ body: "Hello", files: [{ name: "a.png" }] });
    expect(repairMail(Buffer.from(mail)).toString()).toContain("\n-- \n");
  });

  test("is the same buffer if it keeps the rules", () => {
    const mail = Buffer.from(
      "From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n-- \nAda\n--b--\n",
    );
    expect(repairMail(mail)).toBe(mail);
  });

  test.each([
    ["a mailing list", "List-Id: <users.b.example>", "machine"],
    ["a list's copy", "Precedence: list", "machine"],
    ["a newsletter", "List-Unsubscribe: <mailto:x@b.example>", "machine"],
    ["an answer that can be unsubscribed from", "List-Unsubscribe: <mailto:x@b.example>\nIn-Reply-To: <a@b>", "person"],
    ["our own group", "List-Id: Support <support.example.com>\nPrecedence: list", "person"],
    ["our own group, by its address", "List-Post: <mailto:support@example.com>\nPrecedence: list", "person"],
    ["a group with a similar name", "List-Id: <support.example.com.b.example>", "machine"],
    ["an absence note", "X-Autorespond: yes", "autoReply"],
    ["an absence note, by its subject", "Subject: Abwesenheitsnotiz: Order\nIn-Reply-To: <a@b>", "autoReply"],
    // Whoever begins with these words may be a parent who writes to a school: somebody has to look.
    ["an absence", "Subject: Abwesenheit meines Sohnes am Montag", "machine"],
    ["an absence in Dutch", "Subject: Afwezigheid van mijn dochter", "machine"],
    ["a question about an absence", "Subject: Out of office hours, whom do I call?", "machine"],
  ])("of %s is a person's, or is not", async (_, line, origin) => {
    expect((await read(`From: a@b.example\n${line}\n\nx`)).origin).toBe(origin);
  });

  test("from the mailbox itself is ours, whichever way its domain is written", async () => {
    const source = Buffer.from("From: support@xn--mller-kva.example\n\nx");
    for (const box of ["support@xn--mller-kva.example", "support@müller.example"])
      expect((await parseMail({ at: new Date(), source, size: source.length }, box)).origin, box).toBe("ours");
  });

  test("whose page nests thousands deep has the text of its beginning", async () => {
    const page = `<p>Hello<p>again${"<div>x</div>".repeat(2_000)}${"<div>".repeat(90_000)}deep`;
    const { body, keepOriginal } = await read(`From: a@b.example\nContent-Type: text/html\n\n${page}`);
    expect(body).toMatch(/^Hello\n\nagain/);
    expect(body.match(/x/g)).toHaveLength(2_000);
    expect([body.includes("deep"), keepOriginal]).toEqual([false, true]);
  });

  test("that reports on abuse, or whose report only its subject names, is no person's", async () => {
    expect(
      (await read("From: a@b.example\nContent-Type: multipart/report; report-type=feedback-report\n\nx")).origin,
    ).toBe("machine");
    expect((await read("From: postmaster@b.example\nSubject: Undeliverable Mail\n\nx")).origin).toBe("report");
    expect((await read("From: postmaster@b.example\nSubject: Your order\n\nx")).origin).toBe("person");
    expect((await read("From: MAILER-DAEMON (Mail Delivery System)\n\nx")).origin).toBe("report");
  });
});
