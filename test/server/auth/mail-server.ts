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
  /** The same mails as they came. */
  readonly sources: string[];
  /** Message-IDs of all mails whose content was received, including refused ones. */
  readonly attempted: string[];
  /** The answer with which it refuses, and the SMTP step; a function decides for each recipient. */
  refuse?: { code: number; at: "recipient" | "content" };
  /** The recipients that it refuses for good, while it takes the mail for others. */
  readonly unknown: Set<string>;
  /** While set, an answer to a mail's content waits for this promise. */
  hold?: Promise<void>;
  /** With it, clients sign in with tokens (XOAUTH2): whether a token opens a mailbox. */
  opens?: (token: string, address: string) => Promise<boolean>;
  /** The only password that it accepts; without one, no client has to sign in. */
  password?: string;
  close(): Promise<void>;
}

/** @param security whether TLS is implicit, offered by STARTTLS, or unsupported */
export async function startMailServer({
  security = "none",
  address = "127.0.0.1",
  opens,
}: {
  security?: "tls" | "starttls" | "none";
  address?: string;
  opens?: MailServer["opens"];
} = {}): Promise<MailServer> {
  const refusal = (code: number): Error => Object.assign(new Error("Try again later"), { responseCode: code });
  const server = new SMTPServer({
    authOptional: opens === undefined,
    ...(opens && { authMethods: ["XOAUTH2"] }),
    allowInsecureAuth: true,
    disabledCommands: security === "none" ? ["STARTTLS"] : [],
    secure: security === "tls",
    ...OF_LOCALHOST,
    disableReverseLookup: true,
    onAuth: ({ username, password, accessToken }, _, done) => {
      if (mail.opens && accessToken)
        return void mail.opens(accessToken, username!).then((isOpen) =>
          // As Google says it: the client answers with an empty line, and then it is refused.
          done(null, isOpen ? { user: username } : { data: { status: "401", schemes: "bearer", scope: "mail" } }),
        );
      mail.told.push(password!);
      if (mail.password === undefined || password === mail.password) done(null, { user: username });
      else done(Object.assign(new Error("No"), { responseCode: 535 }));
    },
    onRcptTo: ({ address: recipient }, _, done) =>
      done(
        mail.refuse?.at === "recipient"
          ? refusal(mail.refuse.code)
          : mail.unknown.has(recipient)
            ? Object.assign(new Error("No such person"), { responseCode: 550 })
            : null,
      ),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const source = Buffer.concat(chunks).toString();
          const { headers, body } = read(source);
          mail.attempted.push(headers["message-id"]!);
          if (mail.refuse?.at === "content") return done(refusal(mail.refuse.code));
          const { mailFrom, rcptTo } = session.envelope;
          void Promise.resolve(mail.hold).then(() => {
            mail.sources.push(source);
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
    sources: [],
    unknown: new Set(),
    attempted: [],
    ...(opens && { opens }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Connections that clients keep open.
        for (const connection of server.connections) connection.close();
      }),
  };
  return mail;
}

/** A mail, parsed as far as the tests need it: `body` is its plain text. */
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
  const boundary = /^multipart\/.*boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1];
  // The text is the first part.
  if (boundary) return { headers, body: read(text.split(`--${boundary}\r\n`)[1]!.split(`\r\n--${boundary}`)[0]!).body };
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
