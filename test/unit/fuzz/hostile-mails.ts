// Mails that are written to hurt whoever reads them: 25 ways, each in 20 sizes, the largest of some megabytes. A mail is a function of
// its way, its size and the seed, so a mail that did harm can be made again.

import { randomFrom } from "../../support/seed.js";

interface HostileMail {
  name: string;
  make: () => Buffer;
}

const SIZES = 20;

const each = (count: number, make: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => make(n)).join("");
const head = (headers: string): string =>
  `From: Eve <eve@example.net>\r\nTo: support@example.com\r\nMessage-ID: <hostile@example.net>\r\nMIME-Version: 1.0\r\n${headers}`;
const mail = (headers: string, body = "x"): string => `${head(headers)}\r\n${body}\r\n`;
const multipart = (type: string, parts: string): string =>
  mail(`Content-Type: multipart/${type}; boundary=b\r\n`, `${parts}--b--`);
const html = (body: string): string => mail("Content-Type: text/html; charset=utf-8\r\n", body);
const attached = (parameters: string): string =>
  multipart(
    "mixed",
    `--b\r\nContent-Type: application/pdf;${parameters}\r\nContent-Disposition: attachment;${parameters}\r\n\r\nx\r\n`,
  );

const CHARSETS = [
  "utf-7",
  "utf-16",
  "utf-32",
  "iso-2022-jp",
  "iso-2022-kr",
  "iso-2022-cn",
  "hz-gb-2312",
  "big5-hkscs",
  "euc-tw",
  "gb18030",
  "x-user-defined",
  "replacement",
  "unicode-1-1-utf-8",
  "x-unknown",
  "'",
  "a".repeat(10_000),
  "utf-8; charset=utf-16",
  '"utf-8',
  "=?utf-8?Q?utf-8?=",
  "__proto__",
];

/** The same bytes for the same seed and length. */
function randomBytes(length: number): Buffer {
  const random = randomFrom();
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at++) bytes[at] = random() * 256;
  return bytes;
}

const nested = (depth: number): string =>
  mail(
    "Content-Type: multipart/mixed; boundary=b0\r\n",
    each(depth, (n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`),
  );

/** By what they do: `size` goes from 1 to 20. */
const WAYS: Record<string, (size: number) => string | Buffer> = {
  "multiparts in one another": (size) => nested(50 * size),
  "mails in one another": (size) =>
    mail(
      "Content-Type: message/rfc822\r\n",
      each(50 * size, () => "Content-Type: message/rfc822\r\n\r\n"),
    ),
  "so many recipients": (size) => mail(`Cc: ${each(5_000 * size, (n) => `a${n}@example.net, `)}\r\n`),
  "so many groups of recipients": (size) => mail(`Cc: ${each(2_000 * size, (n) => `g${n}: a@b.example;, `)}\r\n`),
  "so many headers": (size) => mail(each(5_000 * size, (n) => `X-${n}: ${n}\r\n`)),
  "a header of so many lines": (size) => mail(`Subject: a\r\n${" b\r\n".repeat(10_000 * size)}`),
  "a page that is its own picture": (size) =>
    multipart(
      "related",
      `--b\r\nContent-Type: text/html\r\nContent-ID: <loop>\r\n\r\n${'<img src="cid:loop"><iframe src="cid:loop"></iframe>'.repeat(500 * size)}\r\n--b\r\nContent-Type: image/png\r\nContent-ID: <loop>\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n`,
    ),
  "a broken charset": (size) =>
    Buffer.concat([
      Buffer.from(
        mail(`Content-Type: text/plain; charset=${CHARSETS[size - 1]}\r\nContent-Transfer-Encoding: 8bit\r\n`, ""),
      ),
      randomBytes(200_000),
    ]),
  "boundaries that nobody uses": (size) =>
    mail(`Content-Type: multipart/mixed; ${each(2_000 * size, (n) => `boundary=b${n}; `)}\r\n`),
  "lines that are nearly a boundary": (size) =>
    multipart("mixed", "--b x\r\n--bb\r\n-- b\r\n--b \t \r\n".repeat(5_000 * size)),
  "soft line breaks": (size) => mail("Content-Transfer-Encoding: quoted-printable\r\n", "=\r\n".repeat(50_000 * size)),
  "quoted-printable that is none": (size) =>
    mail("Content-Transfer-Encoding: quoted-printable\r\n", `=XY==3D= ${" ".repeat(50)}`.repeat(3_000 * size)),
  "empty parts": (size) => multipart("mixed", "--b\r\n\r\n".repeat(50_000 * size)),
  "parameters in so many pieces": (size) => attached(each(500 * size, (n) => ` name*${n}*=a;`)),
  "parameters with the same number": (size) =>
    attached(` filename*0*=utf-8''a;${" filename*1*=%C3%BC%ff;".repeat(2_000 * size)}`),
  "encoded words": (size) =>
    mail(`Subject: ${each(5_000 * size, () => "=?utf-8?B?w7w=?= =?iso-8859-1?Q?=FC?=\r\n ")}\r\n`),
  "encoded words without an end": (size) => mail(`Subject: ${"=?utf-8?Q?=?=?utf-8?B?".repeat(2_000 * size)}\r\n`),
  "base64 of nothing": (size) =>
    mail("Content-Transfer-Encoding: base64\r\n", "====\r\n    \r\n".repeat(20_000 * size)),
  "base64 of rubbish": (size) =>
    Buffer.concat([
      Buffer.from(
        multipart("mixed", "").replace(
          "--b--",
          "--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n",
        ),
      ),
      randomBytes(100_000 * size),
    ]),
  "comments in one another": (size) =>
    `From: ${"(".repeat(5_000 * size)}eve@example.net\r\nDate: ${"(".repeat(5_000 * size)}\r\nReply-To: ${'"a\\'.repeat(3_000 * size)}\r\n\r\nx`,
  "so many references": (size) =>
    mail(
      `References: ${each(10_000 * size, (n) => `<${n}@example.net>\r\n `)}\r\nIn-Reply-To: ${"<".repeat(20_000 * size)}\r\n`,
    ),
  "a page of so many elements": (size) =>
    html(
      [
        "<div>".repeat(5_000 * size),
        `<p ${each(2_000 * size, (n) => `a${n}=b `)}>`,
        "&#x1F600;&notanentity;".repeat(5_000 * size),
        "<!--".repeat(5_000 * size),
        "<table><tr><td>".repeat(2_000 * size),
        "<a><b><i><p>".repeat(500 * size),
      ][size % 6]!,
    ),
  "a report on so many recipients": (size) =>
    mail(
      "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n",
      `--b\r\nContent-Type: message/delivery-status\r\n\r\n${each(5_000 * size, (n) => `Final-Recipient: rfc822; a${n}@example.net\r\nAction: failed\r\nStatus: 5.2.2\r\n\r\n`)}--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <0190d3a0-0000-7000-8000-000000000001@parley>\r\n--b--`,
    ),
  "quotes in quotes": (size) =>
    mail(
      "Content-Type: text/plain; format=flowed; delsp=yes\r\n",
      each(1_000 * size, (n) => `${">".repeat(n % 500)} On 1 May 2026, a@b.example wrote: \r\n`),
    ),
  "bytes that are no mail": (size) => randomBytes(50_000 * size),
};

/** All 500. */
export const hostileMails = (): HostileMail[] =>
  Object.entries(WAYS).flatMap(([way, make]) =>
    Array.from({ length: SIZES }, (_, n) => ({
      name: `${way}, size ${n + 1}`,
      make: () => {
        const made = make(n + 1);
        return typeof made === "string" ? Buffer.from(made, "latin1") : made;
      },
    })),
  );
