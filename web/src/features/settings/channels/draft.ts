import { type Edits, numberOf, orDefaults } from "../edits.js";
import type { Channel, ChannelType } from "./queries.js";

/** The ways in which mails come in where nobody signs in. */
export const INBOUND = ["imap", "postmark", "mailgun", "ses"] as const;
export type Inbound = (typeof INBOUND)[number];
export type MailProvider = Exclude<Inbound, "imap">;

/** What a form shows as the API has it. */
interface AsStored {
  fromName: string;
  quote: string;
  plusAddressing: boolean;
  dkimSelector: string;
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
  maxMessageMb: string;
  /** Who sends mails to us by webhook, or `imap`. */
  inbound: Inbound;
  topicArn: string;
  bucket: string;
  bucketRegion: string;
  /** At Microsoft: by Microsoft Graph, and not by IMAP and SMTP. */
  byGraph: boolean;
  /** The provider that somebody signs in at, or `password`. */
  signInWith: string;
  clientId: string;
  tenant: string;
  /** The application signs in by itself. */
  byItself: boolean;
  issuer: string;
  authorizeUrl: string;
  tokenUrl: string;
  userinfoUrl: string;
  /** With spaces between them. */
  scopes: string;
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
interface SignIn {
  provider: string;
  grant?: string;
  clientId: string;
  tenant?: string | null;
  issuer?: string | null;
  authorizeUrl?: string | null;
  tokenUrl?: string | null;
  userinfoUrl?: string | null;
  scopes?: string[] | null;
}
/** The settings of all types, as the API has them. */
interface Settings extends Partial<AsStored> {
  smtp?: Server | null;
  imap?: (Server & { authenticatedBy?: string | null }) | null;
  graph?: { receive?: boolean } | null;
  inbound?: {
    provider: MailProvider;
    topicArn?: string | null;
    bucket?: string | null;
    bucketRegion?: string | null;
  } | null;
  signIn?: SignIn | null;
  allowedOrigins?: string[];
  maxMessageMb?: number;
}

const DEFAULT_COLOUR = "#1d4ed8";
export const PASSWORD = "password";
const PROVIDER = "https://api.twilio.com";

/** What a channel has, or what a new one begins with. */
export function draftOf(channel?: Channel): ChannelDraft {
  const {
    smtp,
    imap,
    graph,
    inbound,
    signIn,
    allowedOrigins,
    maxMessageMb = 20,
    ...settings
  } = (channel?.settings ?? {}) as Settings;
  const sends = orDefaults(smtp ?? undefined, { host: "", port: 465, security: "tls" });
  const reads = orDefaults(imap ?? undefined, { host: "", port: 993, security: "tls", authenticatedBy: "" });
  return {
    ...orDefaults(channel, { name: "", address: "" }),
    ...orDefaults<AsStored>(settings, {
      fromName: "",
      quote: "none",
      plusAddressing: false,
      dkimSelector: "",
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
    receives: channel === undefined || Boolean(graph ? graph.receive !== false : (imap ?? inbound)),
    inbound: inbound?.provider ?? "imap",
    ...orDefaults(inbound ?? undefined, { topicArn: "", bucket: "", bucketRegion: "" }),
    byGraph: Boolean(graph),
    imapHost: reads.host,
    imapPort: String(reads.port),
    imapSecurity: reads.security,
    authenticatedBy: reads.authenticatedBy,
    maxMessageMb: String(maxMessageMb),
    ...signInDraft(signIn ?? undefined),
    allowedOrigins: (allowedOrigins ?? []).join("\n"),
  };
}

type SignInDraft = Pick<
  ChannelDraft,
  "signInWith" | "clientId" | "tenant" | "byItself" | "issuer" | "authorizeUrl" | "tokenUrl" | "userinfoUrl" | "scopes"
>;

function signInDraft(signIn: SignIn | undefined): SignInDraft {
  const { provider = PASSWORD, grant, scopes, ...rest } = signIn ?? {};
  return {
    signInWith: provider,
    byItself: grant === "client_credentials",
    scopes: (scopes ?? []).join(" "),
    ...orDefaults(rest, { clientId: "", tenant: "", issuer: "", authorizeUrl: "", tokenUrl: "", userinfoUrl: "" }),
  };
}

function signInOf(draft: ChannelDraft): SignIn | null {
  if (draft.signInWith === PASSWORD) return null;
  const isMicrosoft = draft.signInWith === "microsoft";
  const grant = draft.byItself && draft.signInWith !== "google" ? "client_credentials" : "code";
  const scopes = draft.scopes.split(/\s+/).filter(Boolean);
  return {
    provider: draft.signInWith,
    grant,
    clientId: draft.clientId.trim(),
    tenant: (isMicrosoft && draft.tenant.trim()) || null,
    issuer: draft.issuer.trim() || null,
    authorizeUrl: draft.authorizeUrl.trim() || null,
    tokenUrl: draft.tokenUrl.trim() || null,
    userinfoUrl: draft.userinfoUrl.trim() || null,
    scopes: scopes.length ? scopes : null,
  };
}

/** The servers of a provider, for whoever chooses it. */
const SERVERS: Readonly<Record<string, Partial<ChannelDraft>>> = {
  microsoft: {
    smtpHost: "smtp.office365.com",
    smtpPort: "587",
    smtpSecurity: "starttls",
    imapHost: "outlook.office365.com",
    imapPort: "993",
    imapSecurity: "tls",
  },
  google: {
    smtpHost: "smtp.gmail.com",
    smtpPort: "465",
    smtpSecurity: "tls",
    imapHost: "imap.gmail.com",
    imapPort: "993",
    imapSecurity: "tls",
  },
};

/** What changes with the choice of a provider. What somebody entered for another one does not fit. */
export const choose = (signInWith: string): Partial<ChannelDraft> => ({
  ...signInDraft(undefined),
  ...SERVERS[signInWith],
  // Microsoft turns SMTP off unless somebody turns it on.
  byGraph: signInWith === "microsoft",
  signInWith,
});

/** Whether Microsoft Graph takes the place of the mail servers. */
export const usesGraph = ({ signInWith, byGraph }: Pick<ChannelDraft, "signInWith" | "byGraph">): boolean =>
  byGraph && signInWith === "microsoft";

/** Whether somebody signs in to the channel, or the application does, in place of a password. */
export const signsIn = ({ signInWith }: Pick<ChannelDraft, "signInWith">): boolean => signInWith !== PASSWORD;

/** The words of a text, such as addresses and names of tools, whatever is between them. */
export const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** Who sends mails to us by webhook, if somebody does. Nobody signs in there. */
export const webhooksOf = (
  draft: Pick<ChannelDraft, "signInWith" | "receives" | "inbound">,
): MailProvider | undefined =>
  draft.receives && !signsIn(draft) && draft.inbound !== "imap" ? draft.inbound : undefined;

function inboundOf(draft: ChannelDraft): Settings["inbound"] {
  const provider = webhooksOf(draft);
  if (!provider) return null;
  const { topicArn, bucket, bucketRegion } = draft;
  const isSes = provider === "ses";
  return {
    provider,
    topicArn: isSes ? topicArn.trim() : null,
    bucket: (isSes && bucket.trim()) || null,
    bucketRegion: (isSes && bucketRegion.trim()) || null,
  };
}

function mailServersOf(draft: ChannelDraft): Pick<Settings, "smtp" | "imap" | "graph" | "inbound"> {
  if (usesGraph(draft)) return { smtp: null, imap: null, graph: { receive: draft.receives }, inbound: null };
  const inbound = inboundOf(draft);
  const authenticatedBy = draft.authenticatedBy.trim() || null;
  const { imapHost: host, imapSecurity: security } = draft;
  return {
    smtp: { host: draft.smtpHost, port: numberOf(draft.smtpPort), security: draft.smtpSecurity },
    imap: draft.receives && !inbound ? { host, port: numberOf(draft.imapPort), security, authenticatedBy } : null,
    graph: null,
    inbound,
  };
}

/** The settings that a channel of this type is sent. */
export function settingsOf(type: ChannelType, draft: ChannelDraft): Record<string, unknown> {
  const orNull = (name: "fromName" | "dkimSelector" | "title" | "greeting" | "language"): string | null =>
    draft[name].trim() || null;
  const telephony = {
    apiUrl: draft.apiUrl.trim() || PROVIDER,
    publicUrl: draft.publicUrl.trim() || null,
  };
  switch (type) {
    case "email":
      return {
        ...mailServersOf(draft),
        signIn: signInOf(draft),
        fromName: orNull("fromName"),
        quote: draft.quote,
        maxMessageMb: numberOf(draft.maxMessageMb),
        plusAddressing: draft.plusAddressing,
        dkimSelector: orNull("dkimSelector"),
      };
    case "webchat":
      return {
        allowedOrigins: wordsOf(draft.allowedOrigins),
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

function providerOf(draft: ChannelDraft): unknown[] | undefined {
  const inbound = inboundOf(draft);
  return inbound ? [inbound.provider, inbound.bucket, inbound.bucketRegion] : undefined;
}

/** The servers that the stored credentials are for. If they change, the credentials are deleted. */
export const serversOf = (type: ChannelType, draft: ChannelDraft): string =>
  type === "email"
    ? JSON.stringify([
        ...(usesGraph(draft)
          ? [draft.receives]
          : [
              draft.smtpHost,
              draft.smtpPort,
              draft.receives && (providerOf(draft) ?? [draft.imapHost, draft.imapPort]),
            ]),
        { ...signInOf(draft), scopes: null },
      ])
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
    "settings.graph",
    "settings.inbound.topicArn",
    "settings.inbound.bucket",
    "settings.inbound.bucketRegion",
    "settings.signIn.clientId",
    "settings.signIn.tenant",
    "settings.signIn.issuer",
    "settings.signIn.authorizeUrl",
    "settings.signIn.tokenUrl",
    "settings.signIn.userinfoUrl",
    "settings.signIn.scopes",
    "settings.fromName",
    "settings.maxMessageMb",
    "settings.dkimSelector",
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

/** The credentials of each type, where nobody signs in. Those that are not needed can be left empty. */
const CREDENTIALS = {
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

const SECRET_OF_APPLICATION = [{ name: "clientSecret", isSecret: true }] as const;

/** What proves that a webhook is the provider's, beside what sends. The first one is part of an address, so it is shown. */
const OF_PROVIDER = {
  postmark: [...CREDENTIALS.email, { name: "webhookSecret", isGenerated: true }],
  mailgun: [...CREDENTIALS.email, { name: "signingKey", isSecret: true }],
  ses: [
    ...CREDENTIALS.email,
    { name: "accessKeyId", isOptional: true },
    { name: "secretAccessKey", isSecret: true, isOptional: true },
  ],
} as const;

/** What a channel of this type signs in with. */
export function credentialsOf(type: ChannelType, draft: Pick<ChannelDraft, "signInWith" | "receives" | "inbound">) {
  if (type === "email" && signsIn(draft)) return SECRET_OF_APPLICATION;
  const provider = type === "email" && webhooksOf(draft);
  return provider ? OF_PROVIDER[provider] : CREDENTIALS[type];
}
type CredentialField = ReturnType<typeof credentialsOf>[number];

export const pathsOf = (fields: readonly CredentialField[]): string[] =>
  fields.map(({ name }) => `credentials.${name}`);

/** What was typed of the credentials. */
export function credentialsIn(fields: readonly CredentialField[], form: FormData): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = form.get(name) as string;
      return value ? [[name, value]] : [];
    }),
  );
}

type Texts = { [Key in keyof ChannelDraft]: ChannelDraft[Key] extends string ? Key : never }[keyof ChannelDraft];

/** A text field of the draft. */
export const bound = ({ draft, edit }: Setup, name: Texts) => ({
  value: draft[name],
  autoComplete: "off",
  onChange: ({ target }: { target: { value: string } }) => edit({ [name]: target.value }),
});
