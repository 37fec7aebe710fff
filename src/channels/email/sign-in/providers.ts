import type { JWTPayload } from "jose";
import { GOOGLE, graphOf, MICROSOFT } from "./origins.js";
import type { SignInSettings } from "./sign-in.settings.js";

/** What Parley has to know of a provider. */
export interface Provider {
  authorizeUrl: string;
  tokenUrl: string;
  userinfoUrl: string | undefined;
  scopes: readonly string[];
  /** Added to the request for a code. */
  extra: Readonly<Record<string, string>>;
  /** Whether the client's secret goes into the body. By default it is a header, which every provider has to support. */
  secretInBody: boolean;
  /** Who issues its ID tokens and its codes, if that is one name. */
  issuer: string | undefined;
  /** Whether an ID token is from this provider. */
  issued: (claims: JWTPayload) => boolean;
  /** The addresses that belong to the account that signed in. */
  addressesOf: (claims: JWTPayload) => string[];
}

const OUTLOOK = "https://outlook.office.com";
const DIRECTORY_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const IDENTITY = ["openid", "email"];

/** What a channel does with its mailbox: the scopes follow from it. */
export interface Use {
  /** Mails are read, not only sent. */
  receives: boolean;
  /** By Microsoft Graph, and not by IMAP and SMTP. */
  graph: boolean;
}

export function providerOf(settings: SignInSettings, address: string, use: Use): Provider {
  const { authorizeUrl, tokenUrl, userinfoUrl, scopes, issuer } = settings;
  const known = KNOWN[settings.provider](settings, address, use);
  return {
    ...known,
    authorizeUrl: authorizeUrl ?? known.authorizeUrl,
    tokenUrl: tokenUrl ?? known.tokenUrl,
    userinfoUrl: userinfoUrl ?? known.userinfoUrl,
    scopes: scopes ?? known.scopes,
    ...(issuer != null && { issuer, issued: ({ iss }) => iss === issuer }),
  };
}

const KNOWN: Record<SignInSettings["provider"], (settings: SignInSettings, address: string, use: Use) => Provider> = {
  microsoft: (settings, address, use) => {
    const { tenant, grant } = settings;
    const directory = tenant ?? "organizations";
    const base = `${MICROSOFT}/${directory}/oauth2/v2.0`;
    return {
      authorizeUrl: `${base}/authorize`,
      tokenUrl: `${base}/token`,
      userinfoUrl: undefined,
      scopes: microsoftsScopes(grant, use, graphOf(settings)),
      extra: { login_hint: address },
      secretInBody: true,
      issuer: undefined,
      issued: ({ iss, tid }) =>
        typeof tid === "string" &&
        iss === `${MICROSOFT}/${tid}/v2.0` &&
        (!DIRECTORY_ID.test(directory) || tid.toLowerCase() === directory.toLowerCase()),
      // A mailbox is often named by its user name alone. Exchange decides with each token which mailbox it opens.
      addressesOf: ({ email, preferred_username: name, upn }) => textsOf(email, name, upn),
    };
  },
  google: (_, address) => ({
    authorizeUrl: `${GOOGLE}/o/oauth2/v2/auth`,
    tokenUrl: "https://oauth2.googleapis.com/token",
    userinfoUrl: undefined,
    scopes: [...IDENTITY, "https://mail.google.com/"],
    // Without these Google gives no refresh token to an account that agreed before.
    extra: { access_type: "offline", prompt: "consent", login_hint: address },
    secretInBody: true,
    issuer: GOOGLE,
    issued: ({ iss }) => iss === GOOGLE,
    addressesOf: verified,
  }),
  other: () => ({
    authorizeUrl: "",
    tokenUrl: "",
    userinfoUrl: undefined,
    scopes: [...IDENTITY, "offline_access"],
    // OpenID Connect gives offline access only to somebody who was asked.
    extra: { prompt: "consent" },
    secretInBody: false,
    issuer: undefined,
    issued: () => false,
    addressesOf: verified,
  }),
};

function microsoftsScopes(grant: SignInSettings["grant"], use: Use, graph = ""): string[] {
  if (grant === "client_credentials") return [`${use.graph ? graph : "https://outlook.office365.com"}/.default`];
  const [read, send] = use.graph
    ? [`${graph}/Mail.Read`, `${graph}/Mail.Send`]
    : [`${OUTLOOK}/IMAP.AccessAsUser.All`, `${OUTLOOK}/SMTP.Send`];
  return [...IDENTITY, "profile", "offline_access", ...(use.receives ? [read] : []), send];
}

/** An address that the provider has not verified is anybody's. */
const verified = ({ email, email_verified: isVerified }: JWTPayload): string[] =>
  isVerified === false || isVerified === "false" ? [] : textsOf(email);

const textsOf = (...values: unknown[]): string[] =>
  values.filter((value): value is string => typeof value === "string" && value.includes("@"));
