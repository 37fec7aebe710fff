import { SMTPServer } from "smtp-server";
import { OF_LOCALHOST } from "../security/certificate.js";

interface Delivered {
  from: string;
  to: string[];
  headers: Record<string, string>;
  body: string;
}

/** A real mail server on loopback that can refuse mail or delay its answers. */
export interface MailServer {
  readonly url: string;
  readonly port: number;
  /** The passwords that it received. */
  readonly told: string[];
  readonly delivered: Delivered[];
  /** Message-IDs of all mails whose content was received, including refused ones. */
  readonly attempted: string[];
  /** The answer with which it refuses, and the SMTP step; a function decides for each recipient. */
  refuse?: { code: number; at: "recipient" | "content" };
  /** While set, an answer to a mail's content waits for this promise. */
  hold?: Promise<void>;
  /** The only password that it accepts; without one, no client has to sign in. */
  password?: string;
  close(): Promise<void>;
}

/** @param security whether TLS is implicit, offered by STARTTLS, or unsupported */
export async function startMailServer({
  security = "none",
  address = "127.0.0.1",
}: { security?: "tls" | "starttls" | "none"; address?: string } = {}): Promise<MailServer> {
  const refusal = (code: number): Error => Object.assign(new Error("Try again later"), { responseCode: code });
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: security === "none" ? ["STARTTLS"] : [],
    secure: security === "tls",
    ...OF_LOCALHOST,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _, done) => {
      mail.told.push(password!);
      if (mail.password === undefined || password === mail.password) done(null, { user: username });
      else done(Object.assign(new Error("No"), { responseCode: 535 }));
    },
    onRcptTo: (_, __, done) => done(mail.refuse?.at === "recipient" ? refusal(mail.refuse.code) : null),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const { headers, body } = read(Buffer.concat(chunks).toString());
          mail.attempted.push(headers["message-id"]!);
          if (mail.refuse?.at === "content") return done(refusal(mail.refuse.code));
          const { mailFrom, rcptTo } = session.envelope;
          void Promise.resolve(mail.hold).then(() => {
            mail.delivered.push({
              from: mailFrom ? mailFrom.address : "",
              to: rcptTo.map(({ address }) => address),
              headers,
              body,
            });
            done();
          });
        });
    },
  });
  // The client may give up while it waits.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.server.address() as { port: number };
  const mail: MailServer = {
    url: `smtp://127.0.0.1:${port}?requireTLS=false`,
    port,
    told: [],
    delivered: [],
    attempted: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Connections that clients keep open.
        for (const connection of server.connections) connection.close();
      }),
  };
  return mail;
}

/** A single-part mail, parsed as far as the tests need it. */
function read(raw: string): { headers: Record<string, string>; body: string } {
  const end = raw.indexOf("\r\n\r\n");
  const headers = Object.fromEntries(
    raw
      .slice(0, end)
      .replace(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const text = raw.slice(end + 4);
  const encoding = headers["content-transfer-encoding"]?.toLowerCase();
  if (encoding === "base64") return { headers, body: Buffer.from(text, "base64").toString() };
  if (encoding === "quoted-printable")
    return {
      headers,
      body: Buffer.from(
        text
          .replace(/=\r\n/g, "")
          .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
        "latin1",
      ).toString(),
    };
  return { headers, body: text };
}
