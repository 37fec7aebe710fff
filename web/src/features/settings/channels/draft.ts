import { type Edits, numberOf, orDefaults } from "../edits.js";
import type { Channel, ChannelType } from "./queries.js";

/** What a form shows as the API has it. */
interface AsStored {
  fromName: string;
  title: string;
  greeting: string;
  colour: string;
  position: string;
  language: string;
  requireIdentity: boolean;
  apiUrl: string;
  publicUrl: string;
  messagingServiceSid: string;
  forwardTo: string;
  voicemail: boolean;
  transcribe: boolean;
}
/** What the forms of channels show. Each type uses a part of it. */
export interface ChannelDraft extends AsStored {
  name: string;
  address: string;
  smtpHost: string;
  smtpPort: string;
  smtpSecurity: string;
  receives: boolean;
  imapHost: string;
  imapPort: string;
  imapSecurity: string;
  authenticatedBy: string;
  /** One origin a line. */
  allowedOrigins: string;
}
export type Setup = Pick<Edits<ChannelDraft>, "draft" | "edit" | "wrong">;

/** Whether contacts reach a channel at an address that somebody has to enter. */
export const hasAddress = (type: ChannelType): boolean => type === "email" || type === "sms" || type === "voice";

interface Server {
  host: string;
  port: number;
  security: string;
}
/** The settings of all types, as the API has them. */
interface Settings extends Partial<AsStored> {
  smtp?: Server;
  imap?: (Server & { authenticatedBy?: string | null }) | null;
  allowedOrigins?: string[];
}

const DEFAULT_COLOUR = "#1d4ed8";
const PROVIDER = "https://api.twilio.com";

/** What a channel has, or what a new one begins with. */
export function draftOf(channel?: Channel): ChannelDraft {
  const { smtp, imap, allowedOrigins, ...settings } = (channel?.settings ?? {}) as Settings;
  const sends = orDefaults(smtp, { host: "", port: 465, security: "tls" });
  const reads = orDefaults(imap ?? undefined, { host: "", port: 993, security: "tls", authenticatedBy: "" });
  return {
    ...orDefaults(channel, { name: "", address: "" }),
    ...orDefaults<AsStored>(settings, {
      fromName: "",
      title: "",
      greeting: "",
      colour: DEFAULT_COLOUR,
      position: "end",
      language: "",
      requireIdentity: false,
      apiUrl: PROVIDER,
      publicUrl: "",
      messagingServiceSid: "",
      forwardTo: "",
      voicemail: true,
      transcribe: true,
    }),
    smtpHost: sends.host,
    smtpPort: String(sends.port),
    smtpSecurity: sends.security,
    receives: channel === undefined || Boolean(imap),
    imapHost: reads.host,
    imapPort: String(reads.port),
    imapSecurity: reads.security,
    authenticatedBy: reads.authenticatedBy,
    allowedOrigins: (allowedOrigins ?? []).join("\n"),
  };
}

export const linesOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter(Boolean);

/** The settings that a channel of this type is sent. */
export function settingsOf(type: ChannelType, draft: ChannelDraft): Record<string, unknown> {
  const orNull = (name: "fromName" | "authenticatedBy" | "title" | "greeting" | "language"): string | null =>
    draft[name].trim() || null;
  const telephony = {
    apiUrl: draft.apiUrl.trim() || PROVIDER,
    publicUrl: draft.publicUrl.trim() || null,
  };
  switch (type) {
    case "email":
      return {
        smtp: { host: draft.smtpHost, port: numberOf(draft.smtpPort), security: draft.smtpSecurity },
        imap: draft.receives
          ? {
              host: draft.imapHost,
              port: numberOf(draft.imapPort),
              security: draft.imapSecurity,
              authenticatedBy: orNull("authenticatedBy"),
            }
          : null,
        fromName: orNull("fromName"),
      };
    case "webchat":
      return {
        allowedOrigins: linesOf(draft.allowedOrigins),
        title: orNull("title"),
        greeting: orNull("greeting"),
        colour: draft.colour,
        position: draft.position,
        language: orNull("language"),
        requireIdentity: draft.requireIdentity,
      };
    case "sms":
      return { ...telephony, messagingServiceSid: draft.messagingServiceSid.trim() || null };
    case "voice":
      return {
        ...telephony,
        greeting: orNull("greeting"),
        forwardTo: draft.forwardTo.trim() || null,
        voicemail: draft.voicemail,
        transcribe: draft.transcribe,
      };
    default:
      return {};
  }
}

/** The servers that the stored credentials are for. If they change, the credentials are deleted. */
export const serversOf = (type: ChannelType, draft: ChannelDraft): string =>
  type === "email"
    ? `${draft.smtpHost}:${draft.smtpPort} ${draft.receives ? `${draft.imapHost}:${draft.imapPort}` : ""}`
    : type === "sms" || type === "voice"
      ? draft.apiUrl
      : "";

/** The fields of each type, as the server names them. */
export const FIELDS: Record<ChannelType, readonly string[]> = {
  email: [
    "name",
    "address",
    "settings.smtp.host",
    "settings.smtp.port",
    "settings.imap.host",
    "settings.imap.port",
    "settings.imap.authenticatedBy",
    "settings.fromName",
  ],
  webchat: [
    "name",
    "settings.allowedOrigins",
    "settings.title",
    "settings.greeting",
    "settings.colour",
    "settings.language",
  ],
  sms: ["name", "address", "settings.apiUrl", "settings.publicUrl", "settings.messagingServiceSid"],
  voice: ["name", "address", "settings.apiUrl", "settings.publicUrl", "settings.greeting", "settings.forwardTo"],
  contact_form: ["name"],
  api: ["name"],
};

/** The credentials of each type. Those that are not needed can be left empty. */
export const CREDENTIALS = {
  email: [
    { name: "username" },
    { name: "password", isSecret: true },
    { name: "smtpUsername", isOptional: true },
    { name: "smtpPassword", isSecret: true, isOptional: true },
  ],
  webchat: [{ name: "identitySecret", isSecret: true }],
  sms: [{ name: "accountSid" }, { name: "authToken", isSecret: true }],
  voice: [{ name: "accountSid" }, { name: "authToken", isSecret: true }],
  contact_form: [],
  api: [],
} as const satisfies Record<ChannelType, readonly { name: string; isSecret?: true; isOptional?: true }[]>;

export const credentialFields = (type: ChannelType): string[] =>
  CREDENTIALS[type].map(({ name }) => `credentials.${name}`);

/** What was typed of the credentials. */
export function credentialsIn(type: ChannelType, form: FormData): Record<string, string> {
  return Object.fromEntries(
    CREDENTIALS[type].flatMap(({ name }) => {
      const value = form.get(name) as string;
      return value ? [[name, value]] : [];
    }),
  );
}
