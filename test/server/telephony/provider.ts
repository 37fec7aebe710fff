import http from "node:http";
import type { AddressInfo } from "node:net";
import webhooks from "twilio/lib/webhooks/webhooks.js";
import type { TestApp } from "../../support/app.js";
import type { Answer } from "../../support/client.js";

/** The public URL at which the provider believes Parley to be. */
export const PUBLIC_URL = "https://parley.example.com";
const ACCOUNT = `AC${"a".repeat(32)}`;
const TOKEN = "b".repeat(32);
export const OURS = "+4930901820";
export const CREDENTIALS = { accountSid: ACCOUNT, authToken: TOKEN };

interface Sent {
  sid: string;
  to: string;
  from: string | null;
  body: string;
  callback: string | null;
  created: Date;
}
/** The outcome of a message: a temporary refusal, accepted without an answer, or delayed. */
type Mishap =
  | { status: number; code: number; retryAfter?: number }
  | "taken, and the answer is lost"
  | "lost on the way"
  | "says nothing"
  | undefined;

export interface Provider {
  url: string;
  port: number;
  /** The origin of its files. */
  cdnPort: number;
  sent: Sent[];
  requests: string[];
  accountStatus: string;
  optedOut: Set<string>;
  number: {
    sid: string;
    phone_number: string;
    sms_url: string;
    voice_url: string;
    status_callback: string;
    capabilities: { sms: boolean; voice: boolean };
  };
  mishap: (form: URLSearchParams) => Mishap;
  /** Files by path. Their URL requires the token, and redirects to a URL that must not receive it. */
  files: Map<string, { type: string; bytes: Buffer }>;
  fileFails: boolean;
  close(): Promise<void>;
}

let serial = 0;
const sidOf = (prefix: string): string => prefix + (++serial).toString(16).padStart(32, "0");

/** The used part of Twilio's REST interface, with the same validation. */
export async function startProvider(): Promise<Provider> {
  const server = http.createServer((request, response) => {
    let text = "";
    request
      .setEncoding("utf8")
      .on("data", (chunk: string) => {
        text += chunk;
      })
      .on("end", () => {
        answer(request, response, text);
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const cdn = http.createServer(({ url, headers }, response) => {
    const file = provider.files.get(url!);
    if (headers.authorization || !file) response.writeHead(400).end();
    else response.writeHead(200, { "content-type": file.type }).end(file.bytes);
  });
  await new Promise<void>((resolve) => {
    cdn.listen(0, "127.0.0.1", resolve);
  });
  const cdnPort = (cdn.address() as AddressInfo).port;
  const provider: Provider = {
    url: `http://127.0.0.1:${port}`,
    port,
    cdnPort,
    sent: [],
    requests: [],
    accountStatus: "active",
    optedOut: new Set(),
    mishap: () => undefined,
    files: new Map(),
    fileFails: false,
    number: {
      sid: sidOf("PN"),
      phone_number: OURS,
      sms_url: "",
      voice_url: "https://demo.twilio.com/welcome/voice/",
      status_callback: "",
      capabilities: { sms: true, voice: true },
    },
    close: async () => {
      for (const one of [server, cdn]) {
        one.close();
        one.closeAllConnections();
      }
    },
  };

  function answer(request: http.IncomingMessage, response: http.ServerResponse, text: string): void {
    const url = new URL(request.url!, provider.url);
    const json = (status: number, body: object, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    };
    const refuse = (status: number, code: number, headers = {}): void =>
      json(
        status,
        { code, message: `Error ${code}`, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
        headers,
      );
    provider.requests.push(`${request.method} ${url.pathname}`);
    if (request.headers.authorization !== `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString("base64")}`)
      return refuse(401, 20003);
    if (provider.files.has(url.pathname))
      return void (provider.fileFails
        ? response.writeHead(503).end()
        : response.writeHead(307, { location: `http://127.0.0.1:${cdnPort}${url.pathname}` }).end());
    const [, resource] = new RegExp(`^/2010-04-01/Accounts/${ACCOUNT}(.*)$`).exec(url.pathname) ?? [];
    if (resource === ".json") return json(200, { sid: ACCOUNT, status: provider.accountStatus });
    if (resource === "/IncomingPhoneNumbers.json")
      return json(200, {
        incoming_phone_numbers:
          url.searchParams.get("PhoneNumber") === provider.number.phone_number ? [provider.number] : [],
      });
    const form = new URLSearchParams(text);
    if (request.method === "POST" && request.headers["content-type"] !== "application/x-www-form-urlencoded")
      return refuse(400, 20001);
    if (resource === `/IncomingPhoneNumbers/${provider.number.sid}.json`) {
      for (const [name, value] of form)
        if (name.endsWith("Url") || name === "StatusCallback")
          Object.assign(provider.number, {
            [name.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()]: value,
          });
      return json(200, provider.number);
    }
    if (resource !== "/Messages.json") return refuse(404, 20404);
    if (request.method === "GET") {
      const messages = provider.sent.filter(
        ({ to, from }) => to === url.searchParams.get("To") && [null, from].includes(url.searchParams.get("From")),
      );
      return json(200, {
        messages: messages
          .reverse()
          .slice(0, Number(url.searchParams.get("PageSize")))
          .map(({ sid, to, from, body, created }) => ({
            sid,
            to,
            from,
            body,
            status: "sent",
            direction: "outbound-api",
            date_created: created.toUTCString(),
          })),
      });
    }
    send(form, { json, refuse, drop: () => request.socket.destroy() });
  }

  function send(
    form: URLSearchParams,
    {
      json,
      refuse,
      drop,
    }: {
      json: (status: number, body: object) => void;
      refuse: (status: number, code: number, headers?: object) => void;
      drop: () => void;
    },
  ): void {
    const [to, from, body, callback] = ["To", "From", "Body", "StatusCallback"].map((name) => form.get(name)) as [
      string,
      string | null,
      string | null,
      string | null,
    ];
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return refuse(400, 21211);
    if (!form.has("MessagingServiceSid") && from !== OURS) return refuse(400, from === null ? 21603 : 21659);
    if (!body?.trim()) return refuse(400, 21602);
    if (body.length > 1_600) return refuse(400, 21617);
    if (callback !== null && !URL.canParse(callback)) return refuse(400, 21609);
    if (provider.optedOut.has(to)) return refuse(400, 21610);
    const mishap = provider.mishap(form);
    if (typeof mishap === "object")
      return refuse(
        mishap.status,
        mishap.code,
        mishap.retryAfter === undefined ? {} : { "retry-after": String(mishap.retryAfter) },
      );
    if (mishap === "lost on the way") return drop();
    if (mishap === "says nothing") return;
    const message = { sid: sidOf("SM"), to, from, body, callback, created: new Date() };
    provider.sent.push(message);
    if (mishap) return drop();
    json(201, { sid: message.sid, status: "queued", to, from, body, error_code: null });
  }
  return provider;
}

/** Sends a webhook to Parley as the provider does. */
export function tell(
  app: TestApp,
  path: string,
  params: Record<string, string>,
  { token = TOKEN, base = PUBLIC_URL, headers = {} } = {},
): Promise<Answer> {
  return app.client().post(path, new URLSearchParams(params).toString(), undefined, {
    headers: {
      "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
      "x-twilio-signature": webhooks.getExpectedTwilioSignature(token, base + path, params),
      ...headers,
    },
  });
}
export const webhook = (channelId: string, query = ""): string => `/api/webhooks/channels/${channelId}${query}`;
export const newSid = sidOf;
let numbers = 15_100_000;
/** A random mobile number. */
export const newPhone = (): string => `+49151${++numbers}`.slice(0, 14);
export const EMPTY = '<?xml version="1.0" encoding="UTF-8"?><Response/>';
