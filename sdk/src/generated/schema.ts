// Generated from openapi.json by `npm run openapi`.

export interface components {
  schemas: {
    /** @description The action was done. */
    Ok: {
      /**
       * @example true
       * @enum {boolean}
       */
      ok: true;
    };
    /** @description The server can serve requests. */
    Ready: {
      /**
       * @example true
       * @enum {boolean}
       */
      ok: true;
      /**
       * @description What will soon keep the server from some of its work, or does already. Missing if there is nothing.
       * @example [
       *       "The disk for attachments is nearly full: soon uploads will be refused"
       *     ]
       */
      warnings?: string[];
    };
    /** @description A person on your side. */
    Member: {
      /** Format: uuid */
      id: string;
      /** Format: email */
      email: string;
      role: components["schemas"]["Role"];
      /** @description The workspaces on this side that the member is assigned to. Owners and admins see all workspaces. */
      workspaceIds: string[];
      /** @description `invited` until the member sets a password, or signs in with a token of an external issuer. */
      status: components["schemas"]["MemberStatus"];
      /** @description What the member set last; `offline` after five minutes without a request. */
      presence: components["schemas"]["Presence"];
      /**
       * Format: date-time
       * @description When the member last made a request, to about a minute. Null until the first one.
       */
      lastSeenAt: string | null;
      name: string;
    };
    /** @description The access token of a member who has signed in. */
    Session: {
      /**
       * @description Seconds until the access token expires.
       * @example 900
       */
      expiresIn: number;
      /** @description Send it as `Authorization: Bearer …`. */
      accessToken: string;
      member: components["schemas"]["Member"];
    };
    /** @description A sign-in that waits for a second factor. */
    PendingSecondFactor: {
      /**
       * @description Seconds until the token expires.
       * @example 300
       */
      expiresIn: number;
      /** @description How you can complete the sign-in. */
      methods: components["schemas"]["SecondFactorMethod"][];
      /** @description The argument `publicKey` of `navigator.credentials.get`, as JSON; null if you have no passkey. */
      passkeyOptions: {
        [key: string]: unknown;
      } | null;
      /** @description Send it to `POST /api/auth/second-factor`. It works once, for 5 minutes and 5 tries. */
      token: string;
    };
    /** @description The password was right, and a second factor is needed. */
    SecondFactorNeeded: {
      secondFactor: components["schemas"]["PendingSecondFactor"];
    };
    /** @description What you send to `auth.login`. */
    Login: {
      /**
       * Format: email
       * @example owner@demo.example
       */
      email: string;
      /**
       * @description The side that the session uses.
       * @default live
       */
      environment?: components["schemas"]["Environment"];
      /** @description The member's password. */
      password: string;
    };
    /** @description What you send to `auth.completeSecondFactor`. */
    CompleteSignIn: {
      /**
       * @description The code that the authenticator app shows.
       * @example 123456
       */
      code?: string;
      /**
       * @description One of your recovery codes. It works once.
       * @example a2bc-d3ef-g4hi-j5kl
       */
      recoveryCode?: string;
      /** @description The answer of `navigator.credentials.get`, as JSON. */
      passkey?: {
        [key: string]: unknown;
      };
      /** @description From the answer to the sign-in. */
      token: string;
    };
    /** @description What you send to `auth.refresh`. */
    Refresh: {
      /**
       * @description The side whose session goes on.
       * @default live
       */
      environment?: components["schemas"]["Environment"];
    };
    /** @description What you send to `auth.reauthenticate`. */
    Reauthenticate: {
      /**
       * @description The code that your authenticator app shows.
       * @example 123456
       */
      code?: string;
      /** @description Your password. */
      password?: string;
    };
    /** @description What the caller can reach: the whole tenant, a brand or some workspaces. */
    MeReach: {
      /** @description All workspaces of the tenant, those of one brand, or those listed. */
      level: components["schemas"]["ReachLevel"];
      /**
       * Format: uuid
       * @description The brand, if `level` is `brand`. Otherwise null.
       */
      brandId: string | null;
      /** @description The workspaces, if `level` is `workspaces`. Otherwise null. */
      workspaceIds: string[] | null;
    };
    /** @description The caller behind a credential. */
    Me: {
      /** @description What kind of credential this is. */
      kind: components["schemas"]["CallerKind"];
      /**
       * Format: uuid
       * @description The id of the key or member.
       */
      id: string;
      /**
       * Format: uuid
       * @description The id of the side. Everything that this caller sees belongs to it.
       */
      tenantId: string;
      environment: components["schemas"]["Environment"];
      /** @description The scopes of an API key; null for a member. */
      scopes: components["schemas"]["Scope"][] | null;
      /** @description The role of a member; null for an API key. */
      role: components["schemas"]["Role"] | null;
      name: string;
      reach: components["schemas"]["MeReach"];
    };
    /** @description What you send to `me.setPresence`. */
    SetPresence: {
      presence: components["schemas"]["Presence"];
    };
    /** @description The external provider that members can sign in with. */
    ExternalSignIn: {
      /**
       * @description What the button names. Null if no provider is configured.
       * @example Harbour ID
       */
      name: string | null;
    };
    /** @description A session of yours, with the device that it is used on. */
    OwnSession: {
      /** Format: uuid */
      id: string;
      environment: components["schemas"]["Environment"];
      /**
       * @description The browser and the system, or the program, that used the session last.
       * @example Firefox on Linux
       */
      device: string;
      /**
       * @description The IP address that the session was last opened or refreshed from.
       * @example 203.0.113.7
       */
      address: string;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description To about a minute.
       */
      lastUsedAt: string;
      /**
       * Format: date-time
       * @description When the session ends unless it is used before.
       */
      expiresAt: string;
      /** @description Whether you use this session now. */
      current: boolean;
    };
    /** @description A second factor that you have confirmed. */
    SecondFactor: {
      /** Format: uuid */
      id: string;
      type: components["schemas"]["SecondFactorType"];
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it last completed a sign-in. Null if it never did.
       */
      lastUsedAt: string | null;
      name: string;
    };
    /** @description Your second factors. */
    SecondFactors: {
      /** @description Your second factors that are confirmed. */
      factors: components["schemas"]["SecondFactor"][];
      /**
       * @description How many of your recovery codes are not used yet.
       * @example 10
       */
      recoveryCodesLeft: number;
      /** @description Whether your tenant requires a second factor. */
      required: boolean;
    };
    /** @description What you send to `me.addSecondFactor`. */
    AddSecondFactor: {
      /** @description `totp`: an authenticator app, at most one. `passkey`: at most ten. */
      type: components["schemas"]["SecondFactorType"];
      /**
       * @description 1 to 100 characters.
       * @example Phone
       */
      name: string;
    };
    /** @description What an authenticator app needs to be set up. */
    NewTotp: {
      /**
       * @description In Base32, for typing it in. It is never shown again.
       * @example JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP
       */
      secret: string;
      /**
       * @description The same as an address; show it as a QR code.
       * @example otpauth://totp/Parley:grace%40example.com?issuer=Parley&secret=…
       */
      url: string;
    };
    /** @description A second factor that you have yet to confirm. */
    NewSecondFactor: {
      /** Format: uuid */
      id: string;
      type: components["schemas"]["SecondFactorType"];
      /** @description For an authenticator app; null for a passkey. */
      totp: components["schemas"]["NewTotp"] | null;
      /** @description For a passkey: the argument `publicKey` of `navigator.credentials.create`, as JSON; null for an authenticator app. */
      passkeyOptions: {
        [key: string]: unknown;
      } | null;
      name: string;
    };
    /** @description Codes that each replace the second factor of one sign-in. They are shown this once. */
    RecoveryCodes: {
      /**
       * @description Each works once. They are never shown again.
       * @example [
       *       "a2bc-d3ef-g4hi-j5kl"
       *     ]
       */
      codes: string[];
    };
    /** @description What you send to `me.confirmSecondFactor`. */
    ConfirmSecondFactor: {
      /**
       * @description The code that the authenticator app shows.
       * @example 123456
       */
      code?: string;
      /** @description The passkey that the browser made, as JSON. */
      passkey?: {
        [key: string]: unknown;
      };
    };
    /** @description What you send to `auth.requestPasswordReset`. */
    RequestPasswordReset: {
      /**
       * Format: email
       * @example owner@demo.example
       */
      email: string;
    };
    /** @description What you send to `auth.setPassword`. */
    SetPassword: {
      /** @description From the mailed link of an invitation or of a reset. */
      token: string;
      /**
       * @description 10 to 200 characters, and no breached or common password. If an external issuer signs you in, you can accept an invitation
       *     without one.
       */
      password?: string;
    };
    /** @description What you send to `me.changePassword`. */
    ChangePassword: {
      /** @description Your password as it is now. */
      currentPassword: string;
      /** @description 10 to 200 characters, and no breached or common password. */
      newPassword: string;
    };
    /** @description What you send to `auth.proveEmail`. */
    ProveEmail: {
      /** @description From the mailed link. */
      token: string;
    };
    /** @description What you send to `members.create`. */
    CreateMember: {
      /**
       * Format: email
       * @description Unique across all tenants.
       * @example grace@example.com
       */
      email: string;
      /** @example Grace Hopper */
      name: string;
      /** @description Only an owner can add an owner. */
      role: components["schemas"]["Role"];
      /**
       * @description The workspaces on this side that an agent or observer is assigned to.
       * @default []
       */
      workspaceIds?: string[];
      /** @description 10 to 200 characters. Without a password, an invitation to set one is mailed. */
      password?: string;
    };
    /** @description What you send to `members.update`. */
    UpdateMember: {
      /** @description Only an owner can make a member an owner or change an owner's role. A tenant always has at least one owner. */
      role?: components["schemas"]["Role"];
      /**
       * @description `deactivated`: the member's sessions end within a second, the member cannot sign in, and is unassigned from unresolved
       *     conversations. `active`: the member can sign in again, with the same role and workspaces as before.
       */
      status?: components["schemas"]["MemberActivation"];
      /** @description Replaces the member's workspaces on this side. */
      workspaceIds?: string[];
      name?: string;
    };
    /** @description What an API key is restricted to: nothing, one brand or one workspace. */
    DataScope: {
      /** @description What the key can see: the whole organisation, the workspaces of one brand, or one workspace. */
      level: components["schemas"]["DataScopeLevel"];
      /**
       * Format: uuid
       * @description The brand at level `brand`; otherwise null.
       */
      brandId?: string | null;
      /**
       * Format: uuid
       * @description The workspace at level `workspace`; otherwise null.
       */
      workspaceId?: string | null;
    };
    /** @description An API key, without the key itself. */
    ApiKey: {
      /** Format: uuid */
      id: string;
      /**
       * @description The first characters of the key, so that you recognise it.
       * @example svc_live_v1_4fTq
       */
      prefix: string;
      environment: components["schemas"]["Environment"];
      /** @description What the key may do. */
      scopes: components["schemas"]["Scope"][];
      status: components["schemas"]["ApiKeyStatus"];
      /**
       * Format: date-time
       * @description When the key expires. Null: never.
       */
      expiresAt: string | null;
      /**
       * Format: date-time
       * @description When the key was last used, to about a second. Null until then.
       */
      lastUsedAt: string | null;
      /**
       * Format: uuid
       * @description The member who created the key; null for keys that were created with the tenant.
       */
      createdBy: string | null;
      /** Format: date-time */
      createdAt: string;
      name: string;
      dataScope: components["schemas"]["DataScope"];
    };
    /** @description What you send to `apiKeys.create`. */
    CreateApiKey: {
      /**
       * @description What the key is for, 1 to 200 characters.
       * @example CRM synchronisation
       */
      name: string;
      /**
       * @description What the key may do. At least one scope.
       * @example [
       *       "conversations:read",
       *       "conversations:write"
       *     ]
       */
      scopes: components["schemas"]["Scope"][];
      /**
       * Format: date-time
       * @description When the key expires. ISO 8601, in the future. Default: never.
       */
      expiresAt?: string | null;
      /** @description Default: the whole organisation. */
      dataScope?: components["schemas"]["DataScope"];
    };
    /** @description An API key with the key itself, which is shown this once. */
    NewApiKey: {
      /** Format: uuid */
      id: string;
      /**
       * @description The first characters of the key, so that you recognise it.
       * @example svc_live_v1_4fTq
       */
      prefix: string;
      environment: components["schemas"]["Environment"];
      /** @description What the key may do. */
      scopes: components["schemas"]["Scope"][];
      status: components["schemas"]["ApiKeyStatus"];
      /**
       * Format: date-time
       * @description When the key expires. Null: never.
       */
      expiresAt: string | null;
      /**
       * Format: date-time
       * @description When the key was last used, to about a second. Null until then.
       */
      lastUsedAt: string | null;
      /**
       * Format: uuid
       * @description The member who created the key; null for keys that were created with the tenant.
       */
      createdBy: string | null;
      /** Format: date-time */
      createdAt: string;
      /**
       * @description The raw key. It is in this answer and is never shown again.
       * @example svc_live_v1_4fTqXAMPLExampleExampleExample0AbCdEf
       */
      key: string;
      name: string;
      dataScope: components["schemas"]["DataScope"];
    };
    /** @description What you send to `apiKeys.update`. */
    UpdateApiKey: {
      /**
       * @description Replaces the scopes of an active key. At least one.
       * @example [
       *       "conversations:read"
       *     ]
       */
      scopes?: components["schemas"]["Scope"][];
      /**
       * Format: date-time
       * @description Changes when an active key expires. ISO 8601, in the future; null: never.
       */
      expiresAt?: string | null;
      /** @description What the key is for, 1 to 200 characters. */
      name?: string;
    };
    /** @description What you send to `apiKeys.rotate`. */
    RotateApiKey: {
      /**
       * @description How many hours the old key stays valid, 0 to 168.
       * @default 24
       */
      overlapHours?: number;
    };
    /** @description Who caused a security event. */
    SecurityActor: {
      /** @description `system` if Parley acted by itself, or if the caller was not identified, as in a failed sign-in. */
      kind: components["schemas"]["SecurityActorKind"];
      /**
       * Format: uuid
       * @description The id of the member or API key; null for the system.
       */
      id: string | null;
    };
    /** @description Something that happened to an account or a credential. */
    SecurityEvent: {
      /** Format: uuid */
      id: string;
      /**
       * Format: date-time
       * @description When it happened.
       */
      at: string;
      type: components["schemas"]["SecurityEventType"];
      /**
       * @description The client address of the request. Null if no request caused the event.
       * @example 203.0.113.7
       */
      address: string | null;
      /** @description The `User-Agent` of the request. Null if there was none. */
      userAgent: string | null;
      /** @description `environment`: the side. `memberId`: whom the event is about. Otherwise ids, counts and names of fields, by type. */
      detail: {
        [key: string]: unknown;
      };
      actor: components["schemas"]["SecurityActor"];
    };
    /** @description What you are told of while you do something else. */
    NotificationPreferences: {
      /** @description When a contact writes in a conversation that is assigned to you. */
      mine: boolean;
      /** @description When somebody names you in a note. */
      mentions: boolean;
      /** @description When something urgent happens in your workspaces. */
      urgent: boolean;
      /** @description When a contact writes in a conversation that nobody has. */
      unassigned: boolean;
      /** @description By mail, when you have not read for ten minutes that somebody named you in a note. */
      mailMentions: boolean;
    };
    /** @description When nothing rings or pops up, every day. */
    QuietHours: {
      /**
       * @description A time of day, `HH:MM`.
       * @example 22:00
       */
      from: string;
      /**
       * @description If it is earlier than `from`, it is on the next day.
       * @example 07:00
       */
      to: string;
      /**
       * @description IANA name.
       * @example Europe/Berlin
       */
      timeZone: string;
    };
    /** @description How you want the dashboard. */
    Preferences: {
      /** @description Light or dark; `system` is what the browser says. */
      theme: components["schemas"]["Theme"];
      /**
       * @description ISO 639-1; null is the browser's.
       * @example de
       */
      language: string | null;
      /** @description Whether single letters are shortcuts. */
      shortcuts: boolean;
      /** @description What you are told of while you do something else. */
      notifications: components["schemas"]["NotificationPreferences"];
      /** @description Whether notifications ring. */
      sound: boolean;
      /** @description When nothing rings or pops up, every day; null if never. */
      quietHours: components["schemas"]["QuietHours"] | null;
      /** @description The key that sends a reply: Enter with Ctrl or Cmd, or Enter alone. */
      sendWith: components["schemas"]["SendKey"];
      /** @description For how long a mail or an SMS can be taken back: what the dashboard sends as `holdSeconds`. */
      undoSeconds: number;
      /** @description What you see after you resolved a conversation: it, the next one of the list, or the list. */
      afterResolve: components["schemas"]["AfterResolve"];
    };
    /** @description Who made a change. */
    AuditActor: {
      /** @description `system` is Parley itself: its jobs, and requests whose sender is not known yet. */
      kind: components["schemas"]["AuditActorKind"];
      /**
       * Format: uuid
       * @description The id of the member or API key; null for the system.
       */
      id: string | null;
    };
    /** @description One change: who changed what, and when. It names fields, never values. */
    AuditEntry: {
      /** Format: uuid */
      id: string;
      /**
       * Format: date-time
       * @description When it happened.
       */
      at: string;
      /**
       * @description The `operationId` of the request in this document; for the system, the name of the job.
       * @example conversations.reply
       */
      action: string;
      /** @description What happened to the resource. */
      change: components["schemas"]["AuditChange"];
      /**
       * @description What kind of resource changed.
       * @example message
       */
      resourceType: string;
      /**
       * Format: uuid
       * @description Null for an entry about many resources, which has `counts`.
       */
      resourceId: string | null;
      /**
       * Format: uuid
       * @description The workspace that the resource is in, or was in. Null if it belongs to none.
       */
      workspaceId: string | null;
      /**
       * Format: uuid
       * @description The conversation that the resource belongs to. Null if it belongs to none.
       */
      conversationId: string | null;
      /**
       * @description The names of the fields that changed, never their values. Empty if the resource was created or deleted.
       * @example [
       *       "priority",
       *       "assigneeId"
       *     ]
       */
      fields: string[];
      /**
       * @description How many resources were deleted, by kind, if one entry is about many: a deleted workspace, an erased person, or data
       *     whose retention ended. Null for an entry about one resource.
       */
      counts: {
        [key: string]: number;
      } | null;
      actor: components["schemas"]["AuditActor"];
    };
    /** @description One side of your organisation, live or test, and its settings. */
    Tenant: {
      /**
       * Format: uuid
       * @description The id of this side. The live and the test side have different ids.
       */
      id: string;
      environment: components["schemas"]["Environment"];
      /**
       * @description The public key (Ed25519, PEM) that verifies this side's erasure certificates.
       * @example -----BEGIN PUBLIC KEY-----
       *     MCowBQYDK2VwAyEA…
       *     -----END PUBLIC KEY-----
       */
      erasureKey: string;
      /**
       * @description For how many minutes a sign-in is enough for keys, members, exports, erasures and this tenant's settings.
       * @example 15
       */
      signInValidMinutes: number;
      /**
       * @description How many bytes the attachments of this side take up.
       * @example 52428800
       */
      attachmentBytes: number;
      /**
       * @description The limit in bytes. When it is reached, uploads return 413 until files are deleted. The operator of the server sets it.
       * @example 10737418240
       */
      attachmentQuotaBytes: number;
      /** Format: date-time */
      createdAt: string;
      name: string;
      /** @description Whether this side uses the preview of outgoing webhooks. */
      webhooksPreview: boolean;
      /** @description Whether members must have a second factor. Those without one can only set one up. */
      requireSecondFactor: boolean;
    };
    /** @description What you send to `tenant.update`. */
    UpdateTenant: {
      /** @description 1 to 200 characters. Both sides have the same name. */
      name?: string;
      /** @description Turns the preview of outgoing webhooks on or off for this side. */
      webhooksPreview?: boolean;
      /**
       * @description 5 to 1440, on both sides. Keys, members, exports, erasures and these settings need a sign-in that is not older. Members renew
       *     theirs with `POST /api/auth/reauthenticate`.
       */
      signInValidMinutes?: number;
      /**
       * @description Whether members must have a second factor, on both sides. Members without one can then only set one up. Members whom your own
       *     sign-in provider signs in are exempt: it asks for a second factor itself. You need one yourself to turn this on.
       */
      requireSecondFactor?: boolean;
    };
    /** @description A workspace in short. */
    WorkspaceSummary: {
      /** Format: uuid */
      id: string;
      /** @example Support */
      name: string;
      status: components["schemas"]["WorkspaceStatus"];
      /**
       * Format: uuid
       * @description The brand that the workspace operates under.
       */
      brandId: string;
      /**
       * @description ISO 639-1: the language that the assistant uses in this workspace.
       * @example en
       */
      primaryLanguage: string;
      /** @description Where its logo is, on this server. Anybody may load it. Null for none. */
      logoUrl: string | null;
      /** @description The name of the brand. */
      brandName: string;
    };
    /** @description A part of a brand with its own channels, conversations, knowledge and policies. */
    Workspace: {
      /** Format: uuid */
      id: string;
      /** @example Support */
      name: string;
      status: components["schemas"]["WorkspaceStatus"];
      /**
       * Format: uuid
       * @description The brand that the workspace operates under.
       */
      brandId: string;
      /**
       * @description ISO 639-1: the language that the assistant uses in this workspace.
       * @example en
       */
      primaryLanguage: string;
      /** @description Where its logo is, on this server. Anybody may load it. Null for none. */
      logoUrl: string | null;
      /**
       * @description IANA name.
       * @example Europe/Berlin
       */
      timezone: string;
      /** @description Markdown below each mail, such as legal information. Null for none. */
      mailFooter: string | null;
      /** @description Another logo above `mailFooter`. Null for that of the workspace. */
      mailLogoUrl: string | null;
      /** @description How many months identity events are kept, 3 to 84. */
      identityRetentionMonths: number;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description Whether the assistant answers in this workspace while it is active. */
      assistantEnabled: boolean;
      /** @description The name of the brand. */
      brandName: string;
    };
    /** @description Who has signed in to a mailbox. Tokens are never shown. */
    ChannelSignIn: {
      /**
       * @description The account that signed in. Null until somebody has.
       * @example support@example.com
       */
      account: string | null;
      /**
       * Format: date-time
       * @description When it signed in. Null until somebody has.
       */
      since: string | null;
      /**
       * Format: date-time
       * @description When the provider ended the sign-in. Somebody has to sign in again. Null while it holds.
       */
      endedAt: string | null;
      /** @description Why the last attempt to sign in failed, or why the sign-in ended, for operators to read. Null if neither happened. */
      error: string | null;
    };
    /** @description A record to publish in the DNS. */
    DnsRecord: {
      /**
       * @description The kind of the record.
       * @enum {string}
       */
      type: "TXT";
      /** @example _dmarc.example.com */
      name: string;
      /**
       * @description What it says.
       * @example v=DMARC1; p=none
       */
      value: string;
    };
    /** @description Whether mails of the channel pass one of the checks that receivers make. */
    MailCheck: {
      result: components["schemas"]["MailCheckResult"];
      /** @description The record that is missing, if it follows from the settings. Null otherwise. */
      record: components["schemas"]["DnsRecord"] | null;
      /** @description What was found, for operators to read. */
      message: string;
    };
    /** @description What receivers of mail find in the DNS about the domain of a mailbox. */
    MailDomain: {
      /**
       * @description The part of the address behind the `@`, in ASCII.
       * @example example.com
       */
      domain: string;
      /** @description Whether the domain lets the server for sending send for it. */
      spf: components["schemas"]["MailCheck"];
      /** @description Whether the domain publishes the key that mails are signed with. */
      dkim: components["schemas"]["MailCheck"];
      /** @description Whether mails pass the domain's policy. */
      dmarc: components["schemas"]["MailCheck"];
    };
    /** @description How the last test of a channel ended. */
    ChannelTest: {
      /**
       * Format: date-time
       * @description When the test was made.
       */
      at: string;
      /** @description SPF, DKIM and DMARC of the mailbox's domain. They do not count for `ok`. Null for other channels, and where nothing was asked. */
      mailDomain: components["schemas"]["MailDomain"] | null;
      /** @description Whether everything worked. */
      ok: boolean;
      /** @description What the test found, for operators to read. */
      message: string;
    };
    /** @description How far the setting up of a channel got. */
    ChannelProvisioning: {
      /**
       * @description Why the last attempt failed, for operators to read. Null while the channel works.
       * @example The mail server refused the user name or the password
       */
      lastError: string | null;
      /**
       * Format: date-time
       * @description When it is tried again; null if there is nothing to try, or if an operator has to change something first.
       */
      nextRetryAt: string | null;
      /** @description Failed attempts since the channel last worked. */
      attempts: number;
    };
    /** @description A way in which contacts reach a workspace. */
    Channel: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      type: components["schemas"]["ChannelType"];
      /**
       * @description `provisioning`: it is being set up. `error`: it does not work and needs an operator. `disabled`: an operator turned it
       *     off. Outgoing messages wait until the channel is active.
       */
      status: components["schemas"]["ChannelStatus"];
      /**
       * @description How contacts reach it: the email address, the phone number in E.164, or the public key of a web chat, which its pages
       *     contain and which is not a secret. Null if the channel has none.
       * @example support@example.com
       */
      address: string | null;
      /** @description They depend on the type of the channel. */
      settings: {
        [key: string]: unknown;
      };
      /**
       * @description The path on this server where the channel's provider sends what comes in. Null if nothing comes in by webhook.
       * @example /api/webhooks/mail/0198c6b4-7d2a-7c3e-9f10-2b6f0c1d3e4f/mime
       */
      webhookPath: string | null;
      /**
       * @description Equal for equal credentials. It reveals nothing else about them. Null if none are stored.
       * @example 1f0c9a3be2d45c77
       */
      credentialFingerprint: string | null;
      /** @description Who has signed in to the mailbox, if its settings ask for a sign-in (`signIn`). Null if nobody has tried. */
      signIn: components["schemas"]["ChannelSignIn"] | null;
      /** @description What the last test found. Null if the channel was never tested. */
      lastTest: components["schemas"]["ChannelTest"] | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      name: string;
      /** @description How setting it up goes. */
      provisioning: components["schemas"]["ChannelProvisioning"];
      /** @description Whether credentials are stored. They are never returned. */
      hasCredentials: boolean;
    };
    /** @description What you send to `workspaces.create`. */
    CreateWorkspace: {
      /**
       * @description 1 to 200 characters.
       * @example Support
       */
      name: string;
      /** Format: uuid */
      brandId: string;
      /**
       * @description ISO 639-1.
       * @default en
       * @example en
       */
      primaryLanguage?: string;
      /**
       * @description IANA name.
       * @default UTC
       * @example Europe/Berlin
       */
      timezone?: string;
    };
    /** @description What you send to `workspaces.update`. */
    UpdateWorkspace: {
      /**
       * @description 1 to 200 characters.
       * @example Support
       */
      name?: string;
      /**
       * @description ISO 639-1.
       * @example en
       */
      primaryLanguage?: string;
      /**
       * @description IANA name.
       * @example Europe/Berlin
       */
      timezone?: string;
      /**
       * @description Markdown below each mail, at most 5,000 characters; null for none. It has the variables of canned replies.
       * @example Example Ltd, 1 High Street, London
       */
      mailFooter?: string | null;
      /**
       * Format: uri
       * @description The https address of another logo in mails; null for that of the workspace. It is not loaded here.
       * @example https://example.com/logo.png
       */
      mailLogoUrl?: string | null;
      /**
       * @description `inactive`: the assistant is off, and everything else works. `archived`: the workspace is read-only. An active
       *     workspace can become inactive or archived, an inactive one active or archived, and an archived one inactive.
       */
      status?: components["schemas"]["WorkspaceStatus"];
      /** @description Whether the assistant answers in this workspace while it is active. */
      assistantEnabled?: boolean;
    };
    /** @description A brand of yours. It has workspaces. */
    Brand: {
      /** Format: uuid */
      id: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      name: string;
    };
    /** @description What you send to `brands.create`. */
    CreateBrand: {
      /** @description 1 to 200 characters. */
      name: string;
    };
    /** @description What you send to `brands.update`. */
    UpdateBrand: {
      /** @description 1 to 200 characters. */
      name?: string;
    };
    /** @description What you send to `logos.set`. */
    SetLogo: {
      /**
       * Format: base64
       * @description A PNG, JPEG or WebP in base64: at most 100 kB, and 1,024 pixels a side.
       */
      image: string;
    };
    /** @description An email address or phone number of a contact. */
    ContactPoint: {
      /**
       * Format: date-time
       * @description When the contact proved that the address is theirs. Null if it is only claimed.
       */
      verifiedAt: string | null;
      /** @description An email address, or a phone number in E.164. */
      value: string;
    };
    /** @description A person who writes to you. */
    Contact: {
      /** Format: uuid */
      id: string;
      /** @description Your own id for the person, unique per tenant. Null if not given. */
      externalId: string | null;
      /** @description Null if unknown. */
      name: string | null;
      /** @description ISO 639-1. Null if unknown. */
      language: string | null;
      /**
       * Format: uuid
       * @description The account, a customer company, that the contact belongs to. Null if there is none.
       */
      accountId: string | null;
      /** @description Any data that you keep about the person. */
      attributes: {
        [key: string]: unknown;
      };
      /**
       * Format: uuid
       * @description The contact that this one was merged into. It now has the conversations, emails and phones of this one. Null if it was not merged.
       */
      mergedIntoId: string | null;
      /**
       * Format: date-time
       * @description When the contact wrote last, to within a minute. Null: never.
       */
      lastSeenAt: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description Email addresses. */
      emails: components["schemas"]["ContactPoint"][];
      /** @description Phone numbers. */
      phones: components["schemas"]["ContactPoint"][];
      /** @description Your own labels. */
      labels: string[];
      /** @description Messages from a blocked contact are refused: 409. */
      blocked: boolean;
    };
    /** @description What you send to `contacts.create`. */
    CreateContact: {
      /**
       * @description Your own id for the person, 1 to 255 characters, unique per tenant.
       * @example crm-4711
       */
      externalId?: string | null;
      /**
       * @description 1 to 200 characters. Null if unknown.
       * @example Ada Lovelace
       */
      name?: string | null;
      /**
       * @description At most 20, as texts, or as a contact shows them. A `verifiedAt` is ignored. Emails alone never match an existing
       *     contact.
       * @example [
       *       "ada@example.com"
       *     ]
       */
      emails?: (
        | string
        | {
            /** Format: email */
            value: string;
            /** @description Ignored: only a verification proves an address. */
            verifiedAt?: string | null;
          }
      )[];
      /**
       * @description Phone numbers with country code, at most 20, as texts, or as a contact shows them. A `verifiedAt` is ignored. They are
       *     stored in E.164.
       * @example [
       *       "+4930901820"
       *     ]
       */
      phones?: (
        | string
        | {
            value: string;
            /** @description Ignored: only a verification proves an address. */
            verifiedAt?: string | null;
          }
      )[];
      /**
       * @description ISO 639-1.
       * @example en
       */
      language?: string | null;
      /**
       * @description Any data that you keep about the person, as a JSON object.
       * @example {
       *       "plan": "gold"
       *     }
       */
      attributes?: {
        [key: string]: unknown;
      };
      /** @description At most 50, each 1 to 100 characters. */
      labels?: string[];
    };
    /** @description What is wrong with one line of an import. */
    ContactImportLine: {
      /** @description The line of the body where the record begins, counted from 1. The first line of a CSV names the columns. */
      line: number;
      /**
       * Format: uuid
       * @description The contact that was created from the line. Null if none was.
       */
      contactId: string | null;
      /** @description Why no contact was created. Null if one was. */
      error: string | null;
    };
    /** @description How an import of contacts ended. */
    ContactImportReport: {
      /** @description Lines that became a contact. */
      imported: number;
      /** @description Lines that did not become a contact. */
      failed: number;
      /** @description Every line that is not blank, in order. */
      lines: components["schemas"]["ContactImportLine"][];
    };
    /** @description What you send to `contacts.update`. */
    UpdateContact: {
      /**
       * @description Your own id for the person, 1 to 255 characters, unique per tenant.
       * @example crm-4711
       */
      externalId?: string | null;
      /**
       * @description 1 to 200 characters. Null if unknown.
       * @example Ada Lovelace
       */
      name?: string | null;
      /**
       * @description At most 20, as texts, or as a contact shows them. A `verifiedAt` is ignored. Emails alone never match an existing
       *     contact.
       * @example [
       *       "ada@example.com"
       *     ]
       */
      emails?: (
        | string
        | {
            /** Format: email */
            value: string;
            /** @description Ignored: only a verification proves an address. */
            verifiedAt?: string | null;
          }
      )[];
      /**
       * @description Phone numbers with country code, at most 20, as texts, or as a contact shows them. A `verifiedAt` is ignored. They are
       *     stored in E.164.
       * @example [
       *       "+4930901820"
       *     ]
       */
      phones?: (
        | string
        | {
            value: string;
            /** @description Ignored: only a verification proves an address. */
            verifiedAt?: string | null;
          }
      )[];
      /**
       * @description ISO 639-1.
       * @example en
       */
      language?: string | null;
      /**
       * @description Any data that you keep about the person, as a JSON object.
       * @example {
       *       "plan": "gold"
       *     }
       */
      attributes?: {
        [key: string]: unknown;
      };
      /** @description At most 50, each 1 to 100 characters. */
      labels?: string[];
      /** @description After this request is answered, messages from a blocked contact are refused (409), also in open conversations. */
      blocked?: boolean;
    };
    /** @description What you send to `contacts.linkAccount`. */
    LinkAccount: {
      /** Format: uuid */
      accountId: string;
    };
    /** @description A company that contacts belong to. */
    Account: {
      /** Format: uuid */
      id: string;
      /** @description Your own id for the company, unique per tenant. Null if not given. */
      externalId: string | null;
      /** @description What the company does, in your own words. Null if not given. */
      industry: string | null;
      /** @description The plan that the company bought from you, in your own words. Null if not given. */
      plan: string | null;
      /** @description Any data that you keep about the company. */
      attributes: {
        [key: string]: unknown;
      };
      /** @description How many contacts are linked to the account. A restricted caller gets the number of those that it has access to. */
      contactCount: number;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      name: string;
      /** @description The domains of its websites and email addresses, in lower case. */
      domains: string[];
    };
    /** @description What you send to `accounts.create`. */
    CreateAccount: {
      /**
       * @description Your own id for the company, 1 to 255 characters, unique per tenant.
       * @example crm-42
       */
      externalId?: string | null;
      /**
       * @description 1 to 200 characters.
       * @example Analytical Engines Ltd
       */
      name: string;
      /**
       * @description At most 50, such as example.com.
       * @example [
       *       "example.com"
       *     ]
       */
      domains?: string[];
      /**
       * @description 1 to 100 characters.
       * @example Engineering
       */
      industry?: string | null;
      /**
       * @description 1 to 100 characters.
       * @example gold
       */
      plan?: string | null;
      /**
       * @description Any data that you keep about the company, as a JSON object.
       * @example {
       *       "seats": 40
       *     }
       */
      attributes?: {
        [key: string]: unknown;
      };
    };
    /** @description What you send to `accounts.changeMany`. */
    ChangeAccounts: {
      /** @description 1 to 100. */
      ids: string[];
      type: components["schemas"]["AccountChangeType"];
      /** @description For `set`: 1 to 100 characters, or null. */
      industry?: string | null;
      /** @description For `set`: 1 to 100 characters, or null. */
      plan?: string | null;
    };
    /** @description An account that was not changed, and why. */
    AccountError: {
      /** Format: uuid */
      accountId: string;
      error: string;
    };
    /** @description What a change of many accounts did. */
    AccountsChanged: {
      /** @description How many are as you want them now. */
      done: number;
      /** @description The others. */
      errors: components["schemas"]["AccountError"][];
    };
    /** @description What you send to `accounts.update`. */
    UpdateAccount: {
      /**
       * @description Your own id for the company, 1 to 255 characters, unique per tenant.
       * @example crm-42
       */
      externalId?: string | null;
      /**
       * @description 1 to 200 characters.
       * @example Analytical Engines Ltd
       */
      name?: string;
      /**
       * @description At most 50, such as example.com.
       * @example [
       *       "example.com"
       *     ]
       */
      domains?: string[];
      /**
       * @description 1 to 100 characters.
       * @example Engineering
       */
      industry?: string | null;
      /**
       * @description 1 to 100 characters.
       * @example gold
       */
      plan?: string | null;
      /**
       * @description Any data that you keep about the company, as a JSON object.
       * @example {
       *       "seats": 40
       *     }
       */
      attributes?: {
        [key: string]: unknown;
      };
    };
    /** @description What you send to `contacts.changeMany`. */
    ChangeContacts: {
      /** @description 1 to 100. */
      ids: string[];
      type: components["schemas"]["ContactChangeType"];
      /** @description For `label`: at most 50. */
      add?: string[];
      /** @description For `label`: at most 50. */
      remove?: string[];
      /**
       * Format: uuid
       * @description For `link`.
       */
      accountId?: string;
    };
    /** @description A contact that was not changed, and why. */
    ContactError: {
      /** Format: uuid */
      contactId: string;
      error: string;
    };
    /** @description What a change of many contacts did. */
    ContactsChanged: {
      /** @description How many are as you want them now. */
      done: number;
      /** @description The others. */
      errors: components["schemas"]["ContactError"][];
    };
    /** @description What a merge would move, and what it would undo. */
    MergePreview: {
      /** @description Conversations that would move to the survivor. */
      conversations: number;
      /** @description Those of them that would fall back to the assurance level `none`. */
      assuranceLevelsLost: number;
      /** @description Cases that would move to the survivor. */
      cases: number;
      /** @description Bookings that would move to the survivor. */
      bookings: number;
      /** @description Identity events that would move to the survivor. */
      identityEvents: number;
      /**
       * @description Questions, counted answers, links, eID requests and factors of the merged contact. Wrong answers would count for the
       *     survivor; everything else would end.
       */
      verifications: number;
      /** @description The survivor as it would be after the merge. */
      contact: components["schemas"]["Contact"];
    };
    /** @description What you send to `contacts.merge`. */
    MergeContacts: {
      /**
       * Format: uuid
       * @description The contact to merge into the contact in the path.
       */
      sourceContactId: string;
      /**
       * @description Show the result of the merge without changing anything.
       * @default false
       */
      dryRun?: boolean;
    };
    /** @description A file in a message. */
    Attachment: {
      /** Format: uuid */
      id: string;
      /**
       * @description The file name without a path, and without characters that would make it look like something else.
       * @example invoice.pdf
       */
      fileName: string;
      /**
       * @description The content type, detected from the bytes. The type that the sender declared only counts for text.
       * @example application/pdf
       */
      contentType: string;
      /** @description Width of an image in pixels, as displayed. Null if unknown. */
      width: number | null;
      /** @description Height of an image in pixels, as displayed. Null if unknown. */
      height: number | null;
      /**
       * Format: date-time
       * @description When it was uploaded.
       */
      createdAt: string;
      /** @description Bytes. */
      size: number;
    };
    /** @description A file in a message, with a URL that downloads it. */
    AttachmentLink: {
      /** Format: uuid */
      id: string;
      /**
       * @description The file name without a path, and without characters that would make it look like something else.
       * @example invoice.pdf
       */
      fileName: string;
      /**
       * @description The content type, detected from the bytes. The type that the sender declared only counts for text.
       * @example application/pdf
       */
      contentType: string;
      /** @description Width of an image in pixels, as displayed. Null if unknown. */
      width: number | null;
      /** @description Height of an image in pixels, as displayed. Null if unknown. */
      height: number | null;
      /**
       * Format: date-time
       * @description When it was uploaded.
       */
      createdAt: string;
      /**
       * Format: uri
       * @description Anyone with this URL can download the file for 5 minutes.
       * @example https://parley.example.com/api/public/attachments/AZ2…
       */
      url: string;
      /** @description Bytes. */
      size: number;
    };
    /** @description A conversation between a contact and your side. */
    Conversation: {
      /**
       * Format: uuid
       * @description The conversation's own id.
       */
      id: string;
      /**
       * Format: uuid
       * @description The workspace that it is in.
       */
      workspaceId: string;
      /**
       * Format: uuid
       * @description The brand of the workspace.
       */
      brandId: string;
      /**
       * Format: uuid
       * @description The channel that it came through.
       */
      channelId: string;
      channelType: components["schemas"]["ChannelType"];
      /**
       * Format: uuid
       * @description The person who wrote, or whom you wrote to.
       */
      contactId: string;
      /**
       * Format: uuid
       * @description The account that the contact belongs to. Null if there is none.
       */
      accountId: string | null;
      /** @description Your own id for the conversation, unique per workspace. Null if not given. */
      externalId: string | null;
      /** @description Its subject. Null if it has none. */
      subject: string | null;
      status: components["schemas"]["ConversationStatus"];
      /** @description Who answers. This is independent of the status. */
      handlingMode: components["schemas"]["HandlingMode"];
      /**
       * Format: uuid
       * @description The member who handles it. Null if nobody is assigned.
       */
      assigneeId: string | null;
      priority: components["schemas"]["Priority"];
      /** @description ISO 639-1. Null if unknown. */
      language: string | null;
      /** @description What the conversation is about, for the next person who handles it. Null if nobody wrote it. */
      summary: string | null;
      /**
       * @description The first 200 characters or less of the newest message that is not a note. What Parley says by itself does not count, such as
       *     that a colleague takes over, or a survey. Null if there is none.
       */
      lastMessagePreview: string | null;
      /**
       * Format: date-time
       * @description Changes whenever this object changes. Lists are ordered by it.
       */
      lastActivityAt: string;
      /**
       * Format: date-time
       * @description Since when the contact has been waiting for an answer. Null if the contact is not waiting, for example in a
       *     resolved conversation.
       */
      waitingSince: string | null;
      /**
       * Format: date-time
       * @description When your side first wrote to the contact. Null until then.
       */
      firstReplyAt: string | null;
      /**
       * Format: date-time
       * @description When the conversation opens by itself. Null if it is not snoozed.
       */
      snoozedUntil: string | null;
      /**
       * Format: date-time
       * @description When it was resolved. Null if it is not resolved.
       */
      resolvedAt: string | null;
      /**
       * Format: uuid
       * @description The key or member that resolved it. Null if it is not resolved.
       */
      resolvedBy: string | null;
      /** @description How it ended. Null if it is not resolved, or if that was not given. */
      resolution: components["schemas"]["Resolution"] | null;
      /** @description How well the contact's identity is proven. */
      assuranceLevel: components["schemas"]["AssuranceLevel"];
      /** @description What proves that the messages are from the contact: the weakest proof among them. Null until the contact has written. */
      senderProof: components["schemas"]["SenderProof"] | null;
      /** @description The contact's newest rating, on the scale of the survey they answered. Null without one. */
      csatScore: number | null;
      /**
       * Format: uuid
       * @description The conversation that this one continues, if the contact wrote again more than 7 days after that one was resolved.
       *     Otherwise null.
       */
      previousConversationId: string | null;
      /** @description Any data that you keep about the conversation. */
      metadata: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description When it began.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it last changed.
       */
      updatedAt: string;
      /** @description Names of labels: those of `GET /api/labels`, and any others that you gave it. */
      labels: string[];
      /** @description Inbound and outbound messages; notes are not counted. */
      messageCount: number;
      /** @description Inbound messages since your side last answered, resolved or marked the conversation as read. Opening it changes nothing. */
      unreadCount: number;
      /** @description Actions of the assistant that wait for a person's approval. */
      pendingActionCount: number;
      /** @description Attention items of the conversation that are open. */
      openAttentionCount: number;
    };
    /** @description What the header of an imported mail says. Answers to the mails that it names find their conversation. */
    MailHeader: {
      /**
       * @description Its `Message-ID`. Becomes the message's `externalId`.
       * @example <81@old.example.com>
       */
      messageId?: string;
      /**
       * @description Its `In-Reply-To`.
       * @example <80@old.example.com>
       */
      inReplyTo?: string;
      /** @description Its `References`, at most 50. */
      references?: string[];
    };
    /** @description The first message of a conversation that you start. */
    SentMessage: {
      /**
       * @description 1 to 100,000 characters.
       * @example Hello, where is my order?
       */
      body: string;
      /**
       * @description How `body` is written.
       * @default text
       */
      bodyFormat?: components["schemas"]["BodyFormat"];
      /**
       * @description Your own id for the message, 1 to 255 characters. If the conversation already has it, you get the existing
       *     message.
       * @example mail-81
       */
      externalId?: string | null;
      /** @description Files of the message: your own uploads that are not part of a message yet, at most 20, in this order. */
      attachmentIds?: string[];
      /**
       * Format: date-time
       * @description When the message was sent, ISO 8601. Use it for imports. Default: now.
       */
      occurredAt?: string | null;
      /** @description For imports into a conversation by mail: what the mail's header says. */
      mail?: components["schemas"]["MailHeader"];
    };
    /** @description What you send to `conversations.start`. */
    StartConversation: {
      /** Format: uuid */
      workspaceId: string;
      /**
       * Format: uuid
       * @description A channel of the workspace. Default: its API channel.
       */
      channelId?: string;
      /**
       * Format: uuid
       * @description The contact. Or give `contact` instead.
       */
      contactId?: string;
      /**
       * @description Your own id for the conversation, 1 to 255 characters. If the workspace already has it, you get the existing
       *     conversation, unchanged.
       * @example ticket-1001
       */
      externalId?: string | null;
      /**
       * @description 1 to 500 characters.
       * @example Where is my order?
       */
      subject?: string | null;
      /**
       * @description For a call: the caller's number with country code, or null if it is withheld. Wrong answers to verification
       *     questions are counted per number.
       * @example +4930901820
       */
      callerId?: string | null;
      /**
       * @description Any data that you keep about the conversation, as a JSON object.
       * @default {}
       * @example {
       *       "source": "shop"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * @description A contact to create. If a contact with this `externalId` exists within your reach, that contact is used, unchanged.
       *     If it is out of reach, a new contact without `externalId` is created. Emails and phone numbers alone never match an
       *     existing contact.
       */
      contact?: components["schemas"]["CreateContact"];
      /** @description The contact's first message. */
      message?: components["schemas"]["SentMessage"];
    };
    /** @description What you send to `conversations.compose`. */
    ComposeConversation: {
      /** @description For mail: whom it goes to. Default: the contact. */
      to?: string[];
      /** @description For mail: who gets a copy. They become participants. Default of a reply: all participants. `[]`: nobody. */
      cc?: string[];
      /** @description For mail: who gets a copy that the others do not see. */
      bcc?: string[];
      /** Format: uuid */
      workspaceId: string;
      /**
       * Format: uuid
       * @description The contact to write to.
       */
      contactId: string;
      /**
       * Format: uuid
       * @description A channel of the workspace. Default: its API channel.
       */
      channelId?: string;
      /**
       * @description 1 to 500 characters.
       * @example Your parcel
       */
      subject?: string | null;
      /**
       * @description 1 to 100,000 characters.
       * @example Your parcel will come a day later than we said.
       */
      body: string;
      /**
       * @description How `body` is written.
       * @default text
       */
      bodyFormat?: components["schemas"]["BodyFormat"];
      /** @description Files of the message: your own uploads that are not part of a message yet, at most 20, in this order. */
      attachmentIds?: string[];
    };
    /** @description What you send to `conversations.update`. */
    UpdateConversation: {
      /**
       * @description 1 to 500 characters.
       * @example Where is my order?
       */
      subject?: string | null;
      priority?: components["schemas"]["Priority"];
      /**
       * @description ISO 639-1.
       * @example en
       */
      language?: string | null;
      /**
       * @description What the conversation is about, 1 to 5,000 characters, for the next person who handles it.
       * @example The parcel is late; a refund was offered.
       */
      summary?: string | null;
      /**
       * @description Any data that you keep about the conversation, as a JSON object. Replaces the old object.
       * @example {
       *       "source": "shop"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      };
      /** @description Replaces all labels. At most 50, each 1 to 100 characters. */
      labels?: string[];
    };
    /** @description Whether the sender of an email is proven, and how. */
    MessageAuthentication: {
      /**
       * @description `pass`: the domain signed the mail, or the receiving mail server says that it comes from there. `fail`: the domain asks
       *     receivers to refuse mail like this, so it may be forged. It is in a conversation of its own, and its contact has no
       *     email address. `none`: nobody can tell.
       */
      result: components["schemas"]["AuthenticationResult"];
      /**
       * @description The result of SPF, as the receiving mail server recorded it. Null if unknown.
       * @example pass
       */
      spf: string | null;
      /**
       * @description The result of DKIM: `pass`, or another value of RFC 8601. Null if unknown.
       * @example pass
       */
      dkim: string | null;
      /**
       * @description The result of DMARC: `pass`, or another value of RFC 8601. Null if unknown.
       * @example pass
       */
      dmarc: string | null;
      /** @description Who found out: Parley itself, or the mail server that received the mail. */
      checkedBy: components["schemas"]["AuthenticationChecker"];
      /**
       * @description The address that the mail gives as its sender.
       * @example ada@example.com
       */
      from: string;
    };
    /** @description Who wrote an inbound message. */
    MessageAuthor: {
      /**
       * Format: uuid
       * @description Null if nobody is known to be the author.
       */
      contactId: string | null;
      /** @description The address that a mail gives as its sender. Null for others. */
      address: string | null;
    };
    /** @description A knowledge base entry that an answer is based on. */
    Citation: {
      /** Format: uuid */
      kbEntryId: string;
      /**
       * @description How much the answer is based on the entry, 0 to 1. You can use the `confidence` of a search.
       * @example 0.93
       */
      score: number;
    };
    /** @description A message of a conversation, or an internal note. */
    Message: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      conversationId: string;
      /** @description From the contact, to the contact, or an internal note. */
      direction: components["schemas"]["MessageDirection"];
      authorType: components["schemas"]["AuthorType"];
      /**
       * Format: uuid
       * @description The contact, member, API key or agent. Null if Parley itself wrote it.
       */
      authorId: string | null;
      bodyFormat: components["schemas"]["BodyFormat"];
      /** @description The files of the message, in their order. */
      attachments: components["schemas"]["Attachment"][];
      /** @description The members whom a note names. */
      mentions: string[];
      /** @description Your own id for the message, unique in the conversation. Null if not given. */
      externalId: string | null;
      /** @description The `clientMessageId` of the reply. Null if not given. */
      clientMessageId: string | null;
      /** @description `held`: the reply can be cancelled. `cancelled`: it never left. It stays as an internal message. */
      deliveryStatus: components["schemas"]["DeliveryStatus"];
      /**
       * Format: date-time
       * @description The reply does not leave before. Null unless `deliveryStatus` is `held`.
       */
      heldUntil: string | null;
      /** @description The assistant's confidence, 0 to 1. Null if not given. */
      confidence: number | null;
      /** @description Whether a mail comes from the domain of its sender. Null for messages that are not mails. */
      authentication: components["schemas"]["MessageAuthentication"] | null;
      /** @description What proves that the message is from the contact, as in a conversation. Null for messages that are not inbound. */
      senderProof: components["schemas"]["SenderProof"] | null;
      /** @description Whom a mail names besides your mailboxes. Empty for a mail of yours to the contact. */
      to: string[];
      /** @description Who is in copy. */
      cc: string[];
      /** @description Who got a mail of yours without the others knowing. */
      bcc: string[];
      /** @description Who wrote it: the contact, or a participant. Null for messages that are not inbound. */
      authoredBy: components["schemas"]["MessageAuthor"] | null;
      /**
       * Format: date-time
       * @description When the text was removed. Null if it was not.
       */
      redactedAt: string | null;
      /**
       * Format: date-time
       * @description When the message was sent, as given by the sender. The order and the activity time use the time of arrival
       *     instead.
       */
      occurredAt: string;
      /** Format: date-time */
      createdAt: string;
      /** @description Counts 1, 2, 3 … in the order of arrival, without gaps, notes included. */
      sequence: number;
      /** @description The text. Empty after it was removed. */
      body: string;
      /** @description The message came with formatting: read it from `GET /api/messages/{id}/html`. */
      htmlAvailable: boolean;
      /** @description The knowledge base entries that the answer is based on. */
      citations: components["schemas"]["Citation"][];
    };
    /** @description What you send to `conversations.reply`. */
    SendReply: {
      /** @description For mail: whom it goes to. Default: the contact. */
      to?: string[];
      /** @description For mail: who gets a copy. They become participants. Default of a reply: all participants. `[]`: nobody. */
      cc?: string[];
      /** @description For mail: who gets a copy that the others do not see. */
      bcc?: string[];
      /**
       * @description 1 to 100,000 characters.
       * @example It left our warehouse this morning.
       */
      body: string;
      /**
       * @description How `body` is written.
       * @default text
       */
      bodyFormat?: components["schemas"]["BodyFormat"];
      /**
       * @description Your own id for the reply, 1 to 255 characters. If the conversation already has it, you get the existing message.
       * @example reply-1
       */
      clientMessageId?: string | null;
      /** @description For mail: its subject, 1 to 500 characters. It stays in the thread. Default: that of the conversation. */
      subject?: string;
      /** @description Files of the reply: your own uploads that are not part of a message yet, at most 20, in this order. */
      attachmentIds?: string[];
      /**
       * @description Keep the assistant in the conversation. Otherwise the reply takes over. With `agentId` the assistant always keeps
       *     it.
       * @default false
       */
      keepAssistant?: boolean;
      /**
       * Format: uuid
       * @description For API keys: the agent that answers. 409 if the agent is paused, the workspace's assistant is off, or a human
       *     handles the conversation.
       */
      agentId?: string;
      /**
       * @description The `sequence` of the newest message that you have read. If the conversation has a newer message from the contact
       *     or a newer reply, the answer is 409 with its sequence, and nothing is written. Notes and messages of the system do
       *     not count.
       * @example 41
       */
      ifLastSequence?: number;
      /**
       * Format: date-time
       * @description For members: the `updatedAt` of the draft that this was. The draft is deleted with it, unless it has changed since.
       */
      draftUpdatedAt?: string;
      /**
       * @description For how many seconds you can still cancel the reply, with `POST /api/messages/{id}/cancel`. It leaves after that. For
       *     channels that send: mail and SMS. On others it is 400.
       * @default 0
       * @example 10
       */
      holdSeconds?: number;
      /** @description What a mail repeats below the text. Default: as its mailbox has it, and `none` if `to` is given. Other channels repeat nothing. */
      quote?: components["schemas"]["Quote"];
      /**
       * @description What becomes of the conversation. `pending`: it waits for the contact. `resolve`: it is resolved. `snooze`: it is snoozed
       *     until `snoozeUntil`. Default: its status stays.
       */
      then?: components["schemas"]["ReplyThen"];
      /**
       * Format: date-time
       * @description With `then: snooze`: when the conversation opens again by itself, to the minute. ISO 8601, in the future.
       * @example 2030-01-07T08:00:00Z
       */
      snoozeUntil?: string;
      /**
       * @description The knowledge base entries of the workspace that the answer is based on, at most 20. They must be approved, or
       *     archived since. Each entry counts the answer in `usage.answered`.
       */
      citations?: components["schemas"]["Citation"][];
    };
    /** @description The reply was taken, and is sent. */
    ReplySent: {
      /** @enum {boolean} */
      ok: true;
      /** Format: uuid */
      messageId: string;
    };
    /** @description What you send to `conversations.addNote`. */
    AddNote: {
      /**
       * @description 1 to 100,000 characters. The contact never sees it.
       * @example Called the warehouse: parcel 4711.
       */
      body: string;
      /** @description Files of the note: your own uploads that are not part of a message yet, at most 20, in this order. */
      attachmentIds?: string[];
      /**
       * @description The members whom you name in it, at most 50. Events of the note name them, so that they can be told. They must have
       *     access to the conversation.
       */
      mentions?: string[];
      /** @description Your own id for the note, 1 to 255 characters. If the conversation already has it, you get the existing note. */
      externalId?: string | null;
      /** @description For imports into a conversation by mail: what the header of your side's mail says, which this note stands for. */
      mail?: components["schemas"]["MailHeader"];
      /**
       * Format: date-time
       * @description For members: the `updatedAt` of the draft that this was. The draft is deleted with it, unless it has changed since.
       */
      draftUpdatedAt?: string;
    };
    /** @description What you send to `conversations.resolve`. */
    ResolveConversation: {
      /** @description How the conversation ended, if you want to say. */
      resolution?: components["schemas"]["Resolution"] | null;
    };
    /** @description What you send to `conversations.snooze`. */
    SnoozeConversation: {
      /**
       * Format: date-time
       * @description When the conversation opens again by itself, to the minute. ISO 8601, in the future.
       * @example 2030-01-07T08:00:00Z
       */
      until: string;
    };
    /** @description What you send to `conversations.takeOver`. */
    TakeOverConversation: {
      /**
       * Format: uuid
       * @description The member who takes it. The member must work in the workspace. Default: the member who calls; with an API key,
       *     the current assignee.
       */
      memberId?: string;
      /**
       * @description Take the conversation even if it is assigned to a colleague.
       * @default false
       */
      force?: boolean;
    };
    /** @description What you send to `conversations.assign`. */
    AssignConversation: {
      /**
       * Format: uuid
       * @description A member who works in the workspace, present or not. `GET /api/workspaces/{workspaceId}/assignees` lists them.
       */
      memberId?: string;
      /**
       * Format: email
       * @description The member's email, in place of `memberId`. The answer is 409 if nobody who can be given the conversation has it.
       * @example grace@example.com
       */
      email?: string;
    };
    /** @description What you send to `conversations.changeLabels`. */
    ChangeLabels: {
      /**
       * @description Labels that the conversation gets, behind those that it has. At most 50, each 1 to 100 characters.
       * @default []
       * @example [
       *       "vip"
       *     ]
       */
      add?: string[];
      /**
       * @description Labels that the conversation loses. At most 50, and none of `add`.
       * @default []
       * @example [
       *       "late"
       *     ]
       */
      remove?: string[];
    };
    /** @description A member who can be given a conversation. */
    Assignee: {
      /** Format: uuid */
      id: string;
      /** @description What the member set last; `offline` after five minutes without a request. */
      presence: components["schemas"]["Presence"];
      name: string;
    };
    /** @description Which conversations a bulk action changes. Each field is that of the list of conversations. */
    BulkFilter: {
      /**
       * Format: uuid
       * @description Only this workspace. 404 if you have no access to it.
       */
      workspaceId?: string;
      /** @description A member's id, or `none` for conversations without an assignee. */
      assigneeId?: string;
      /** @description Only conversations that the assistant or a human handles. */
      handlingMode?: components["schemas"]["HandlingMode"];
      /** @description Only conversations of channels of this type. */
      channelType?: components["schemas"]["ChannelType"];
      /**
       * Format: uuid
       * @description Only conversations of this contact.
       */
      contactId?: string;
      /**
       * Format: date-time
       * @description Only conversations whose `lastActivityAt` is at or after this time, ISO 8601. It does not change the order.
       */
      updatedSince?: string;
      /** @description Only conversations with exactly this label. Case matters. */
      label?: string;
      /** @description Only the conversation with this `externalId`. */
      externalId?: string;
      /** @description One of these statuses. */
      status?: components["schemas"]["ConversationStatus"][];
      /** @description `true`: only conversations with unread messages. `false`: only those without. */
      unread?: boolean;
      /** @description `true`: only conversations with a contact who waits for an answer (`waitingSince`). `false`: only those without. */
      waiting?: boolean;
      /** @description Only these conversations, 1 to 1,000. Those that you have no access to are left out. */
      ids?: string[];
    };
    /** @description What a bulk action does with each conversation. */
    BulkChange: {
      type: components["schemas"]["BulkChangeType"];
      /** @description For `resolve`: how the conversations ended, if you want to say. */
      resolution?: components["schemas"]["Resolution"];
      /**
       * Format: date-time
       * @description For `snooze`: when the conversations open again.
       */
      until?: string;
      /**
       * Format: uuid
       * @description For `assign`: a member. Conversations in whose workspace the member does not work fail.
       */
      memberId?: string;
      /** @description For `label`: labels to add. At most 50, each 1 to 100 characters. */
      add?: string[];
      /** @description For `label`: labels to remove. At most 50, and none of `add`. */
      remove?: string[];
    };
    /** @description What you send to `bulkActions.create`. */
    CreateBulkAction: {
      /** @description Which conversations to change, as in `GET /api/conversations`. At least one field. */
      filter: components["schemas"]["BulkFilter"];
      /** @description What to do with each. */
      action: components["schemas"]["BulkChange"];
    };
    /** @description A conversation that a bulk action could not change. */
    BulkError: {
      /** Format: uuid */
      conversationId: string;
      /** @description Why it was not changed, as its own operation would have said. */
      error: string;
    };
    /** @description One change of many conversations, and how far it is. */
    BulkAction: {
      /** Format: uuid */
      id: string;
      status: components["schemas"]["BulkActionStatus"];
      /** @description How many conversations matched when you asked. At most 10,000. */
      total: number;
      /** @description How many were changed, or were as you want them already. */
      done: number;
      /** @description How many could not be changed. */
      failed: number;
      /** Format: date-time */
      createdAt: string;
      action: components["schemas"]["BulkChange"];
      /** @description The first 100 that could not be changed. */
      errors: components["schemas"]["BulkError"][];
    };
    /** @description How many conversations a view has, up to 1,000. */
    ConversationCount: {
      /** @description At most 1,000. */
      count: number;
      /** @description Whether there are more than were counted. */
      more: boolean;
    };
    /** @description How many conversations each view of an inbox has. */
    ConversationCounts: {
      /** @description `assigneeId` is you, `status=open,pending`. Null for an API key. */
      mine: components["schemas"]["ConversationCount"] | null;
      /** @description `assigneeId=none&status=open,pending`. */
      unassigned: components["schemas"]["ConversationCount"];
      /** @description `sort=waiting&status=open,pending`. */
      waiting: components["schemas"]["ConversationCount"];
      /** @description `status=open,pending`. */
      open: components["schemas"]["ConversationCount"];
      /** @description `status=snoozed`. */
      snoozed: components["schemas"]["ConversationCount"];
      /** @description `status=resolved`. */
      resolved: components["schemas"]["ConversationCount"];
    };
    /** @description A name that sorts conversations, with its colour. */
    Label: {
      /** Format: uuid */
      id: string;
      /**
       * @description What conversations have in `labels`. Unique, case matters.
       * @example vip
       */
      name: string;
      colour: components["schemas"]["LabelColour"];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    /** @description What you send to `labels.create`. */
    CreateLabel: {
      /**
       * @description 1 to 100 characters. It cannot be changed, because conversations and your integrations hold it.
       * @example vip
       */
      name: string;
      /**
       * @description How it looks.
       * @default gray
       */
      colour?: components["schemas"]["LabelColour"];
    };
    /** @description What you send to `labels.update`. */
    UpdateLabel: {
      colour?: components["schemas"]["LabelColour"];
    };
    /** @description A reply that was cancelled, to go on with. */
    CancelledReply: {
      /** @enum {boolean} */
      ok: true;
      /** Format: uuid */
      conversationId: string;
      bodyFormat: components["schemas"]["BodyFormat"];
      /** @description They are uploads again: whoever uploaded them can attach them to another message. */
      attachments: components["schemas"]["Attachment"][];
      /** @description As they were given. */
      to: string[];
      /** @description As they were given. */
      cc: string[];
      /** @description As they were given. */
      bcc: string[];
      /** @description Null if it had none of its own. */
      subject: string | null;
      /** @description The text, as it was written. */
      body: string;
    };
    /** @description What you have written in a conversation and not sent yet. Nobody else can read it. */
    Draft: {
      /** Format: uuid */
      conversationId: string;
      /**
       * @description Empty if there is no draft.
       * @example It left our warehouse
       */
      body: string;
      attachments: components["schemas"]["Attachment"][];
      /**
       * @description The `sequence` of the newest message that you had read. Null if not given.
       * @example 41
       */
      basedOnSequence: number | null;
      /**
       * Format: date-time
       * @description Null if there is no draft.
       */
      updatedAt: string | null;
      /** @description Whether it is to become a note. */
      isNote: boolean;
    };
    /** @description What you send to `conversations.saveDraft`. */
    SaveDraft: {
      /**
       * @description Up to 100,000 characters; it may be empty.
       * @example It left our warehouse
       */
      body: string;
      /**
       * @description Whether it is to become a note.
       * @default false
       */
      isNote?: boolean;
      /** @description Your own uploads that are not part of a message yet, at most 20, in this order. They are kept as long as the draft. */
      attachmentIds?: string[];
      /**
       * @description The `sequence` of the newest message that you had read. Send the reply with it as `ifLastSequence`.
       * @example 41
       */
      basedOnSequence?: number | null;
      /**
       * Format: date-time
       * @description The `updatedAt` of the draft that you replace, or null if there was none. If the draft is another one by now, the
       *     answer is 409 and nothing changes. Without this field the last write wins.
       */
      ifUpdatedAt?: string | null;
    };
    /** @description What you send to `conversations.setViewing`. */
    SetViewing: {
      /** @description `typing` is for replies: a visitor of the web chat sees it. While you write a note, send `viewing`. */
      state: components["schemas"]["ViewingState"];
    };
    /** @description A member who looks at a conversation or types in it. */
    Viewer: {
      /** Format: uuid */
      memberId: string;
      state: components["schemas"]["ViewerState"];
      /**
       * Format: date-time
       * @description When this ends, unless the member's dashboard says it again.
       */
      until: string;
      name: string;
    };
    /** @description A text that members reply with again and again. It can have variables. */
    CannedReply: {
      /** Format: uuid */
      id: string;
      /**
       * Format: uuid
       * @description The workspace that it is for; null for all.
       */
      workspaceId: string | null;
      /**
       * @description What you type to find it.
       * @example refund
       */
      shortcut: string;
      /**
       * @description What it says, for members who look for it.
       * @example Refund is on its way
       */
      title: string;
      /**
       * @description Markdown with variables.
       * @example Hello {{contact.firstName | there}}, your refund is on its way.
       */
      body: string;
      /**
       * @description ISO 639-1; null if it has none.
       * @example en
       */
      language: string | null;
      /**
       * Format: uuid
       * @description The member who made it.
       */
      createdBy: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    /** @description What you send to `cannedReplies.create`. */
    CreateCannedReply: {
      /**
       * Format: uuid
       * @description The workspace that it is for. Without it, or with null, it is for all; only owners and admins can make those.
       */
      workspaceId?: string | null;
      /**
       * @description Letters, digits, `-` and `_`, at most 40, kept in small letters. Unique in the workspace, or among those for all.
       * @example refund
       */
      shortcut: string;
      /**
       * @description 1 to 200 characters.
       * @example Refund is on its way
       */
      title: string;
      /**
       * @description Markdown of 1 to 10,000 characters. Variables: `{{contact.name}}`, `{{contact.firstName}}`, `{{member.name}}`,
       *     `{{member.firstName}}`, `{{conversation.id}}`, `{{conversation.subject}}`, `{{workspace.name}}`, `{{brand.name}}`.
       *     `{{contact.firstName | there}}` has what to write where there is no value. Any other variable is refused.
       * @example Hello {{contact.firstName | there}}, your refund is on its way.
       */
      body: string;
      /**
       * @description ISO 639-1.
       * @example en
       */
      language?: string | null;
    };
    /** @description What you send to `cannedReplies.update`. */
    UpdateCannedReply: {
      /**
       * @description Letters, digits, `-` and `_`, at most 40, kept in small letters. Unique in the workspace, or among those for all.
       * @example refund
       */
      shortcut?: string;
      /**
       * @description 1 to 200 characters.
       * @example Refund is on its way
       */
      title?: string;
      /**
       * @description Markdown of 1 to 10,000 characters. Variables: `{{contact.name}}`, `{{contact.firstName}}`, `{{member.name}}`,
       *     `{{member.firstName}}`, `{{conversation.id}}`, `{{conversation.subject}}`, `{{workspace.name}}`, `{{brand.name}}`.
       *     `{{contact.firstName | there}}` has what to write where there is no value. Any other variable is refused.
       * @example Hello {{contact.firstName | there}}, your refund is on its way.
       */
      body?: string;
      /**
       * @description ISO 639-1; null removes it.
       * @example en
       */
      language?: string | null;
    };
    /** @description What you send to `cannedReplies.render`. */
    RenderCannedReply: {
      /** Format: uuid */
      conversationId: string;
    };
    /** @description A canned reply, filled in for a conversation. */
    RenderedCannedReply: {
      /** Format: uuid */
      conversationId: string;
      /**
       * @description Markdown. Values are escaped, so a name is never formatting.
       * @example Hello Ada, your refund is on its way.
       */
      body: string;
      /**
       * @description The variables that have no value and no fallback. They are still in the body: fill them in before you send it.
       * @example []
       */
      missing: components["schemas"]["CannedReplyVariable"][];
    };
    /** @description Which conversations a view shows. */
    ViewFilter: {
      /**
       * Format: uuid
       * @description 404 if you have no access to it. Members without access do not see a shared view of it.
       */
      workspaceId?: string;
      status?: components["schemas"]["ConversationStatus"][];
      /**
       * @description A member's id, `none`, or `me`: whoever looks at the view.
       * @example me
       */
      assigneeId?: string;
      /** @description Whether there is something that nobody has read. */
      unread?: boolean;
      handlingMode?: components["schemas"]["HandlingMode"];
      channelType?: components["schemas"]["ChannelType"];
      /** @description Exactly this label. Case matters. */
      label?: string;
    };
    /** @description A filter of the conversation list with a name. */
    View: {
      /** Format: uuid */
      id: string;
      /** @example Waiting for a refund */
      name: string;
      /** @description The most recent activity first, or whoever has waited longest. */
      sort: components["schemas"]["ConversationSort"];
      /** @description Lower numbers come first. */
      position: number;
      /**
       * Format: uuid
       * @description Whose it is. Of a shared view: who shared it.
       */
      memberId: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      filter: components["schemas"]["ViewFilter"];
      /** @description Whether everybody sees it. */
      shared: boolean;
    };
    /** @description What you send to `views.create`. */
    CreateView: {
      /**
       * @description 1 to 100 characters.
       * @example Waiting for a refund
       */
      name: string;
      /**
       * @description An empty object shows everything.
       * @example {
       *       "status": [
       *         "open",
       *         "pending"
       *       ],
       *       "label": "refund"
       *     }
       */
      filter: components["schemas"]["ViewFilter"];
      /**
       * @description The most recent activity first, or whoever has waited longest.
       * @default recent
       */
      sort?: components["schemas"]["ConversationSort"];
      /**
       * @description Whether everybody sees it. Only owners and admins make, change and delete shared views.
       * @default false
       */
      shared?: boolean;
      /**
       * @description Lower numbers come first, shared views before your own. Views with the same number come by name.
       * @default 0
       */
      position?: number;
    };
    /** @description What you send to `views.update`. */
    UpdateView: {
      /** @description 1 to 100 characters. */
      name?: string;
      /** @description Replaces the whole filter. */
      filter?: components["schemas"]["ViewFilter"];
      sort?: components["schemas"]["ConversationSort"];
      /** @description Whether everybody sees it. A shared view that you stop sharing is yours. */
      shared?: boolean;
      /** @description Lower numbers come first. */
      position?: number;
    };
    /** @description Somebody besides the contact who gets the mails of a conversation. */
    Participant: {
      /** Format: uuid */
      id: string;
      /**
       * Format: uuid
       * @description The contact with this address in the workspace. Null if there is none yet.
       */
      contactId: string | null;
      /** @description As their mails give it. Null if none did. */
      name: string | null;
      role: components["schemas"]["ParticipantRole"];
      /**
       * Format: uuid
       * @description The member or API key. Null if a mail named them.
       */
      addedBy: string | null;
      /**
       * Format: date-time
       * @description Since when they take part.
       */
      addedAt: string;
      /** @description In lower case. */
      address: string;
    };
    /** @description What you send to `conversations.addParticipant`. */
    AddParticipant: {
      /**
       * Format: email
       * @description None of your own mailboxes.
       * @example grace@example.com
       */
      address: string;
      /** @description 1 to 200 characters. */
      name?: string | null;
      /**
       * @description Where they are listed.
       * @default cc
       */
      role?: components["schemas"]["ParticipantRole"];
    };
    /** @description What you send to `conversations.forwardMessage`. */
    ForwardMessage: {
      /** @description Whom it goes to. */
      to: string[];
      /** @description Who gets a copy. */
      cc?: string[];
      /** @description What you write above the message, 1 to 100,000 characters. */
      body?: string;
      /**
       * @description Where the answer goes. It is recognised by the signed address that it is sent to: `plusAddressing` of the mailbox.
       * @default note
       */
      answers?: components["schemas"]["ForwardAnswers"];
      /** @description Whether the files of the message go along. The mail as it came, `original.eml`, does not: it holds what the text leaves out. */
      attachments: boolean;
    };
    /** @description A part of an extract, which matches the query or not. */
    SnippetPart: {
      /** @description The text of this part, with its spaces. */
      text: string;
      /** @description Whether this part matches the query. Highlight it. */
      match: boolean;
    };
    /** @description An extract of about 200 characters, as plain text in parts. Join the parts to get the text. It contains no HTML. */
    Snippet: {
      field: components["schemas"]["SnippetField"];
      /**
       * Format: uuid
       * @description The id of the message, if the text was found in one. Otherwise null.
       */
      messageId: string | null;
      /** @description The extract, in order. */
      parts: components["schemas"]["SnippetPart"][];
    };
    /** @description A conversation that a search found, with the places that match. */
    FoundConversation: {
      /**
       * @description Where the words were found: the subject, the contact's name, email or phone, and the newest message that contains
       *     them.
       */
      snippets: components["schemas"]["Snippet"][];
      conversation: components["schemas"]["Conversation"];
    };
    /** @description What you send to `conversations.search`. */
    SearchConversations: {
      /**
       * @description 1 to 400 characters. Only the first 12 words count. Every word must be found, in any order, as the beginning of a
       *     word. A word of up to three letters must match a whole word, unless it is the last one. Accents and case make no
       *     difference. There are no operators.
       * @example retrun label
       */
      query: string;
      /**
       * Format: uuid
       * @description Only this workspace. 404 if you have no access to it.
       */
      workspaceId?: string;
      /** @description Only conversations with this status. */
      status?: components["schemas"]["ConversationStatus"];
      /**
       * @description How many conversations a page has at most, 1 to 100.
       * @default 25
       */
      limit?: number;
      /** @description The `nextCursor` of the previous page. Use it with the same query and filters. */
      cursor?: string;
    };
    /** @description Something that needs a person. */
    AttentionItem: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      /**
       * Format: uuid
       * @description The conversation that the item is about. Null if it is about something else.
       */
      conversationId: string | null;
      /**
       * Format: uuid
       * @description The channel that the item is about. Null if it is about something else.
       */
      channelId: string | null;
      /**
       * Format: uuid
       * @description The calendar connection that the item is about. Null if it is about something else.
       */
      calendarConnectionId: string | null;
      /**
       * Format: uuid
       * @description The circuit breaker that the item is about. Null if it is about something else.
       */
      circuitBreakerId: string | null;
      /**
       * Format: uuid
       * @description The test of the assistant that the item is about. Null if it is about something else.
       */
      assistantTestId: string | null;
      type: components["schemas"]["AttentionType"];
      severity: components["schemas"]["AttentionSeverity"];
      /**
       * @description What happened when it was raised, for a person to read.
       * @example No verification source is attached to the workspace
       */
      reason: string;
      status: components["schemas"]["AttentionStatus"];
      /**
       * Format: uuid
       * @description The member that the conversation is assigned to. Null if the item is about something else.
       */
      assigneeId: string | null;
      /**
       * Format: uuid
       * @description The key or member that resolved the item. Null also if the system resolved it.
       */
      resolvedBy: string | null;
      /**
       * Format: date-time
       * @description When it was resolved. Null while it is open.
       */
      resolvedAt: string | null;
      /** Format: date-time */
      createdAt: string;
      /** @description How often the same cause came up for the same object while the item was open. */
      occurrences: number;
    };
    /** @description One step of proving who a contact is. */
    IdentityEvent: {
      /**
       * Format: uuid
       * @description Stable across replays, so you can use it as the primary key of a mirror.
       */
      id: string;
      /** Format: uuid */
      tenantId: string;
      /** Format: uuid */
      conversationId: string;
      /**
       * Format: date-time
       * @description When it happened.
       */
      occurredAt: string;
      eventType: components["schemas"]["IdentityEventType"];
      /** @description Null for events that are not about a factor. */
      factorCategory: components["schemas"]["FactorCategory"] | null;
      /**
       * @description The kind of factor. Null for events that are not about a factor.
       * @example magic_link
       */
      factorType: components["schemas"]["FactorType"] | null;
      /**
       * Format: uuid
       * @description The contact that the factor is bound to. Null for types without one.
       */
      factorBoundToPrincipal: string | null;
      /**
       * @description What `scopeValues` holds, for `assurance_level_reached` and a few other types. Otherwise null.
       * @example assurance_level
       */
      scopeDimension: string | null;
      /**
       * @description The values of `scopeDimension`, such as the level that was reached. Null for other types.
       * @example [
       *       "identified"
       *     ]
       */
      scopeValues: string[] | null;
      /**
       * @description Names the mechanism, for audits: `kbv:<tool_name>`, `magic_link:<uuid>`, `lockout:per_call:cap=<N>`, `per_24h:cap=<N>`, `eid:<scheme>` or `tool:<name>`. Null for types without one.
       * @example tool:contact_attributes
       */
      evidenceRef: string | null;
      /** @description Version of the verification specialist's system prompt at that time. Null if none was set. */
      promptVersion: string | null;
      /**
       * Format: date-time
       * @description When it was written.
       */
      createdAt: string;
    };
    /** @description All identity events of a conversation. */
    IdentityEvents: {
      /** @description Every identity event of the conversation, oldest first. */
      events: components["schemas"]["IdentityEvent"][];
    };
    /** @description How a workspace proves who is calling. */
    IdentitySettings: {
      /** @description Kinds of proof that count. */
      allowedFactors: components["schemas"]["FactorType"][];
      /** @description Version of the verification specialist's system prompt. Identity events carry it. Null if not set. */
      promptVersion: string | null;
      /** @description Right answers that make a knowledge factor. */
      requiredCorrectAnswers: number;
      /** @description Wrong answers that lock the conversation, or call. */
      maxWrongPerConversation: number;
      /** @description Wrong answers within 24 hours that lock the identity. */
      maxWrongPerIdentity24h: number;
      /** @description Wrong answers within 24 hours that lock the caller ID. */
      maxWrongPerCallerId24h: number;
      /** @description Minutes for which a magic link or a one-time code can be used. */
      magicLinkMinutes: number;
      /** @description Whether the page behind a magic link asks for the two digits that the conversation shows. */
      requireLinkCode: boolean;
      /** @description Hours after which a link or code to an address that was added to a contact later raises the level. */
      addressCoolOffHours: number;
      /** @description Minutes for which a factor counts. */
      factorLifetimeMinutes: number;
    };
    /** @description What you send to `identitySettings.replace`. */
    PutIdentitySettings: {
      /**
       * @description Kinds of proof that count, at least one. Default: all.
       * @default [
       *       "kba_static",
       *       "kba_dynamic",
       *       "otp_email",
       *       "otp_sms",
       *       "magic_link",
       *       "ani_match",
       *       "eid_verified"
       *     ]
       */
      allowedFactors?: components["schemas"]["FactorType"][];
      /**
       * @description Version of the verification specialist's system prompt, 1 to 100 characters. Identity events carry it.
       * @default null
       * @example 2026-11
       */
      promptVersion?: string | null;
      /**
       * @description Right answers that make a knowledge factor, 1 to 10.
       * @default 2
       */
      requiredCorrectAnswers?: number;
      /**
       * @description Wrong answers that lock the conversation, or call, 1 to 100.
       * @default 3
       */
      maxWrongPerConversation?: number;
      /**
       * @description Wrong answers within 24 hours that lock the identity, 1 to 100.
       * @default 5
       */
      maxWrongPerIdentity24h?: number;
      /**
       * @description Wrong answers within 24 hours that lock the caller ID, 1 to 100.
       * @default 10
       */
      maxWrongPerCallerId24h?: number;
      /**
       * @description Minutes for which a magic link or a one-time code can be used, 1 to 60.
       * @default 10
       */
      magicLinkMinutes?: number;
      /**
       * @description Whether the page behind a magic link asks for the two digits that the conversation shows.
       * @default false
       */
      requireLinkCode?: boolean;
      /**
       * @description Hours after which a link or code to an address that was added to a contact later raises the level, 0 to 8,760.
       * @default 72
       */
      addressCoolOffHours?: number;
      /**
       * @description Minutes for which a factor counts, 1 to 1,440.
       * @default 30
       */
      factorLifetimeMinutes?: number;
    };
    /** @description How long a workspace keeps identity events. */
    RetentionSettings: {
      /** @description Months for which identity events are kept, 3 to 84. */
      identityRetentionMonths: number;
    };
    /** @description What you send to `retentionSettings.replace`. */
    PutRetentionSettings: {
      /**
       * @description Months for which identity events are kept, 3 to 84. If you shorten it, the next daily run deletes the older events for good.
       * @default 24
       */
      identityRetentionMonths?: number;
    };
    /** @description A question to a caller, and where its right answer is. */
    VerificationQuestion: {
      /** @description Which field of the contact holds the right answer: `name`, `email`, `phone`, or a key of its attributes. Null for the type `http`. */
      attribute: string | null;
      /** @description Path to the right answer in the JSON that the URL returns. Null for the type `contact_attributes`. */
      path: string | null;
      /** @description Unique in its source. */
      key: string;
      /** @description The question as it is put to the person. */
      prompt: string;
    };
    /** @description Where the right answers to questions come from. */
    VerificationSource: {
      type: components["schemas"]["VerificationSourceType"];
      /** @description The address of your system that Parley asks. Null for the type `contact_attributes`. */
      url: string | null;
      /** @description Unique in the workspace. Identity events name the source as `tool:<name>`. */
      name: string;
      /** @description What the source can ask. */
      questions: components["schemas"]["VerificationQuestion"][];
      /** @description Whether credentials are stored. They are never returned. */
      hasCredentials: boolean;
    };
    /** @description All verification sources of a workspace. */
    VerificationSources: {
      /** @description The workspace's sources. */
      sources: components["schemas"]["VerificationSource"][];
    };
    /** @description What Parley signs in with at a verification source. It is never shown. */
    SourceCredentials: {
      /**
       * @description Sent as the `Authorization` header: 1 to 4,000 visible ASCII characters and spaces.
       * @example Bearer …
       */
      authorization: string;
    };
    /** @description A question to a caller, and where its right answer is. */
    PutVerificationQuestion: {
      /**
       * @description Unique in its source: lowercase letters, digits and `_`, 1 to 40 characters.
       * @example postcode
       */
      key: string;
      /**
       * @description The question as it is put to the person, 1 to 500 characters. Ask for one fact only.
       * @example What is your postcode?
       */
      prompt: string;
      /**
       * @description `name`, `email`, `phone`, or a key of the contact's attributes. Required for the type `contact_attributes`, and not allowed for `http`.
       * @example postcode
       */
      attribute?: string | null;
      /**
       * @description A JSON path made of `.name` and `[n]` only, at most 200 characters. Required for the type `http`, and not allowed for `contact_attributes`.
       * @example $.account.postcode
       */
      path?: string | null;
    };
    /** @description A verification source as you write it. */
    PutVerificationSource: {
      /**
       * @description Unique in the workspace: lowercase letters, digits and `_`, 1 to 40 characters. Identity events name the source as `tool:<name>`.
       * @example contact_attributes
       */
      name: string;
      /** @description `contact_attributes` takes the answers from the contact; `http` asks your server. */
      type: components["schemas"]["VerificationSourceType"];
      /**
       * @description An absolute https URL (or http, for hosts in the server's `OUTBOUND_ALLOW`), at most 2,000 characters. If its host changes, stored credentials are dropped. Required for the type `http`, and not allowed for `contact_attributes`.
       * @example https://crm.example.com/lookup
       */
      url?: string | null;
      /** @description For the type `http`. Omit them to keep those stored under the same name, if the host is the same; `null` removes them. They are never returned. */
      credentials?: components["schemas"]["SourceCredentials"] | null;
      /** @description 1 to 20 questions. */
      questions: components["schemas"]["PutVerificationQuestion"][];
    };
    /** @description What you send to `verificationSources.replace`. */
    PutVerificationSources: {
      /** @description All sources, at most 10. Sources that are not in the list are removed. */
      sources: components["schemas"]["PutVerificationSource"][];
    };
    /** @description How the first approval by an eID is matched with what is on file of a contact. */
    EidBindingRule: {
      /**
       * @description How a first approval proves that the person is the contact. `name_and_birthdate`: the name and the date of birth of the
       *     ID token are on file. `identifier`: a claim of the ID token is on file. `none`: not at all; a member confirms it.
       */
      match: components["schemas"]["EidMatch"];
      /** @description For `identifier`: the claim of the ID token. Otherwise null. */
      identifierClaim: string | null;
      /** @description For `identifier`: the contact's attribute that the claim must equal. Null: the contact's `externalId`. */
      identifierAttribute: string | null;
      /** @description For `name_and_birthdate`: the contact's attribute with the date of birth. */
      birthdateAttribute: string;
    };
    /** @description A provider of eIDs that a workspace accepts. */
    EidScheme: {
      /** @description Unique in the workspace. Identity events name the scheme as `eid:<name>`. */
      name: string;
      /** @description The OpenID provider's issuer. */
      issuer: string;
      /** @description The client id of Parley at the provider. */
      clientId: string;
      /** @description Whether a client secret is stored. It is never returned. */
      hasSecret: boolean;
      /** @description The provider's levels of assurance that are accepted. Empty: any level. */
      acrValues: string[];
      /** @description The claim of the ID token that identifies the person for good. */
      personIdentifierClaim: string;
      /** @description What a first approval must match, so that it binds the person to the contact. */
      binding: components["schemas"]["EidBindingRule"];
    };
    /** @description All eID schemes of a workspace. */
    EidSchemes: {
      /** @description The workspace's schemes, at most 10. */
      schemes: components["schemas"]["EidScheme"][];
    };
    /** @description How the first approval by an eID is matched with what is on file of a contact. */
    PutEidBindingRule: {
      /**
       * @description How a first approval proves that the person is the contact. `name_and_birthdate`: `given_name` and `family_name` (or
       *     `name`) and `birthdate` of the ID token equal the contact's name and date of birth. `identifier`: a claim of the ID
       *     token equals the contact's `externalId` or an attribute. `none`: a first approval raises no level until a member
       *     confirms it.
       * @default none
       */
      match?: components["schemas"]["EidMatch"];
      /**
       * @description For `name_and_birthdate`: the contact's attribute with the date of birth, 1 to 100 characters.
       * @default birthdate
       */
      birthdateAttribute?: string;
      /**
       * @description For `identifier`, which needs it: the claim of the ID token, 1 to 100 characters.
       * @default null
       * @example customer_number
       */
      identifierClaim?: string | null;
      /**
       * @description For `identifier`: the contact's attribute that the claim must equal, 1 to 100 characters. Default: its `externalId`.
       * @default null
       * @example customerNumber
       */
      identifierAttribute?: string | null;
    };
    /** @description An eID scheme as you write it. */
    PutEidScheme: {
      /**
       * @description Unique in the workspace: lowercase letters, digits, `_` and `-`, 1 to 40 characters. Identity events name the scheme as `eid:<name>`.
       * @example bank-id
       */
      name: string;
      /**
       * @description The OpenID provider's issuer: an https URL (or http, for hosts in the server's `OUTBOUND_ALLOW`) without query and fragment, at most 500 characters.
       * @example https://eid.example.com
       */
      issuer: string;
      /**
       * @description 1 to 200 visible ASCII characters.
       * @example parley
       */
      clientId: string;
      /**
       * @description 1 to 1,000 visible ASCII characters. Omit it to keep the one stored under the same name, if the issuer is on the same host; `null` removes it. It is never returned.
       * @example …
       */
      clientSecret?: string | null;
      /**
       * @description The provider's levels of assurance, at most 10. They are requested, and the ID token's `acr` must be one of them. Default: empty, which accepts any level.
       * @default []
       * @example [
       *       "urn:example:loa:substantial"
       *     ]
       */
      acrValues?: string[];
      /**
       * @description The claim of the ID token that identifies the person for good, 1 to 100 characters. Only a keyed hash of it is stored.
       * @default sub
       * @example sub
       */
      personIdentifierClaim?: string;
      /**
       * @description What a first approval must match, so that it binds the person to the contact. Default: nothing, so that a member confirms it.
       * @default {
       *       "match": "none",
       *       "birthdateAttribute": "birthdate",
       *       "identifierClaim": null,
       *       "identifierAttribute": null
       *     }
       */
      binding?: components["schemas"]["PutEidBindingRule"];
    };
    /** @description What you send to `eidSchemes.replace`. */
    PutEidSchemes: {
      /** @description All schemes, at most 10. Schemes that are not in the list are removed. */
      schemes: components["schemas"]["PutEidScheme"][];
    };
    /** @description What you send to `verification.askQuestions`. */
    AskQuestions: {
      /**
       * @description How many questions to ask, 1 to 5.
       * @default 1
       */
      count?: number;
    };
    /** @description A question to put to the caller. */
    AskedQuestion: {
      /**
       * Format: uuid
       * @description Give it together with the answer.
       */
      questionId: string;
      /**
       * @description The question, to be put to the caller as it is.
       * @example What is your postcode?
       */
      prompt: string;
    };
    /** @description The questions to put to the caller. */
    AskedQuestions: {
      /** @description Put them to the caller one by one. */
      questions: components["schemas"]["AskedQuestion"][];
    };
    /** @description What you send to `verification.submitAnswer`. */
    SubmitAnswer: {
      /** Format: uuid */
      questionId: string;
      /**
       * @description The answer in the caller's own words, 1 to 500 characters. It is compared and not stored.
       * @example it is EC1A 1BB
       */
      answer: string;
    };
    /** @description Whether an answer was right. */
    AnswerResult: {
      result: components["schemas"]["VerificationResult"];
      /** @description How well the contact is proven now. */
      assuranceLevel: components["schemas"]["AssuranceLevel"];
      /** @description Wrong answers left until verification is locked. */
      remainingAttempts: number;
    };
    /** @description What you send to `verification.require`. */
    RequireVerification: {
      /** @description The level that the conversation needs. */
      level: components["schemas"]["RequiredAssuranceLevel"];
      /**
       * @description What the level is needed for, 1 to 200 characters. It is shown in the attention item if verification is not configured.
       * @example change the payout account
       */
      purpose: string;
    };
    /** @description A magic link that was sent and not yet used. */
    PendingLink: {
      /** Format: uuid */
      linkId: string;
      channel: components["schemas"]["ProofChannel"];
      /**
       * @description Two digits that the page behind the link shows or asks for. Tell them to the person in the conversation.
       * @example 42
       */
      code: string;
      /**
       * Format: date-time
       * @description The link works until then.
       */
      expiresAt: string;
    };
    /** @description A factor that was proven and has not expired. */
    VerifiedFactor: {
      factorType: components["schemas"]["FactorType"];
      factorCategory: components["schemas"]["FactorCategory"];
      /**
       * Format: date-time
       * @description When it was proven.
       */
      addedAt: string;
      /**
       * Format: date-time
       * @description The factor counts until then.
       */
      expiresAt: string;
    };
    /** @description Verification is locked after too many wrong answers. */
    VerificationLock: {
      /**
       * Format: date-time
       * @description When the next attempt is possible. Null if only an owner or admin can unlock.
       */
      until: string | null;
    };
    /** @description The locks that apply to a conversation. */
    VerificationLocks: {
      /** @description Set after too many wrong answers in this conversation. Otherwise null. */
      conversation: components["schemas"]["VerificationLock"] | null;
      /** @description Set after too many wrong answers for this person in 24 hours. Otherwise null. */
      identity: components["schemas"]["VerificationLock"] | null;
      /** @description Set after too many wrong answers from this caller ID in 24 hours. Otherwise null. */
      callerId: components["schemas"]["VerificationLock"] | null;
    };
    /** @description An approval that waits for a member to confirm it. */
    EidApproval: {
      /** Format: uuid */
      requestId: string;
      /**
       * Format: date-time
       * @description When the person approved.
       */
      approvedAt: string;
      /**
       * Format: date-time
       * @description A member can confirm it until then.
       */
      expiresAt: string;
      /** @description The name of the scheme. */
      scheme: string;
    };
    /** @description What is known of the contact's eID. */
    EidState: {
      /** @description Whether an eID is bound to the contact. */
      bound: boolean;
      /** @description Approvals by a person who is not bound to the contact, newest first. They raise no level until a member confirms them. */
      approvals: components["schemas"]["EidApproval"][];
    };
    /** @description How well the contact of a conversation is proven, and by what. */
    Assurance: {
      /** @description How well the contact is proven now. */
      level: components["schemas"]["AssuranceLevel"];
      /** @description The magic link that can be used now. Null if there is none. */
      pendingLink: components["schemas"]["PendingLink"] | null;
      /** @description The factors that have not expired, newest first. */
      factors: components["schemas"]["VerifiedFactor"][];
      /** @description What too many wrong answers have locked. */
      locks: components["schemas"]["VerificationLocks"];
      /** @description What is known of the contact's eID. */
      eid: components["schemas"]["EidState"];
    };
    /** @description What you send to `verification.sendMagicLink`. */
    SendMagicLink: {
      /** @description How the link is sent. `sms` needs an active SMS channel in the workspace. */
      channel: components["schemas"]["ProofChannel"];
      /**
       * @description One of the contact's own email addresses or phone numbers, 3 to 320 characters. Default: one that raises the level, a
       *     verified one first.
       * @example ada@example.com
       */
      to?: string;
    };
    /** @description The link was sent. */
    MagicLinkSent: {
      /**
       * @example true
       * @enum {boolean}
       */
      ok: true;
      /**
       * Format: uuid
       * @description Names the link in identity events (`magic_link:<id>`). It cannot be used to redeem the link.
       */
      linkId: string;
      /**
       * Format: date-time
       * @description The link works once until then, unless a newer one is sent.
       */
      expiresAt: string;
      /**
       * @description Two digits that the page behind the link shows or asks for. Tell them to the person in the conversation.
       * @example 42
       */
      code: string;
    };
    /** @description What you send to `verification.sendCode`. */
    SendCode: {
      /** @description How the code is sent. `sms` needs an active SMS channel in the workspace. */
      channel: components["schemas"]["ProofChannel"];
      /**
       * @description One of the contact's own email addresses or phone numbers, 3 to 320 characters. Default: one that raises the level, a
       *     verified one first.
       * @example ada@example.com
       */
      to?: string;
    };
    /** @description The code was sent. */
    CodeSent: {
      /**
       * @example true
       * @enum {boolean}
       */
      ok: true;
      /**
       * Format: uuid
       * @description Give it together with the code.
       */
      codeId: string;
      /**
       * Format: date-time
       * @description The code works once until then, unless a newer one is sent.
       */
      expiresAt: string;
    };
    /** @description What you send to `verification.verifyCode`. */
    VerifyCode: {
      /** Format: uuid */
      codeId: string;
      /**
       * @description The six digits that the person received. Spaces and hyphens between them are ignored.
       * @example 123456
       */
      code: string;
    };
    /** @description Whether a code was right. */
    CodeVerified: {
      result: components["schemas"]["VerificationResult"];
      /** @description How well the contact is proven now. */
      assuranceLevel: components["schemas"]["AssuranceLevel"];
      /** @description How often this code can still be tried. */
      remainingAttempts: number;
    };
    /** @description What you send to `verification.requestEid`. */
    RequestEid: {
      /**
       * @description Name of one of the workspace's eID schemes.
       * @example bank-id
       */
      scheme: string;
      /** @description `push` prompts the contact's eID app right away; `link` mails the contact a link to open later. */
      mode: components["schemas"]["EidMode"];
      /**
       * @description How the scheme knows the person, 1 to 200 characters. Only for `push`. It is passed on and not stored. Default: the contact's verified phone number or, without one, verified email.
       * @example +4930901820
       */
      loginHint?: string;
    };
    /** @description The contact was asked for an approval. */
    EidRequested: {
      /**
       * @example true
       * @enum {boolean}
       */
      ok: true;
      /** Format: uuid */
      requestId: string;
      /**
       * Format: date-time
       * @description The contact can approve until then.
       */
      expiresAt: string;
    };
    /** @description The place in a source where an entry was read. */
    ReadFrom: {
      /** Format: uuid */
      sourceId: string;
      /** @description The page. Null for a file. */
      url: string | null;
      /**
       * Format: date-time
       * @description When it was read there first.
       */
      readAt: string;
      /** @description The headings above the text, outermost first, with ` › ` between them. */
      section: string;
    };
    /** @description A message that an entry was learned from. */
    EntryEvidence: {
      /** Format: uuid */
      conversationId: string;
      /** Format: uuid */
      messageId: string;
    };
    /** @description How often an entry was used. */
    EntryUsage: {
      /** @description How often a search found the entry, or an evaluation applied it. */
      retrieved: number;
      /** @description How often an answer was based on it. */
      answered: number;
      /** @description How often such an answer helped. */
      helpful: number;
    };
    /** @description A question with its answer in the knowledge base. */
    KbEntry: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      status: components["schemas"]["EntryStatus"];
      /** @description Where the entry comes from. */
      source: components["schemas"]["EntrySource"];
      /**
       * Format: uuid
       * @description The entry that was nearly the same when this one was created. Null if there was none.
       */
      duplicateOfId: string | null;
      /**
       * Format: uuid
       * @description The key or member that approved or rejected it. Null if it was not reviewed.
       */
      reviewedBy: string | null;
      /**
       * Format: date-time
       * @description When it was approved or rejected. Null if it was not reviewed.
       */
      reviewedAt: string | null;
      /** @description Why it was rejected. Null if it was not, or if no reason was given. */
      rejectionReason: string | null;
      /**
       * Format: date-time
       * @description The entry is not used from this time on. Null: it has no end.
       */
      validUntil: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description The place in a source where it was read. Null if no source proposed it. */
      readFrom: components["schemas"]["ReadFrom"] | null;
      /** @description The question that the entry answers. */
      question: string;
      /** @description The answer, in Markdown. */
      answer: string;
      /** @description Other ways to ask the same question, at most 200. */
      alternateQuestions: string[];
      /** @description ISO 639-1. */
      language: string;
      /** @description Your own labels, at most 50. */
      labels: string[];
      /** @description It is proposed in place of the entry `duplicateOfId`: approving it archives that entry. */
      replacesDuplicate: boolean;
      /** @description How sure the author of the proposal is, 0 to 1. 0.9 and above is high. Missing if not given. */
      confidence?: number;
      /** @description The messages that it was learned from. */
      evidence: components["schemas"]["EntryEvidence"][];
      /** @description How many messages are in `evidence`. */
      evidenceCount: number;
      /** @description How often the entry was used. */
      usage: components["schemas"]["EntryUsage"];
      /** @description 1, 2, 3 …: each edit counts one up. */
      version: number;
    };
    /** @description An entry that a search found, and how sure the match is. */
    FoundKbEntry: {
      /** @description How likely the entry answers the question, 0 to 1. Of answers at 0.9, nine in ten are right. */
      confidence: number;
      /** @description The entry that was found. */
      entry: components["schemas"]["KbEntry"];
    };
    /** @description What you send to `kbEntries.import`. */
    ImportKbEntries: {
      /** @description `csv` with a header line, or `ndjson` with one JSON object per line. */
      format: components["schemas"]["EntryFormat"];
      /**
       * @description At most 10,000 lines. Fields: question, answer, alternateQuestions, language, labels, validUntil, status. In CSV,
       *     separate several values of one field with `|` or write them as a JSON array.
       * @example question,answer
       *     How long does delivery take?,Two days.
       */
      content: string;
    };
    /** @description A line of an import that is like an entry or another line. */
    ImportHint: {
      /** @description How similar their closest questions are, 0 to 1. */
      likeness: number;
      /** @description `duplicate`: the answers are nearly the same. `contradiction`: they differ. */
      kind: components["schemas"]["SimilarityKind"];
      /** Format: uuid */
      kbEntryId: string;
      /** @description The line of the content where the entry begins, counted from 1. */
      line: number;
      /** @description The question of that entry. */
      question: string;
    };
    /** @description What is wrong with one line of an import. */
    ImportError: {
      /** @description The line of the content where the entry begins, counted from 1. */
      line: number;
      /** @description What is wrong with it. */
      error: string;
    };
    /** @description How an import of entries ended. */
    KbImportReport: {
      /**
       * @description Imported lines that likely duplicate or contradict an existing entry or an earlier line, at most a thousand. If
       *     the import has more than 1,000 lines, only lines that repeat an earlier line are listed.
       */
      similar: components["schemas"]["ImportHint"][];
      /** @description Lines that became entries. */
      imported: number;
      /** @description Lines that did not. */
      failed: number;
      /** @description What is wrong with the lines that failed. */
      errors: components["schemas"]["ImportError"][];
    };
    /** @description One part of an export, in the format of the import. */
    ExportPart: {
      /** @description The format of `content`. */
      format: components["schemas"]["EntryFormat"];
      /** @description The entries, newest first, in the import format. */
      content: string;
      /** @description Missing in the last part. */
      nextCursor?: string;
    };
    /** @description What you send to `kbEntries.create`. */
    CreateKbEntry: {
      /**
       * Format: date-time
       * @description The entry is not used from this time on. ISO 8601.
       */
      validUntil?: string | null;
      /**
       * @description A pending entry waits for approval.
       * @default approved
       */
      status?: components["schemas"]["NewEntryStatus"];
      /**
       * @description 0 to 1.
       * @example 0.93
       */
      confidence?: number;
      /**
       * @description 1 to 2,000 characters.
       * @example How long does delivery take?
       */
      question: string;
      /**
       * @description 1 to 20,000 characters.
       * @example Two to three working days.
       */
      answer: string;
      /**
       * @description ISO 639-1. Default: the workspace's primary language.
       * @example en
       */
      language?: string;
      /**
       * @description Other ways to ask the same question, at most 200.
       * @default []
       */
      alternateQuestions?: string[];
      /**
       * @description At most 50, each 1 to 100 characters.
       * @default []
       */
      labels?: string[];
      /**
       * @description The messages that it was learned from, at most 100.
       * @default []
       */
      evidence?: components["schemas"]["EntryEvidence"][];
    };
    /** @description An entry that is like the new one. */
    LikelySameKbEntry: {
      /** @description How similar their closest questions are, 0 to 1. */
      likeness: number;
      /** @description `duplicate`: the answers are nearly the same. `contradiction`: they differ. */
      kind: components["schemas"]["SimilarityKind"];
      /** Format: uuid */
      kbEntryId: string;
      /** @description The question of that entry. */
      question: string;
    };
    /** @description The new entry, and the entries that are like it. */
    KbEntryCreated: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      status: components["schemas"]["EntryStatus"];
      /** @description Where the entry comes from. */
      source: components["schemas"]["EntrySource"];
      /**
       * Format: uuid
       * @description The entry that was nearly the same when this one was created. Null if there was none.
       */
      duplicateOfId: string | null;
      /**
       * Format: uuid
       * @description The key or member that approved or rejected it. Null if it was not reviewed.
       */
      reviewedBy: string | null;
      /**
       * Format: date-time
       * @description When it was approved or rejected. Null if it was not reviewed.
       */
      reviewedAt: string | null;
      /** @description Why it was rejected. Null if it was not, or if no reason was given. */
      rejectionReason: string | null;
      /**
       * Format: date-time
       * @description The entry is not used from this time on. Null: it has no end.
       */
      validUntil: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description The place in a source where it was read. Null if no source proposed it. */
      readFrom: components["schemas"]["ReadFrom"] | null;
      /**
       * @description Likely duplicates and contradictions among the approved and pending entries of the workspace, most similar first.
       *     They are hints for review and never block the request.
       */
      similar: components["schemas"]["LikelySameKbEntry"][];
      /** @description The question that the entry answers. */
      question: string;
      /** @description The answer, in Markdown. */
      answer: string;
      /** @description Other ways to ask the same question, at most 200. */
      alternateQuestions: string[];
      /** @description ISO 639-1. */
      language: string;
      /** @description Your own labels, at most 50. */
      labels: string[];
      /** @description It is proposed in place of the entry `duplicateOfId`: approving it archives that entry. */
      replacesDuplicate: boolean;
      /** @description How sure the author of the proposal is, 0 to 1. 0.9 and above is high. Missing if not given. */
      confidence?: number;
      /** @description The messages that it was learned from. */
      evidence: components["schemas"]["EntryEvidence"][];
      /** @description How many messages are in `evidence`. */
      evidenceCount: number;
      /** @description How often the entry was used. */
      usage: components["schemas"]["EntryUsage"];
      /** @description 1, 2, 3 …: each edit counts one up. */
      version: number;
    };
    /** @description An entry as it was after one edit. */
    KbEntryVersion: {
      /**
       * Format: date-time
       * @description The entry was not to be used from this time on. Null: it had no end.
       */
      validUntil: string | null;
      /**
       * Format: uuid
       * @description The key or member that wrote it. Null if unknown.
       */
      changedBy: string | null;
      /** @description Why the entry was changed. Null if no reason was given. */
      reason: string | null;
      /** @description The question that the entry answers. */
      question: string;
      /** @description The answer, in Markdown. */
      answer: string;
      /** @description Other ways to ask the same question. */
      alternateQuestions: string[];
      /** @description Your own labels. */
      labels: string[];
      /** @description 1, 2, 3 … */
      version: number;
    };
    /** @description An entry for nearly the same question. */
    SimilarKbEntry: {
      /** @description How similar their closest questions are, 0 to 1. */
      likeness: number;
      /** @description `duplicate`: the answers are nearly the same. `contradiction`: they differ. */
      kind: components["schemas"]["SimilarityKind"];
      /** @description The other entry. */
      entry: components["schemas"]["KbEntry"];
    };
    /** @description What you send to `kbEntries.update`. */
    UpdateKbEntry: {
      /**
       * Format: date-time
       * @description The entry is not used from this time on. ISO 8601. Null for no end.
       */
      validUntil?: string | null;
      /**
       * @description Why the entry is changed, 1 to 2,000 characters.
       * @example The tariff has changed
       */
      reason?: string | null;
      /**
       * @description 1 to 2,000 characters.
       * @example How long does delivery take?
       */
      question?: string;
      /**
       * @description 1 to 20,000 characters.
       * @example Two to three working days.
       */
      answer?: string;
      /** @description Other ways to ask the same question, at most 200. Replaces the existing list. */
      alternateQuestions?: string[];
      /** @description At most 50, each 1 to 100 characters. Replaces the existing list. */
      labels?: string[];
      /** @description The `version` that you have read. 409 if it is another one by now. Without it the last edit wins. */
      ifVersion?: number;
    };
    /** @description What you send to `kbEntries.approve` and `policyEntries.approve`. */
    ApproveEntry: {
      /** @description The `version` that you have read. 409 if it is another one by now. */
      ifVersion?: number;
    };
    /** @description What you send to `kbEntries.reject` and `policyEntries.reject`. */
    RejectEntry: {
      /**
       * @description The reason, 1 to 2,000 characters.
       * @example Outdated since the new tariff
       */
      reason?: string | null;
      /** @description The `version` that you have read. 409 if it is another one by now. */
      ifVersion?: number;
    };
    /** @description A website, a file or a help centre whose text is proposed as entries. */
    Source: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      kind: components["schemas"]["SourceKind"];
      /** @description The address that it is read from. Null for a file. */
      url: string | null;
      /** @description The name of the file. Null for an address. */
      fileName: string | null;
      /** @description How often it is read again by itself. */
      schedule: components["schemas"]["SourceSchedule"];
      status: components["schemas"]["SourceStatus"];
      /**
       * Format: date-time
       * @description When it was last read. Null if it was not yet.
       */
      lastReadAt: string | null;
      /** @description Why it was not read, or only in part, and what you can do. Null if all of it was read. */
      error: string | null;
      /** @description What `error` says, for programs. Null with it. */
      errorCode: components["schemas"]["SourceErrorCode"] | null;
      /** @description The number in `error`: a status, pages or megabytes. Null if there is none. */
      errorValue: number | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description How many pages the last reading read, or said that they have not changed. */
      pages: number;
      /** @description How many pages the last reading could not read. */
      failedPages: number;
      /** @description How many questions with answers are known from it. */
      found: number;
      /** @description How many of its proposals wait for a review. */
      proposed: number;
    };
    /** @description What you send to `sources.create`. */
    CreateSource: {
      kind: components["schemas"]["SourceKind"];
      /**
       * @description An https address of at most 2,000 characters. Of a website, its pages below this address are read; it may also be a sitemap. Of a
       *     help centre, it is where its API lists the articles. Not for a file.
       * @example https://example.com/help/
       */
      url?: string;
      /**
       * Format: uuid
       * @description A file that you uploaded with `POST /api/attachments` in the last 24 hours, instead of an address.
       */
      attachmentId?: string;
      /**
       * @description How often it is read again by itself. A file never is.
       * @default never
       */
      schedule?: components["schemas"]["SourceSchedule"];
    };
    /** @description What you send to `sources.update`. */
    UpdateSource: {
      /** @description How often it is read again by itself. A file never is. */
      schedule?: components["schemas"]["SourceSchedule"];
      /**
       * Format: uuid
       * @description A newer version of the file. It is read at once.
       */
      attachmentId?: string;
    };
    /** @description A rule about what the assistant may do. */
    PolicyEntry: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      status: components["schemas"]["EntryStatus"];
      /** @description Where the entry comes from. */
      source: components["schemas"]["EntrySource"];
      /**
       * Format: uuid
       * @description The entry that was nearly the same when this one was created. Null if there was none.
       */
      duplicateOfId: string | null;
      /**
       * Format: uuid
       * @description The key or member that approved or rejected it. Null if it was not reviewed.
       */
      reviewedBy: string | null;
      /**
       * Format: date-time
       * @description When it was approved or rejected. Null if it was not reviewed.
       */
      reviewedAt: string | null;
      /** @description Why it was rejected. Null if it was not, or if no reason was given. */
      rejectionReason: string | null;
      /**
       * Format: date-time
       * @description The entry is not used from this time on. Null: it has no end.
       */
      validUntil: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description What the policy is about, in your own words. Null if not given. */
      category: string | null;
      /** @description What happens when one of the tools is to be used. */
      effect: components["schemas"]["PolicyEffect"];
      /**
       * @description When the policy applies. Null means always.
       * @example {
       *       "all": [
       *         {
       *           "field": "order.total",
       *           "op": "gt",
       *           "value": 100
       *         },
       *         {
       *           "not": {
       *             "field": "customer.tier",
       *             "op": "in",
       *             "value": [
       *               "gold"
       *             ]
       *           }
       *         }
       *       ]
       *     }
       */
      conditions: {
        [key: string]: unknown;
      } | null;
      /** @description How well the contact's identity must be proven before the tools are used. Null: it need not be. */
      requiredAssuranceLevel: components["schemas"]["RequiredAssuranceLevel"] | null;
      /** @description How sure the author of the proposal is, 0 to 1. 0.9 and above is high. Missing if not given. */
      confidence?: number;
      /** @description The messages that it was learned from. */
      evidence: components["schemas"]["EntryEvidence"][];
      /** @description How many messages are in `evidence`. */
      evidenceCount: number;
      /** @description How often the entry was used. */
      usage: components["schemas"]["EntryUsage"];
      /** @description 1, 2, 3 …: each edit counts one up. */
      version: number;
      /** @description A short name of the rule. */
      title: string;
      /** @description The rule in words, for people and for the assistant. */
      rule: string;
      /** @description The tools that the policy is about. An empty list means all tools. */
      tools: string[];
      /**
       * @description 0 to 1,000. Of the rules that apply, the one with the highest priority decides. Among equal priorities the
       *     strictest decides.
       */
      priority: number;
    };
    /** @description A policy that a search found, and how sure the match is. */
    FoundPolicyEntry: {
      /** @description How likely the entry is what was asked for, 0 to 1. Uses the same formula as the knowledge base search. */
      confidence: number;
      /** @description The policy that was found. */
      entry: components["schemas"]["PolicyEntry"];
    };
    /** @description What you send to `policyEntries.evaluate`. */
    EvaluatePolicy: {
      /**
       * @description The tool that is to be used.
       * @example offer-refund
       */
      tool: string;
      /**
       * Format: uuid
       * @description The agent that wants to use the tool. 404 unless it works in the workspace.
       */
      agentId?: string;
      /**
       * @description The data that the conditions are checked against: any JSON object. It is not stored.
       * @default {}
       * @example {
       *       "order": {
       *         "total": 120
       *       },
       *       "customer": {
       *         "tier": "gold"
       *       }
       *     }
       */
      context?: {
        [key: string]: unknown;
      };
    };
    /** @description A rule that was considered, and why it applies or not. */
    ConsideredRule: {
      /** Format: uuid */
      id: string;
      /** @description What the policy does when it applies. */
      effect: components["schemas"]["PolicyDecision"];
      /** @description How well the contact's identity must be proven. Null: the rule does not ask for it. */
      requiredAssuranceLevel: components["schemas"]["RequiredAssuranceLevel"] | null;
      /**
       * @description The comparisons that decided whether the rule applies, as sentences. They name fields and the values in the rule,
       *     never the values in the context.
       * @example [
       *       "order.total is greater than 100"
       *     ]
       */
      why: string[];
      /** @description The policy's title. */
      title: string;
      /** @description The rule in words. */
      rule: string;
      /** @description 0 to 1,000. The highest decides. */
      priority: number;
    };
    /** @description What the rules require of an action, and why. */
    PolicyEvaluation: {
      /** @description The effect. `require_approval`: a person has to approve. `escalate`: a person has to take over. */
      effect: components["schemas"]["PolicyDecision"];
      /** @description The highest level that any applying rule requires, even if another rule decided the effect. Null if none does. */
      requiredAssuranceLevel: components["schemas"]["RequiredAssuranceLevel"] | null;
      /**
       * Format: uuid
       * @description The rule that decided. Null if no rule applies, or if a circuit breaker or a paused agent led to a stricter
       *     effect.
       */
      decidedBy: string | null;
      /** @description The tripped circuit breakers that block the agent or the tool. */
      circuitBreakers: string[];
      /** @description The decision in a sentence. */
      reason: string;
      /** @description Highest priority first. Among equal priorities, strictest first. */
      applying: components["schemas"]["ConsideredRule"][];
      /**
       * @description Rules about the tool whose conditions are not met, and rules that would allow the use but whose conditions have
       *     an unknown result.
       */
      notApplying: components["schemas"]["ConsideredRule"][];
    };
    /** @description What you send to `policyEntries.import`. */
    ImportPolicyEntries: {
      /** @description `csv` with a header line, or `ndjson` with one JSON object per line. */
      format: components["schemas"]["EntryFormat"];
      /**
       * @description At most 10,000 lines. Fields: title, rule, category, effect, tools, conditions, requiredAssuranceLevel, priority,
       *     validUntil, status. In CSV, separate several tools with `|` or write them as a JSON array. Write conditions as
       *     JSON.
       * @example title,rule,effect,tools
       *     No gift cards,Gift cards are not refunded.,deny,offer-refund
       */
      content: string;
    };
    /** @description A line of an import that is like a policy or another line. */
    PolicyImportHint: {
      /** @description How similar the titles are, 0 to 1. */
      likeness: number;
      /** @description `duplicate`: effect and rule are nearly the same. `contradiction`: they differ. */
      kind: components["schemas"]["SimilarityKind"];
      /** Format: uuid */
      policyEntryId: string;
      /** @description The line of the content where the policy begins, counted from 1. */
      line: number;
      /** @description The title of that policy. */
      title: string;
    };
    /** @description How an import of policies ended. */
    PolicyImportReport: {
      /**
       * @description Imported lines that likely duplicate or contradict an existing policy or an earlier line, at most a thousand. If
       *     the import has more than 1,000 lines, only lines that repeat an earlier title are listed.
       */
      similar: components["schemas"]["PolicyImportHint"][];
      /** @description Lines that became entries. */
      imported: number;
      /** @description Lines that did not. */
      failed: number;
      /** @description What is wrong with the lines that failed. */
      errors: components["schemas"]["ImportError"][];
    };
    /** @description What you send to `policyEntries.create`. */
    CreatePolicyEntry: {
      /**
       * Format: date-time
       * @description The entry is not used from this time on. ISO 8601.
       */
      validUntil?: string | null;
      /**
       * @description A pending entry waits for approval.
       * @default approved
       */
      status?: components["schemas"]["NewEntryStatus"];
      /**
       * @description 0 to 1.
       * @example 0.93
       */
      confidence?: number;
      /**
       * @description 1 to 200 characters.
       * @example Refunds above 100
       */
      title: string;
      /**
       * @description The rule in words, for people and for the assistant, 1 to 20,000 characters. Search finds each line separately.
       * @example A refund of more than 100 needs the approval of a person.
       */
      rule: string;
      /**
       * @description 1 to 100 characters.
       * @example Refunds
       */
      category?: string | null;
      /**
       * @description What happens when one of the tools is to be used.
       * @example require_approval
       */
      effect: components["schemas"]["PolicyEffect"];
      /**
       * @description The names of the tools that the policy is about, at most 100. An empty list means all tools.
       * @default []
       * @example [
       *       "offer-refund"
       *     ]
       */
      tools?: string[];
      /**
       * @description When the policy applies, checked against the `context` of an evaluation. Null means always. A condition is one of
       *     `{all: […]}`, `{any: […]}`, `{not: …}` or a comparison `{field, op, value}`. It has at most 100 parts, nested at
       *     most 8 deep.
       *
       *     The operators: `eq` and `ne` compare with a text, a number, true or false. `gt`, `gte`, `lt` and `lte` compare
       *     with a number. `in` takes a list that must contain the field's value. `contains` matches a list with the value,
       *     or a text that contains the text. `exists` takes true (the default) or false.
       *
       *     `done.<tool>.count.24h` and `done.<tool>.sum.<argument>.24h` are what was done for the contact, with this call.
       *
       *     If a field is missing or has another type, the result of its comparison is unknown. `exists: true` is false for a
       *     missing field. If the result of a rule is unknown, the stricter outcome counts.
       * @example {
       *       "all": [
       *         {
       *           "field": "order.total",
       *           "op": "gt",
       *           "value": 100
       *         },
       *         {
       *           "not": {
       *             "field": "customer.tier",
       *             "op": "in",
       *             "value": [
       *               "gold"
       *             ]
       *           }
       *         }
       *       ]
       *     }
       */
      conditions?: {
        [key: string]: unknown;
      } | null;
      /**
       * @description How well the contact's identity must be proven before the tools are used. Null: it need not be.
       * @example identified
       */
      requiredAssuranceLevel?: components["schemas"]["RequiredAssuranceLevel"] | null;
      /**
       * @description 0 to 1,000. Of the rules that apply, the one with the highest priority decides. Among equal priorities the
       *     strictest decides.
       * @default 100
       */
      priority?: number;
      /**
       * @description The messages that it was learned from, at most 100.
       * @default []
       */
      evidence?: components["schemas"]["EntryEvidence"][];
    };
    /** @description A policy that is like the new one. */
    LikelySamePolicyEntry: {
      /** @description How similar the titles are, 0 to 1. */
      likeness: number;
      /** @description `duplicate`: effect and rule are nearly the same. `contradiction`: they differ. */
      kind: components["schemas"]["SimilarityKind"];
      /** Format: uuid */
      policyEntryId: string;
      /** @description The title of that policy. */
      title: string;
    };
    /** @description The new policy, and the policies that are like it. */
    PolicyEntryCreated: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      status: components["schemas"]["EntryStatus"];
      /** @description Where the entry comes from. */
      source: components["schemas"]["EntrySource"];
      /**
       * Format: uuid
       * @description The entry that was nearly the same when this one was created. Null if there was none.
       */
      duplicateOfId: string | null;
      /**
       * Format: uuid
       * @description The key or member that approved or rejected it. Null if it was not reviewed.
       */
      reviewedBy: string | null;
      /**
       * Format: date-time
       * @description When it was approved or rejected. Null if it was not reviewed.
       */
      reviewedAt: string | null;
      /** @description Why it was rejected. Null if it was not, or if no reason was given. */
      rejectionReason: string | null;
      /**
       * Format: date-time
       * @description The entry is not used from this time on. Null: it has no end.
       */
      validUntil: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description What the policy is about, in your own words. Null if not given. */
      category: string | null;
      /** @description What happens when one of the tools is to be used. */
      effect: components["schemas"]["PolicyEffect"];
      /**
       * @description When the policy applies. Null means always.
       * @example {
       *       "all": [
       *         {
       *           "field": "order.total",
       *           "op": "gt",
       *           "value": 100
       *         },
       *         {
       *           "not": {
       *             "field": "customer.tier",
       *             "op": "in",
       *             "value": [
       *               "gold"
       *             ]
       *           }
       *         }
       *       ]
       *     }
       */
      conditions: {
        [key: string]: unknown;
      } | null;
      /** @description How well the contact's identity must be proven before the tools are used. Null: it need not be. */
      requiredAssuranceLevel: components["schemas"]["RequiredAssuranceLevel"] | null;
      /**
       * @description Likely duplicates and contradictions among the approved and pending policies of the workspace, most similar
       *     first. They are hints for review and never block the request.
       */
      similar: components["schemas"]["LikelySamePolicyEntry"][];
      /** @description How sure the author of the proposal is, 0 to 1. 0.9 and above is high. Missing if not given. */
      confidence?: number;
      /** @description The messages that it was learned from. */
      evidence: components["schemas"]["EntryEvidence"][];
      /** @description How many messages are in `evidence`. */
      evidenceCount: number;
      /** @description How often the entry was used. */
      usage: components["schemas"]["EntryUsage"];
      /** @description 1, 2, 3 …: each edit counts one up. */
      version: number;
      /** @description A short name of the rule. */
      title: string;
      /** @description The rule in words, for people and for the assistant. */
      rule: string;
      /** @description The tools that the policy is about. An empty list means all tools. */
      tools: string[];
      /**
       * @description 0 to 1,000. Of the rules that apply, the one with the highest priority decides. Among equal priorities the
       *     strictest decides.
       */
      priority: number;
    };
    /** @description A policy as it was after one edit. */
    PolicyEntryVersion: {
      /**
       * Format: date-time
       * @description The entry was not to be used from this time on. Null: it had no end.
       */
      validUntil: string | null;
      /**
       * Format: uuid
       * @description The key or member that wrote it. Null if unknown.
       */
      changedBy: string | null;
      /** @description Why the entry was changed. Null if no reason was given. */
      reason: string | null;
      /** @description What the policy is about, in your own words. Null if not given. */
      category: string | null;
      /** @description What happens when one of the tools is to be used. */
      effect: components["schemas"]["PolicyEffect"];
      /**
       * @description When the policy applies. Null means always.
       * @example {
       *       "all": [
       *         {
       *           "field": "order.total",
       *           "op": "gt",
       *           "value": 100
       *         },
       *         {
       *           "not": {
       *             "field": "customer.tier",
       *             "op": "in",
       *             "value": [
       *               "gold"
       *             ]
       *           }
       *         }
       *       ]
       *     }
       */
      conditions: {
        [key: string]: unknown;
      } | null;
      /** @description How well the contact's identity must be proven before the tools are used. Null: it need not be. */
      requiredAssuranceLevel: components["schemas"]["RequiredAssuranceLevel"] | null;
      /** @description 1, 2, 3 … */
      version: number;
      /** @description A short name of the rule. */
      title: string;
      /** @description The rule in words, for people and for the assistant. */
      rule: string;
      /** @description The tools that the policy is about. An empty list means all tools. */
      tools: string[];
      /**
       * @description 0 to 1,000. Of the rules that apply, the one with the highest priority decides. Among equal priorities the
       *     strictest decides.
       */
      priority: number;
    };
    /** @description A policy with nearly the same title. */
    SimilarPolicyEntry: {
      /** @description How similar the titles are, 0 to 1. */
      likeness: number;
      /** @description `duplicate`: effect and rule are nearly the same. `contradiction`: they differ. */
      kind: components["schemas"]["SimilarityKind"];
      /** @description The other policy. */
      entry: components["schemas"]["PolicyEntry"];
    };
    /** @description What you send to `policyEntries.update`. */
    UpdatePolicyEntry: {
      /**
       * Format: date-time
       * @description The entry is not used from this time on. ISO 8601. Null for no end.
       */
      validUntil?: string | null;
      /**
       * @description Why the entry is changed, 1 to 2,000 characters.
       * @example The tariff has changed
       */
      reason?: string | null;
      /**
       * @description 1 to 200 characters.
       * @example Refunds above 100
       */
      title?: string;
      /**
       * @description The rule in words, for people and for the assistant, 1 to 20,000 characters. Search finds each line separately.
       * @example A refund of more than 100 needs the approval of a person.
       */
      rule?: string;
      /**
       * @description 1 to 100 characters.
       * @example Refunds
       */
      category?: string | null;
      /**
       * @description What happens when one of the tools is to be used.
       * @example require_approval
       */
      effect?: components["schemas"]["PolicyEffect"];
      /**
       * @description How well the contact's identity must be proven before the tools are used. Null: it need not be.
       * @example identified
       */
      requiredAssuranceLevel?: components["schemas"]["RequiredAssuranceLevel"] | null;
      /** @description The tools that the policy is about, at most 100. Replaces the existing list. */
      tools?: string[];
      /**
       * @description When the policy applies, written as for a new one. Null means always.
       * @example {
       *       "all": [
       *         {
       *           "field": "order.total",
       *           "op": "gt",
       *           "value": 100
       *         },
       *         {
       *           "not": {
       *             "field": "customer.tier",
       *             "op": "in",
       *             "value": [
       *               "gold"
       *             ]
       *           }
       *         }
       *       ]
       *     }
       */
      conditions?: {
        [key: string]: unknown;
      } | null;
      /** @description 0 to 1,000. */
      priority?: number;
      /** @description The `version` that you have read. 409 if it is another one by now. Without it the last edit wins. */
      ifVersion?: number;
    };
    /** @description A rule of one agent that holds some of its actions back. */
    Guardrail: {
      /**
       * @description 1 to 100 characters. Unique among the agent's guardrails.
       * @example Large refunds
       */
      name: string;
      /** @description The agent's tools that the guardrail is about. An empty list means all of them. */
      tools: string[];
      /** @description What happens when one of the tools is to be used and the conditions are met. */
      effect: components["schemas"]["GuardrailEffect"];
      /**
       * @description When the guardrail applies, written like the conditions of a policy. Null means always.
       * @example {
       *       "all": [
       *         {
       *           "field": "order.total",
       *           "op": "gt",
       *           "value": 100
       *         },
       *         {
       *           "not": {
       *             "field": "customer.tier",
       *             "op": "in",
       *             "value": [
       *               "gold"
       *             ]
       *           }
       *         }
       *       ]
       *     }
       */
      conditions: {
        [key: string]: unknown;
      } | null;
      /** @description How well the contact's identity must be proven. Null: the guardrail does not ask for it. */
      requiredAssuranceLevel: components["schemas"]["RequiredAssuranceLevel"] | null;
    };
    /** @description A definition of the assistant. */
    Agent: {
      /** Format: uuid */
      id: string;
      /** @description Platform agents are the same for all tenants and read-only. */
      kind: components["schemas"]["AgentKind"];
      /**
       * @description What the agent is for. Agents with the role `assistant` answer contacts.
       * @example assistant
       */
      role: string;
      status: components["schemas"]["AgentStatus"];
      /**
       * @description The workspaces where a custom agent works, as far as you have access to them. A platform agent works in every
       *     workspace and lists none.
       */
      workspaceIds: string[];
      /**
       * @description The workspaces where a circuit breaker has paused the agent, as far as you have access to them. The pause ends
       *     when the breaker is resolved and does not depend on `status`.
       */
      pausedIn: string[];
      /** @description What happens if a language model writes a sentence that rests on no entry and on no tool's answer. */
      unsupportedSentences: components["schemas"]["UnsupportedSentences"];
      /** @description Whose words a language model answers in. With `own`, some sentences that say something false are sent. */
      wording: components["schemas"]["Wording"];
      name: string;
      /** @description What the agent is told to do. */
      instructions: string;
      /** @description 1, 2, 3 … */
      instructionsVersion: number;
      /** @description The names of the tools that the agent may use. */
      tools: string[];
      /** @description What holds some of its actions back. */
      guardrails: components["schemas"]["Guardrail"][];
    };
    /** @description An agent's instructions as they were after one edit. */
    InstructionVersion: {
      /**
       * Format: uuid
       * @description The key or member that wrote the version. Null for platform agents.
       */
      changedBy: string | null;
      /** @description Why the instructions changed. Null if not given. */
      reason: string | null;
      /** Format: date-time */
      createdAt: string;
      /** @description 1, 2, 3 … */
      version: number;
      /** @description What the agent was told to do. */
      instructions: string;
    };
    /** @description What you send to `agents.create`. */
    CreateAgent: {
      /**
       * @description 1 to 100 characters.
       * @example Returns desk
       */
      name: string;
      /**
       * @description The agent's role: small letters, digits, `-` and `_`, at most 50.
       * @default assistant
       */
      role?: string;
      /**
       * @description A paused agent does not answer.
       * @default active
       */
      status?: components["schemas"]["AgentStatus"];
      /** @description The workspaces where the agent works, 1 to 1,000. */
      workspaceIds: string[];
      /**
       * @description The agent's instructions, 1 to 50,000 characters.
       * @example Help with returns. Hand over whatever else is asked for.
       */
      instructions: string;
      /**
       * @description The names of the tools that the agent may use, at most 100.
       * @default []
       * @example [
       *       "offer-refund"
       *     ]
       */
      tools?: string[];
      /**
       * @description What happens to sentences that rest on nothing.
       * @default cut
       */
      unsupportedSentences?: components["schemas"]["UnsupportedSentences"];
      /**
       * @description Whose words a language model answers in.
       * @default quotes
       */
      wording?: components["schemas"]["Wording"];
      /**
       * @description The agent's guardrails, at most 50, each with a different name.
       * @default []
       */
      guardrails?: components["schemas"]["GuardrailInput"][];
    };
    /** @description What you send to `agents.update`. */
    UpdateAgent: {
      /** @description 1 to 100 characters. */
      name?: string;
      /** @description Small letters, digits, `-` and `_`, at most 50. */
      role?: string;
      /** @description A paused agent does not answer. */
      status?: components["schemas"]["AgentStatus"];
      /** @description The workspaces where the agent works, 1 to 1,000. Replaces the existing list. */
      workspaceIds?: string[];
      /** @description At most 100. Replaces the existing list. */
      tools?: string[];
      /** @description What happens to sentences that rest on nothing. */
      unsupportedSentences?: components["schemas"]["UnsupportedSentences"];
      /** @description Whose words a language model answers in. */
      wording?: components["schemas"]["Wording"];
      /** @description At most 50, each with a different name. Replaces the existing list. */
      guardrails?: components["schemas"]["GuardrailInput"][];
    };
    /** @description What you send to `agents.setInstructions`. */
    SetInstructions: {
      /**
       * @description 1 to 50,000 characters.
       * @example Help with returns and refunds.
       */
      instructions: string;
      /**
       * @description Why the instructions change, 1 to 2,000 characters.
       * @example Refunds came along
       */
      reason?: string | null;
    };
    /** @description What you send to `channels.create`. */
    CreateChannel: {
      type: components["schemas"]["ChannelType"];
      /**
       * @description 1 to 200 characters.
       * @example Support mailbox
       */
      name: string;
      /**
       * @description The email address or phone number (E.164) at which contacts reach the channel, if its type has one.
       * @example support@example.com
       */
      address?: string | null;
      /**
       * @description Depends on the type. Email: `smtp` and, to receive, `imap`, each `{host, port, security: tls | starttls}`; `imap.authenticatedBy`; in their place, at Microsoft, `graph` `{receive}`; in place of `imap`, `inbound` `{provider: postmark | mailgun | ses, topicArn, bucket, bucketRegion}`; `signIn` `{provider: microsoft | google | other, grant: code | client_credentials, clientId, tenant, issuer, authorizeUrl, tokenUrl, userinfoUrl, scopes}`; `fromName`, `plusAddressing`, `quote`, `maxMessageMb`, `dkimSelector`. Web chat: `allowedOrigins`, `title`, `greeting`, `colour`, `position`, `language`, `requireIdentity`. SMS: `messagingServiceSid`. Voice: `greeting`, `forwardTo` (E.164), `voicemail`, `transcribe`. Both: `apiUrl`, `publicUrl`. All are optional.
       * @example {
       *       "smtp": {
       *         "host": "smtp.example.com",
       *         "port": 465,
       *         "security": "tls"
       *       },
       *       "imap": {
       *         "host": "imap.example.com",
       *         "port": 993,
       *         "security": "tls"
       *       }
       *     }
       */
      settings?: {
        [key: string]: unknown;
      };
      /**
       * @description Depends on the type; never shown again. Email: `username` and `password`, and `smtpUsername` and `smtpPassword` if the server for sending needs others; with `signIn`, `clientSecret`; with `inbound`, beside these, `webhookSecret` (postmark), `signingKey` (mailgun), or `accessKeyId` and `secretAccessKey` (ses). Web chat: `identitySecret`, which signs the identity of visitors. SMS and voice: `accountSid` and `authToken`.
       * @example {
       *       "username": "support@example.com",
       *       "password": "secret"
       *     }
       */
      credentials?: {
        [key: string]: string;
      };
    };
    /** @description What you send to `channels.update`. */
    UpdateChannel: {
      /**
       * @description 1 to 200 characters.
       * @example Support mailbox
       */
      name?: string;
      /**
       * @description As when the channel was created.
       * @example support@example.com
       */
      address?: string;
      /** @description Replaces all settings. If they name another server, the stored credentials are deleted and must be sent again. */
      settings?: {
        [key: string]: unknown;
      };
      /** @description `false` disables the channel: replies are refused, and messages that wait to be sent keep waiting. `true` provisions it again. */
      enabled?: boolean;
    };
    /** @description What you send to `channels.setCredentials`. */
    SetChannelCredentials: {
      /**
       * @description Replaces all credentials. Which fields there are depends on the type of the channel. They are stored encrypted and never shown again.
       * @example {
       *       "username": "support@example.com",
       *       "password": "secret"
       *     }
       */
      credentials: {
        [key: string]: string;
      };
    };
    /** @description How the test of a channel ended. */
    ChannelTested: {
      /** @enum {boolean} */
      ok: true;
      /** @description The result of the test. It is kept with the channel. */
      lastTest: components["schemas"]["ChannelTest"];
    };
    /** @description What mails end with. */
    Signature: {
      /**
       * @description Markdown with the variables of canned replies; null for none.
       * @example {{member.name}}
       *     Example Ltd
       */
      body: string | null;
    };
    /** @description What you send to `channels.setSignature` and `me.setSignature`. */
    SetSignature: {
      /**
       * @description Markdown with the variables of canned replies, at most 5,000 characters; null for none. A line with a variable that has no value is left out.
       * @example {{member.name}}
       *     Example Ltd
       */
      body: string | null;
    };
    /** @description A message that a mail repeats. */
    QuotedMessage: {
      /**
       * @description Who wrote it and when.
       * @example On 7 Jan 2030, 10:30, Ada Lovelace wrote:
       */
      heading: string;
      format: components["schemas"]["BodyFormat"];
      /** @description The message. */
      body: string;
    };
    /** @description What goes with a mail, below its text. */
    MailFrame: {
      /**
       * @description ISO 639-1.
       * @example en
       */
      language: string;
      /** @description Markdown. Null if there is none. */
      signature: string | null;
      /** @description Markdown: the workspace's `mailFooter`. Null for none. */
      footer: string | null;
      /** @description The workspace's `mailLogoUrl`. Null for none. */
      logoUrl: string | null;
      /** @description Newest first. */
      quoted: components["schemas"]["QuotedMessage"][];
    };
    /** @description Where a member signs in to a mailbox. */
    ChannelSignInLink: {
      /**
       * Format: uri
       * @description Open it in the browser that asked for it, within 10 minutes.
       */
      url: string;
    };
    /** @description A mail as it was formatted, made safe to show. */
    MailHtml: {
      /** @description How many pictures on other servers are left out. */
      picturesLeftOut: number;
      /**
       * @description HTML without scripts, forms and addresses that load by themselves. Pictures are `data:` URLs. Quoted text is folded in
       *     `details`. Show it in a frame with `sandbox` all the same.
       */
      html: string;
      /** @description Whether the end is missing, because the mail is too long. */
      isCut: boolean;
    };
    /** @description What you send to `webchat.openSession`. */
    OpenWebchatSession: {
      /** @description The identity of the visitor: a JWT signed with the channel's `identitySecret` (HS256), with `sub` and `exp` and optionally `name` and `email`. */
      identity?: string | null;
    };
    /** @description A visitor's session, and how the chat looks. */
    WebchatSession: {
      /** @description Where the logo of the workspace is, on this server. Null for none. */
      logoUrl: string | null;
      /** @description The text that a new chat begins with. Null if there is none. */
      greeting: string | null;
      /**
       * @description The colour of the button and of the visitor's messages, `#rrggbb`.
       * @example #1d4ed8
       */
      colour: string;
      position: components["schemas"]["WebchatPosition"];
      /** @description Send it in the `Authorization` header, never in a URL. */
      sessionToken: string;
      /** @description Seconds until the token expires. */
      expiresIn: number;
      /** @description The visitor has written before. */
      started: boolean;
      /** @description The customer's server has signed the visitor's identity. */
      signed: boolean;
      /** @description The heading of the chat. */
      title: string;
      /** @description ISO 639-1. */
      language: string;
      /** @description Maximum size of a file in bytes. */
      maxFileBytes: number;
    };
    /** @description What you send to `webchat.sendMessage`. */
    SendWebchatMessage: {
      /**
       * @description 1 to 4,000 characters.
       * @example Hello, where is my order?
       */
      body: string;
      /**
       * @description Your own id of the message: 1 to 64 letters, digits, `-` and `_`. Sending the same id again does not create another message.
       * @example 0b7b2c1e-1
       */
      clientMessageId: string;
      /**
       * Format: uuid
       * @description Uploads of this visitor that belong to no message yet, in this order. At most 5.
       */
      attachmentIds?: string[];
    };
    /** @description A file in a message of the web chat. */
    WebchatAttachment: {
      /** Format: uuid */
      id: string;
      /** @description Width of an image in pixels. Null if unknown, or no image. */
      width: number | null;
      /** @description Height of an image in pixels. Null if unknown, or no image. */
      height: number | null;
      /** @description The name of the file, without a path. */
      fileName: string;
      /** @description The content type, detected from the bytes. */
      contentType: string;
      /** @description Bytes. */
      size: number;
      /** @description Link to the file, valid for an hour. */
      url: string;
    };
    /** @description A message of the web chat, as the visitor sees it. */
    WebchatMessage: {
      /** Format: uuid */
      id: string;
      /** @description `inbound`: from the visitor. `outbound`: to the visitor. */
      direction: components["schemas"]["WebchatMessageDirection"];
      /** @description First name of the member who wrote, the name of your own assistant, or that of the brand. Null for the visitor's own messages. */
      author: string | null;
      bodyFormat: components["schemas"]["BodyFormat"];
      /** @description Answers to a question of the assistant. While it is the last message, offer them; the visitor's choice is their next `body`. */
      choices: string[];
      /** @description The files of the message, in their order. */
      attachments: components["schemas"]["WebchatAttachment"][];
      /** @description The `clientMessageId` that this session sent it with. Null for other messages. */
      clientMessageId: string | null;
      /** Format: date-time */
      createdAt: string;
      /** @description Whether no person wrote it. Show that to the visitor. */
      automated: boolean;
      /** @description The text. */
      body: string;
    };
    /** @description What you send to `webchat.setTyping`. */
    SetWebchatTyping: {
      /** @description False when the visitor has stopped. */
      typing: boolean;
    };
    /** @description How a search widget looks and what it finds. */
    KbWidgetSettings: {
      /**
       * @description The title, 1 to 120 characters. Null, the default: a short text in the language.
       * @example How can we help?
       */
      title: string | null;
      /**
       * @description The colour of the button and lines, `#rrggbb`. It is darkened or lightened where text would be hard to read.
       * @example #0f766e
       */
      colour: string;
      /**
       * @description ISO 639-1. Null, the default: the workspace's. The built-in texts exist in de, en, es, fr, it, nl and sv; other languages get English.
       * @example en
       */
      language: string | null;
      /**
       * @description Placeholder of the search field or the message field, 1 to 120 characters. Null, the default: a short text in the language.
       * @example Where is my parcel?
       */
      placeholder: string | null;
      /** @description How many answers at most, 1 to 10. */
      results: number;
      /** @description Minimum confidence that an entry answers the question, 0 to 1. Entries below it are not shown. */
      minConfidence: number;
    };
    /** @description A search box for your own website. */
    KbWidget: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      /**
       * @description The widget's key on web pages. It is not a secret.
       * @example wgt_m2Zk0pXyQb7TtVfL9sHc4eRn
       */
      publicKey: string;
      /**
       * @description The origins whose pages may use the widget. Empty means any origin.
       * @example [
       *       "https://www.example.com"
       *     ]
       */
      allowedOrigins: string[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /**
       * @description Always `kb`.
       * @enum {string}
       */
      kind: "kb";
      settings: components["schemas"]["KbWidgetSettings"];
      name: string;
      /** @description A disabled widget is not shown and accepts nothing. */
      enabled: boolean;
    };
    /** @description What you send to `kbWidgets.create`. */
    CreateKbWidget: {
      /**
       * @description 1 to 200 characters; visitors do not see it.
       * @example Help page
       */
      name: string;
      /**
       * @description The origins whose pages may use the widget, at most 50. Empty, the default, means any origin.
       * @default []
       * @example [
       *       "https://www.example.com"
       *     ]
       */
      allowedOrigins?: string[];
      /**
       * @description How the widget looks and what it finds. Missing settings get their defaults.
       * @default {
       *       "title": null,
       *       "colour": "#1d4ed8",
       *       "language": null,
       *       "placeholder": null,
       *       "results": 5,
       *       "minConfidence": 0.1
       *     }
       */
      settings?: components["schemas"]["KbWidgetSettingsInput"];
      /**
       * @description A disabled widget is not shown and accepts nothing.
       * @default true
       */
      enabled?: boolean;
    };
    /** @description What you send to `kbWidgets.update`. */
    UpdateKbWidget: {
      /**
       * @description 1 to 200 characters; visitors do not see it.
       * @example Help page
       */
      name?: string;
      /**
       * @description The origins whose pages may use the widget, at most 50. Empty means any origin.
       * @example [
       *       "https://www.example.com"
       *     ]
       */
      allowedOrigins?: string[];
      /** @description Replaces all settings. Missing ones get their defaults. */
      settings?: components["schemas"]["KbWidgetSettingsInput"];
      /** @description A disabled widget is not shown and accepts nothing. */
      enabled?: boolean;
    };
    /** @description Which fields a contact form asks for. */
    FormFields: {
      /** @description Whether the form asks for a name. */
      name: components["schemas"]["FieldVisibility"];
      /** @description Whether the form asks for a phone number. */
      phone: components["schemas"]["FieldVisibility"];
      /** @description Whether the form asks for a subject. */
      subject: components["schemas"]["FieldVisibility"];
    };
    /** @description How a contact form looks and what it asks. */
    ContactFormSettings: {
      /**
       * @description The title, 1 to 120 characters. Null, the default: a short text in the language.
       * @example How can we help?
       */
      title: string | null;
      /**
       * @description The colour of the button and lines, `#rrggbb`. It is darkened or lightened where text would be hard to read.
       * @example #0f766e
       */
      colour: string;
      /**
       * @description ISO 639-1. Null, the default: the workspace's. The built-in texts exist in de, en, es, fr, it, nl and sv; other languages get English.
       * @example en
       */
      language: string | null;
      /**
       * @description Placeholder of the search field or the message field, 1 to 120 characters. Null, the default: a short text in the language.
       * @example Where is my parcel?
       */
      placeholder: string | null;
      /** @description Which fields the form asks for, besides the email address and the message. */
      fields: components["schemas"]["FormFields"];
      /**
       * @description Shown after a message was sent, 1 to 500 characters. Null, the default: a short text in the language.
       * @example Thank you. We answer within a day.
       */
      thankYou: string | null;
      /**
       * @description A text that the sender must agree to, 1 to 1,000 characters. Time and text are kept with the conversation, in `metadata.contactForm`. Null, the default: none.
       * @example You may keep my message to answer it.
       */
      consent: string | null;
    };
    /** @description A contact form for your own website. */
    ContactFormWidget: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      /**
       * @description The widget's key on web pages. It is not a secret.
       * @example wgt_m2Zk0pXyQb7TtVfL9sHc4eRn
       */
      publicKey: string;
      /**
       * @description The origins whose pages may use the widget. Empty means any origin.
       * @example [
       *       "https://www.example.com"
       *     ]
       */
      allowedOrigins: string[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /**
       * @description Always `contact_form`.
       * @enum {string}
       */
      kind: "contact_form";
      settings: components["schemas"]["ContactFormSettings"];
      name: string;
      /** @description A disabled widget is not shown and accepts nothing. */
      enabled: boolean;
    };
    /** @description What you send to `contactFormWidgets.create`. */
    CreateContactFormWidget: {
      /**
       * @description 1 to 200 characters; visitors do not see it.
       * @example Help page
       */
      name: string;
      /**
       * @description The origins whose pages may use the widget, at most 50. Empty, the default, means any origin.
       * @default []
       * @example [
       *       "https://www.example.com"
       *     ]
       */
      allowedOrigins?: string[];
      /**
       * @description How the form looks and what it asks. Missing settings get their defaults.
       * @default {
       *       "title": null,
       *       "colour": "#1d4ed8",
       *       "language": null,
       *       "placeholder": null,
       *       "fields": {
       *         "name": "required",
       *         "phone": "hidden",
       *         "subject": "optional"
       *       },
       *       "thankYou": null,
       *       "consent": null
       *     }
       */
      settings?: components["schemas"]["ContactFormSettingsInput"];
      /**
       * @description A disabled widget is not shown and accepts nothing.
       * @default true
       */
      enabled?: boolean;
    };
    /** @description What you send to `contactFormWidgets.update`. */
    UpdateContactFormWidget: {
      /**
       * @description 1 to 200 characters; visitors do not see it.
       * @example Help page
       */
      name?: string;
      /**
       * @description The origins whose pages may use the widget, at most 50. Empty means any origin.
       * @example [
       *       "https://www.example.com"
       *     ]
       */
      allowedOrigins?: string[];
      /** @description Replaces all settings. Missing ones get their defaults. */
      settings?: components["schemas"]["ContactFormSettingsInput"];
      /** @description A disabled widget is not shown and accepts nothing. */
      enabled?: boolean;
    };
    /** @description How a search widget looks. */
    PublicKbWidget: {
      /** @description Null for the widget's built-in text. */
      title: string | null;
      /**
       * @description The colour of the button and lines, `#rrggbb`.
       * @example #1d4ed8
       */
      colour: string;
      /**
       * @description ISO 639-1.
       * @example en
       */
      language: string;
      /** @description Placeholder of the search field or the message field. Null for the widget's built-in text. */
      placeholder: string | null;
    };
    /** @description An approved entry, as visitors see it. */
    PublicAnswer: {
      /** @description The question that the entry answers. */
      question: string;
      /** @description Plain text, or Markdown if the entry was written in Markdown. */
      answer: string;
    };
    /** @description The approved entries that answer a question. */
    PublicAnswers: {
      /** @description Best match first. */
      data: components["schemas"]["PublicAnswer"][];
    };
    /** @description How a contact form looks, and a token that proves when it was started. */
    PublicContactForm: {
      /** @description Null for the widget's built-in text. */
      title: string | null;
      /**
       * @description The colour of the button and lines, `#rrggbb`.
       * @example #1d4ed8
       */
      colour: string;
      /**
       * @description ISO 639-1.
       * @example en
       */
      language: string;
      /** @description Placeholder of the search field or the message field. Null for the widget's built-in text. */
      placeholder: string | null;
      fields: components["schemas"]["FormFields"];
      /** @description Shown after a message was sent. Null for the widget's built-in text. */
      thankYou: string | null;
      /** @description The text that the sender must agree to. Null if there is none. */
      consent: string | null;
      /** @description Proves when the form was started. Send it with the form. */
      start: string;
    };
    /** @description What you send to `publicWidgets.submitContactForm`. */
    SubmitContactForm: {
      /**
       * @description 1 to 200 characters, if the form asks for it.
       * @example Ada Lovelace
       */
      name?: string;
      /**
       * Format: email
       * @description The address for the reply.
       * @example ada@example.com
       */
      email: string;
      /**
       * @description In any format, 3 to 40 characters, if the form asks for it.
       * @example 030 901820
       */
      phone?: string;
      /**
       * @description 1 to 200 characters, if the form asks for it.
       * @example My parcel
       */
      subject?: string;
      /**
       * @description 1 to 10,000 characters.
       * @example Where is it?
       */
      message: string;
      /** @description Whether the sender agrees to the form's consent text. */
      consent?: boolean;
      /** @description Your own id for the submission, 1 to 100 characters. Sending it again does not create another message. */
      submissionId?: string;
      /** @description `start` from reading the form. Without it, the message is accepted and labelled as suspected spam. */
      start?: string;
      /**
       * @description A hidden field, at most 500 characters. If it is filled in, a program wrote it, and the message is treated as
       *     spam.
       */
      website?: string;
    };
    /** @description A connected account on a calendar server. */
    CalendarConnection: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      /**
       * @description The protocol of the calendar server.
       * @enum {string}
       */
      provider: "caldav";
      /** @description Whose account it is, for people to tell accounts apart. Null if not given. */
      accountEmail: string | null;
      /**
       * @description `connected`: it works, or was not tried yet (`lastSyncedAt` is null). `error`: it has failed for minutes and is
       *     retried. `expired`: the server refuses the credentials; store new ones.
       */
      status: components["schemas"]["CalendarConnectionStatus"];
      /**
       * @description Equal for two connections with the same credentials. Reveals nothing else about them. Null once it is disconnected.
       * @example 1f0c3b5a7d9e2468
       */
      credentialFingerprint: string | null;
      /** @description Why the last sync failed. Null if it did not. */
      lastError: string | null;
      /**
       * Format: date-time
       * @description When a failed sync is tried again. Null if nothing is to be retried.
       */
      nextRetryAt: string | null;
      /**
       * Format: date-time
       * @description When a sync last succeeded. Null if none did yet.
       */
      lastSyncedAt: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description The address of the server. */
      serverUrl: string;
    };
    /** @description What you send to `calendarConnections.create`. */
    CreateCalendarConnection: {
      /** Format: uuid */
      workspaceId: string;
      /**
       * @description The protocol of the calendar server.
       * @default caldav
       * @enum {string}
       */
      provider?: "caldav";
      /**
       * @description The address of the server, or of the account or a calendar on it.
       * @example https://cloud.example.com/remote.php/dav
       */
      serverUrl: string;
      /**
       * @description Never shown again.
       * @example appointments@example.com
       */
      username: string;
      /**
       * @description Preferably an app password. Never shown again.
       * @example secret
       */
      password: string;
      /**
       * Format: email
       * @description Helps people tell accounts apart. Default: the user name, if it is an email address.
       * @example appointments@example.com
       */
      accountEmail?: string | null;
    };
    /** @description What you send to `calendarConnections.update`. */
    UpdateCalendarConnection: {
      /**
       * @description If this is another server, `username` and `password` are required, too.
       * @example https://cloud.example.com/remote.php/dav
       */
      serverUrl?: string;
      /** @description Requires `password`. */
      username?: string;
      /** @description A new password is tried right away. */
      password?: string;
      /**
       * Format: email
       * @description Helps people tell accounts apart. Null removes it.
       */
      accountEmail?: string | null;
    };
    /** @description A calendar of a connected account. */
    Calendar: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      connectionId: string;
      /**
       * @description An IANA name. The workspace's where the server gives none.
       * @example Europe/Berlin
       */
      timezone: string;
      /**
       * Format: date-time
       * @description Until when busy times are known; null before it is read for the first time.
       */
      knownUntil: string | null;
      name: string;
      /** @description Whether it is the main calendar of the account. */
      primary: boolean;
      /** @description Whether it takes bookings. */
      writable: boolean;
      /** @description Whether the server still has it. */
      available: boolean;
      /** @description Events whose times could not be read. Their time counts as free. */
      unreadableEvents: number;
    };
    /** @description A change that someone made in the calendar at the same time. */
    BookingConflict: {
      /** @description The fields that were changed on both sides. */
      fields: components["schemas"]["BookingField"][];
      /** @description The values that the calendar had, under the names of the booking's fields. */
      theirs: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description When the conflict was found.
       */
      at: string;
    };
    /** @description A time in a calendar that is taken for a contact. */
    Booking: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      /** Format: uuid */
      calendarId: string;
      /**
       * Format: uuid
       * @description The conversation that the booking came from. Null if there is none.
       */
      conversationId: string | null;
      /**
       * Format: uuid
       * @description The contact whose booking it is. Null if there is none.
       */
      contactId: string | null;
      /** @description Text of the calendar event. Null if there is none. */
      description: string | null;
      /** @description Where it takes place. Null if not given. */
      location: string | null;
      /**
       * Format: date-time
       * @description When it begins.
       */
      startsAt: string;
      /**
       * Format: date-time
       * @description When it ends.
       */
      endsAt: string;
      status: components["schemas"]["BookingStatus"];
      /**
       * @description `pending`: not written to the calendar yet, or not in its current form; this happens in the background. `synced`:
       *     calendar and booking are the same. `detached`: the calendar was disconnected.
       */
      syncStatus: components["schemas"]["BookingSyncStatus"];
      /** @description Why it is not in the calendar yet. Null if no attempt failed. */
      lastError: string | null;
      /** @description The last fields that were changed both here and in the calendar. The values entered here won. Null if there were none. */
      conflict: components["schemas"]["BookingConflict"] | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description Empty after its contact was erased. */
      title: string;
    };
    /** @description What you send to `bookings.create`. */
    CreateBooking: {
      /** Format: uuid */
      calendarId: string;
      /**
       * Format: uuid
       * @description Must be in the calendar's workspace.
       */
      conversationId?: string | null;
      /**
       * Format: uuid
       * @description Default: the conversation's contact.
       */
      contactId?: string | null;
      /**
       * @description 1 to 500 characters.
       * @example Fitting, Ada Lovelace
       */
      title: string;
      /** @description At most 10,000 characters. */
      description?: string | null;
      /** @description At most 500 characters. */
      location?: string | null;
      /**
       * Format: date-time
       * @description Precise to the second.
       * @example 2026-05-04T09:00:00Z
       */
      startsAt: string;
      /**
       * Format: date-time
       * @description After `startsAt`, by at most 31 days.
       * @example 2026-05-04T10:00:00Z
       */
      endsAt: string;
      /**
       * @description Whether the time is only reserved, or agreed.
       * @default confirmed
       */
      status?: components["schemas"]["NewBookingStatus"];
      /**
       * @description Books the time even if it is busy.
       * @default false
       */
      force?: boolean;
    };
    /** @description What you send to `bookings.update`. */
    UpdateBooking: {
      /**
       * Format: uuid
       * @description A conversation of the calendar's workspace. Null removes it.
       */
      conversationId?: string | null;
      /**
       * Format: uuid
       * @description The contact whose booking it is. Null removes it.
       */
      contactId?: string | null;
      /** @description 1 to 500 characters. */
      title?: string;
      /** @description At most 10,000 characters. */
      description?: string | null;
      /** @description At most 500 characters. */
      location?: string | null;
      /**
       * Format: date-time
       * @description When it begins, precise to the second. Without `endsAt`, the end stays as it is.
       */
      startsAt?: string;
      /**
       * Format: date-time
       * @description After `startsAt`, by at most 31 days.
       */
      endsAt?: string;
      /** @description `completed` and `no_show` are not written to the calendar: the event keeps its status. */
      status?: components["schemas"]["BookingStatus"];
      /**
       * @description Books the time even if it is busy.
       * @default false
       */
      force?: boolean;
    };
    /** @description A time at which a calendar is busy. */
    BusyTime: {
      /**
       * Format: date-time
       * @description When the busy time begins.
       */
      startsAt: string;
      /**
       * Format: date-time
       * @description When it ends. Not part of the busy time.
       */
      endsAt: string;
    };
    /** @description The times at which one calendar is busy. */
    CalendarBusy: {
      /** Format: uuid */
      calendarId: string;
      /**
       * Format: date-time
       * @description Until when other people's events are known; null before the calendar is read for the first time.
       */
      knownUntil: string | null;
      /** @description Bookings and other people's events together, in order and without overlaps. */
      busy: components["schemas"]["BusyTime"][];
      /** @description The calendar's time zone, an IANA name. The times of the answer are UTC. */
      timezone: string;
      /** @description Events that could not be read and may take more time. */
      unreadableEvents: number;
    };
    /** @description The times at which calendars are busy. */
    FreeBusy: {
      /** @description One entry for each calendar, also if it is free. */
      calendars: components["schemas"]["CalendarBusy"][];
    };
    /** @description Somebody whom a calendar file names. */
    InvitationPerson: {
      /** @description Null if the file has none. */
      name: string | null;
      /**
       * Format: email
       * @description Their email address, in lower case.
       */
      address: string;
    };
    /** @description A rule by which an event recurs. */
    InvitationRecurrence: {
      /** @description The unit of `interval`. */
      frequency: components["schemas"]["RecurrenceFrequency"];
      /** @description 2 with `weekly` means every other week. */
      interval: number;
      /** @description Empty: the weekday of the start. */
      weekdays: components["schemas"]["InvitationWeekday"][];
      /** @description How many times it takes place. Null: nothing is said. */
      count: number | null;
      /**
       * Format: date-time
       * @description When it takes place for the last time. Null: nothing is said.
       */
      until: string | null;
    };
    /** @description A guest who answered. */
    InvitationGuest: {
      /** @description Null if the file has none. */
      name: string | null;
      /**
       * Format: email
       * @description Their email address, in lower case.
       */
      address: string;
      /** @description Null for anything else, such as that somebody else comes instead. */
      answer: components["schemas"]["InvitationAnswer"] | null;
    };
    /** @description A calendar file that came with a mail. */
    Invitation: {
      /** @description What the file asks. */
      method: components["schemas"]["InvitationMethod"];
      /** @description Where it takes place, as the organizer wrote it. Null if the file does not say. */
      location: string | null;
      /**
       * Format: date-time
       * @description Of whole days: midnight in UTC.
       */
      startsAt: string;
      /**
       * Format: date-time
       * @description The end, which is the first moment after it.
       */
      endsAt: string;
      /**
       * @description The organizer's, by its IANA name. Null if it has none.
       * @example Europe/Vienna
       */
      timeZone: string | null;
      /** @description Who gets the answer. Null if nobody is named. */
      organizer: components["schemas"]["InvitationPerson"] | null;
      /** @description The rule, if it is a simple one. Null otherwise. */
      recurrence: components["schemas"]["InvitationRecurrence"] | null;
      /** @description Of a `reply`: the guest. Null otherwise. */
      attendee: components["schemas"]["InvitationGuest"] | null;
      /** @description How many more events the file has. */
      moreEvents: number;
      /** @description What was answered from here the last time. Null: nothing yet. */
      answer: components["schemas"]["InvitationAnswer"] | null;
      /** @description Empty if it has none. */
      title: string;
      /** @description Whether it takes whole days, without times. */
      allDay: boolean;
      /** @description Whether it takes place more than once. */
      recurs: boolean;
      /** @description Whether it can be answered: it invites, names an organizer, and came into a mailbox. */
      answerable: boolean;
    };
    /** @description What you send to `conversations.answerInvitation`. */
    AnswerInvitation: {
      /** @description What the organizer is told. */
      answer: components["schemas"]["InvitationAnswer"];
    };
    /** @description Whether, when and what a survey asks contacts. */
    CsatConfig: {
      /** @description How many answers a survey offers. */
      scale: components["schemas"]["CsatScale"];
      /**
       * @description Your own question by language (ISO 639-1). Languages without one use the default question.
       * @example {
       *       "en": "How did we do?",
       *       "de": "Wie zufrieden sind Sie mit uns?"
       *     }
       */
      questions: {
        [key: string]: string;
      };
      /** @description Whether contacts are asked after their conversation is resolved. */
      enabled: boolean;
      /** @description Minutes between the end of a conversation and its survey. */
      delayMinutes: number;
      /** @description A contact is asked at most once in this many days in the workspace; 0: after each conversation. */
      askOncePerDays: number;
      /** @description A score at or below this raises an attention item. */
      lowScoreThreshold: number;
    };
    /** @description What you send to `csatConfig.replace`. */
    PutCsatConfig: {
      /**
       * @description How many answers a survey offers: 2, 5 or 10.
       * @default 5
       */
      scale?: components["schemas"]["CsatScale"];
      /**
       * @description Your own question by language (ISO 639-1), 1 to 300 characters. Languages without one use the default question.
       * @default {}
       * @example {
       *       "en": "How did we do?",
       *       "de": "Wie zufrieden sind Sie mit uns?"
       *     }
       */
      questions?: {
        [key: string]: string;
      };
      /**
       * @description Whether contacts are asked after their conversation is resolved.
       * @default false
       */
      enabled?: boolean;
      /**
       * @description Minutes between the end of a conversation and its survey, 0 to 10,080.
       * @default 30
       */
      delayMinutes?: number;
      /**
       * @description A contact is asked at most once in this many days in the workspace, 0 to 365; 0: after each conversation.
       * @default 14
       */
      askOncePerDays?: number;
      /** @description A score at or below this raises an attention item: 1 to one less than the scale. Default: 2, or 1 on a scale of 2. */
      lowScoreThreshold?: number;
    };
    /** @description A share with its confidence interval. */
    CsatShare: {
      /** @description 0 to 1. */
      share: number;
      /** @description The lower end of the 95 % Wilson interval of the true share. */
      low: number;
      /** @description The upper end of the same interval. */
      high: number;
    };
    /** @description How often a score was given. */
    CsatCount: {
      /** @description 1 to `scale`. */
      score: number;
      /** @description The highest score of these surveys. */
      scale: components["schemas"]["CsatScale"];
      /** @description How often contacts gave this score. */
      count: number;
    };
    /** @description The surveys and answers of a period, in figures. */
    CsatFigures: {
      /** @description Surveys that were sent. */
      asked: number;
      /** @description Surveys that were answered, counted on the day of the answer. */
      answered: number;
      /** @description Answered surveys for each one sent, at most 1. Null if none was sent. */
      responseRate: number | null;
      /** @description The average score on `scale`. Null without an answer. */
      average: number | null;
      /** @description The scale of the answers. If they have several scales, scores are converted to 5. Null without an answer. */
      scale: number | null;
      /** @description Contacts who gave 4 or 5 of 5, 2 of 2, or 8 to 10 of 10. Null without an answer. */
      satisfied: components["schemas"]["CsatShare"] | null;
      /** @description How often each score was given: by scale, then score. */
      distribution: components["schemas"]["CsatCount"][];
    };
    /** @description The figures of one group. */
    CsatGroup: {
      /** @description Surveys that were sent. */
      asked: number;
      /** @description Surveys that were answered, counted on the day of the answer. */
      answered: number;
      /** @description Answered surveys for each one sent, at most 1. Null if none was sent. */
      responseRate: number | null;
      /** @description The average score on `scale`. Null without an answer. */
      average: number | null;
      /** @description The scale of the answers. If they have several scales, scores are converted to 5. Null without an answer. */
      scale: number | null;
      /** @description Contacts who gave 4 or 5 of 5, 2 of 2, or 8 to 10 of 10. Null without an answer. */
      satisfied: components["schemas"]["CsatShare"] | null;
      /** @description How often each score was given: by scale, then score. */
      distribution: components["schemas"]["CsatCount"][];
      /** @description The id of the group's entity, or the first day of its time. */
      group: string;
    };
    /** @description The figures of a period, as a whole and by group. */
    CsatStatistics: {
      /**
       * Format: date
       * @description First day of the period, UTC.
       */
      from: string;
      /**
       * Format: date
       * @description Last day of the period, UTC.
       */
      to: string;
      /** @description What the groups are. */
      groupBy: components["schemas"]["CsatGrouping"];
      /** @description Counts each survey once, even if it is in several groups or in none. */
      total: components["schemas"]["CsatFigures"];
      /** @description Groups with surveys, the one with the most answers first. Days, weeks and months are in order of time. */
      groups: components["schemas"]["CsatGroup"][];
    };
    /** @description An answer to a survey. */
    CsatRating: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      /** Format: uuid */
      conversationId: string;
      /** @description 1, the worst, to `scale`. */
      score: number;
      /** @description The highest score of the survey. */
      scale: components["schemas"]["CsatScale"];
      /** @description What the contact wrote. Null if nothing. */
      comment: string | null;
      /** Format: uuid */
      channelId: string;
      /**
       * Format: uuid
       * @description The assignee when the contact was asked, otherwise the last member who wrote. Null if there was neither.
       */
      memberId: string | null;
      /** @description The agents that wrote in the conversation. */
      agentIds: string[];
      /** @description The KB entries that were cited in the conversation. */
      kbEntryIds: string[];
      /**
       * Format: date-time
       * @description When the survey was sent.
       */
      askedAt: string;
      /**
       * Format: date-time
       * @description When the contact answered.
       */
      ratedAt: string;
      /** @description The question as the contact read it. */
      question: string;
    };
    /** @description The share of good outcomes of an agent, entry, channel or tool. */
    QualityScore: {
      /** @description What kind of thing the score is about. */
      entityType: components["schemas"]["QualityEntityType"];
      /**
       * @description A UUID, or the name of a tool.
       * @example 019a5f6e-0000-7000-8000-000000000000
       */
      entityId: string;
      /** @description A KB entry's question, otherwise the name. Null if it no longer exists. */
      name: string | null;
      /** @description What was measured. */
      metric: components["schemas"]["QualityMetric"];
      /**
       * @description The share of good outcomes, 0 to 1; for `csat`, of satisfied contacts.
       * @example 0.9
       */
      score: number;
      /**
       * @description The lower end of the 95 % Wilson interval of the true share.
       * @example 0.8256
       */
      low: number;
      /**
       * @description The upper end of the same interval.
       * @example 0.9448
       */
      high: number;
      /**
       * @description How many outcomes were counted.
       * @example 100
       */
      sampleSize: number;
      /** @description Days that were counted, including today (UTC). */
      window: components["schemas"]["QualityWindow"];
    };
    /** @description Something that was stopped because its outcomes were too bad. */
    CircuitBreaker: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      /** @description What kind of thing it is about. */
      entityType: components["schemas"]["QualityEntityType"];
      /** @description A KB entry's question, otherwise the name. Null if it no longer exists. */
      entityName: string | null;
      /** @description What was measured. */
      metric: components["schemas"]["QualityMetric"];
      /**
       * @description The highest share of bad outcomes that was accepted.
       * @example 0.1
       */
      threshold: number;
      /**
       * @description The share of bad outcomes that tripped it.
       * @example 0.31
       */
      observed: number;
      /**
       * @description A lower bound of the true share, valid however often it is judged. It was above the threshold.
       * @example 0.12
       */
      low: number;
      state: components["schemas"]["CircuitBreakerState"];
      /** @description What it does while it is tripped. */
      action: components["schemas"]["CircuitBreakerAction"];
      /**
       * Format: date-time
       * @description When it tripped.
       */
      trippedAt: string;
      /**
       * Format: uuid
       * @description The key or member that resolved it. Null while it is tripped.
       */
      resolvedBy: string | null;
      /**
       * Format: date-time
       * @description When it was resolved. Null while it is tripped.
       */
      resolvedAt: string | null;
      /** @description The note of the person who resolved it. Null without one. */
      note: string | null;
      /** @description A UUID, or the name of a tool. */
      entityId: string;
      /** @description How many outcomes tripped it. */
      sampleSize: number;
      /** @description Over how many days, including the day on which it tripped (UTC). */
      sampleDays: number;
      /** @description How many days were judged. */
      windowDays: number;
    };
    /** @description What you send to `circuitBreakers.resolve`. */
    ResolveCircuitBreaker: {
      /**
       * @description What was found or done, 1 to 2,000 characters.
       * @example Instructions fixed, version 7
       */
      note?: string | null;
    };
    /** @description When a circuit breaker trips for one metric, and what it does then. */
    BreakerSetting: {
      /**
       * @description `answer` watches KB entries; `csat` agents, KB entries and channels; `delivery` channels; `handoff` agents; `tool` look-up
       *     tools.
       */
      metric: components["schemas"]["QualityMetric"];
      /**
       * @description The highest share of bad outcomes that is accepted, 0.01 to 0.99.
       * @example 0.1
       */
      threshold: number;
      /** @description Days that count, including today (UTC), 1 to 90. */
      windowDays: number;
      /** @description The fewest outcomes that can trip it, 20 to 100,000. */
      minimumSample: number;
      /**
       * @description What happens besides raising an attention item. `pause_assistant`: the agent stops answering in the workspace.
       *     `require_approval`: each use of the agent's tools, or of the tool, needs a person's approval; a KB entry goes back to
       *     review. For entities to which an action does not apply, it is `notify`.
       */
      action: components["schemas"]["CircuitBreakerAction"];
      /** @description Whether the metric is watched at all. */
      enabled: boolean;
    };
    /** @description The circuit breaker settings of a workspace. */
    BreakerSettings: {
      /** @description One setting for each metric. */
      settings: components["schemas"]["BreakerSetting"][];
    };
    /** @description What you send to `breakerSettings.replace`. */
    PutBreakerSettings: {
      /** @description Each metric at most once. Metrics that are left out get their defaults. */
      settings: components["schemas"]["BreakerSettingInput"][];
    };
    /** @description One of what a report counted. */
    ReportRow: {
      /** Format: uuid */
      conversationId: string;
      /** Format: uuid */
      workspaceId: string;
      /** Format: uuid */
      channelId: string;
      /**
       * Format: uuid
       * @description Who replied, or the assignee. Null if there was none, and for `automation`, `containment` and `hand-over`.
       */
      memberId: string | null;
      /** @description Their name. Null without `memberId`. */
      memberName: string | null;
      /** @description Who wrote the reply, or handled the conversation. Null if nobody did yet, and for `csat`, `automation`, `containment` and `hand-over`. */
      handledBy: components["schemas"]["ReportHandler"] | null;
      /** @description How the conversation ended. Null while it is open, and for what does not count conversations as they were opened or resolved. */
      resolution: components["schemas"]["Resolution"] | null;
      /** @description Why the assistant handed over. Null but for `hand-over`. */
      reason: components["schemas"]["HandOverReason"] | null;
      /**
       * Format: date-time
       * @description When it counted. For `backlog`: since when it had been open.
       */
      at: string;
      /** @description How long it took. Null where nothing is timed. */
      seconds: number | null;
      /** @description Whether it counts for the share. Null without a share. */
      inShare: boolean | null;
      /** @description The workspace's name now. */
      workspaceName: string;
      /** @description The channel's name now. */
      channelName: string;
    };
    /** @description What a report counted, and how long it took. */
    ReportFigures: {
      /** @description How many there were. For `backlog`: how many were open at the end. */
      count: number;
      /** @description Seconds. Null where nothing is timed. */
      median: number | null;
      /** @description Seconds: nine of ten took no longer. Null where nothing is timed. */
      p90: number | null;
      /** @description Seconds. Null where nothing is timed. */
      mean: number | null;
      /**
       * @description Of `csat`, how many were satisfied; of `assistant` and `automation`, how many needed no people; of `containment`, how many
       *     needed none for seven days. 0 to 1, otherwise null.
       */
      share: number | null;
    };
    /** @description The figures of one interval. */
    ReportTime: {
      /** @description How many there were. For `backlog`: how many were open at the end. */
      count: number;
      /** @description Seconds. Null where nothing is timed. */
      median: number | null;
      /** @description Seconds: nine of ten took no longer. Null where nothing is timed. */
      p90: number | null;
      /** @description Seconds. Null where nothing is timed. */
      mean: number | null;
      /**
       * @description Of `csat`, how many were satisfied; of `assistant` and `automation`, how many needed no people; of `containment`, how many
       *     needed none for seven days. 0 to 1, otherwise null.
       */
      share: number | null;
      /**
       * Format: date-time
       * @description When it begins.
       */
      start: string;
      /**
       * Format: date-time
       * @description When the next one begins.
       */
      end: string;
      /** @description The same interval of the previous period. */
      previous: components["schemas"]["ReportFigures"];
    };
    /** @description The figures of one group. */
    ReportGroup: {
      /** @description How many there were. For `backlog`: how many were open at the end. */
      count: number;
      /** @description Seconds. Null where nothing is timed. */
      median: number | null;
      /** @description Seconds: nine of ten took no longer. Null where nothing is timed. */
      p90: number | null;
      /** @description Seconds. Null where nothing is timed. */
      mean: number | null;
      /**
       * @description Of `csat`, how many were satisfied; of `assistant` and `automation`, how many needed no people; of `containment`, how many
       *     needed none for seven days. 0 to 1, otherwise null.
       */
      share: number | null;
      /** @description The name of what has an id, and of a label. Otherwise null. */
      name: string | null;
      /** @description An id, a label, a value, an hour such as `1-09` (Monday, nine o'clock), or `none`. */
      group: string;
      /** @description The group's figures of the previous period. */
      previous: components["schemas"]["ReportFigures"];
    };
    /** @description What happened in a period, and in the one before. */
    Report: {
      report: components["schemas"]["ReportName"];
      /**
       * Format: date
       * @description First day.
       */
      from: string;
      /**
       * Format: date
       * @description Last day.
       */
      to: string;
      interval: components["schemas"]["ReportInterval"];
      /**
       * Format: date-time
       * @description When the period begins.
       */
      start: string;
      /**
       * Format: date-time
       * @description When it ends.
       */
      end: string;
      /** @description Where days begin. */
      timeZone: string;
      total: components["schemas"]["ReportFigures"];
      /** @description As many days before `from`. */
      previous: components["schemas"]["ReportFigures"];
      intervals: components["schemas"]["ReportTime"][];
      /** @description The largest 500 groups. What has several labels is in several groups. */
      groups: components["schemas"]["ReportGroup"][];
    };
    /** @description An entry that the assistant found, with how likely it answers. */
    FoundEntry: {
      /** Format: uuid */
      kbEntryId: string;
      /** @description The entry's question, as it was then. */
      question: string;
      /** @description The entry's language, ISO 639-1. */
      language: string;
      /** @description How likely the entry answers the contact's question, 0 to 1. */
      confidence: number;
    };
    /** @description One thing that the assistant did in a run. */
    AgentStep: {
      /** @description What it did: `retrieve` looked for entries, `model` asked the language model, `send` wrote to the contact. */
      type: components["schemas"]["AgentStepType"];
      /**
       * Format: date-time
       * @description When it began.
       */
      at: string;
      /** @description For `retrieve`: what was looked for. Null otherwise. */
      question: string | null;
      /** @description For `retrieve`: what was found, best first. Null otherwise. */
      entries: components["schemas"]["FoundEntry"][] | null;
      /** @description For `retrieve` without a language model: what follows from it. Null otherwise. */
      decision: components["schemas"]["AgentDecision"] | null;
      /** @description For `policy` and `tool`: the tool. Null otherwise. */
      tool: string | null;
      /** @description For `policy` and `tool`: what the tool gets. Null otherwise. */
      arguments: {
        [key: string]: unknown;
      } | null;
      /** @description For `policy`: what was decided. `verify`: the contact has to prove who they are first. Null otherwise. */
      effect: components["schemas"]["CallVerdict"] | null;
      /** @description For `policy`: why, in a sentence. Null otherwise. */
      reason: string | null;
      /** @description For `tool`: why it was not done. Null if it was, and otherwise. */
      failure: string | null;
      /** @description For `model`: the model that answered. Null otherwise. */
      model: string | null;
      /** @description For `model`: how many tokens it read. Null otherwise. */
      inputTokens: number | null;
      /** @description For `model`: how many tokens it wrote. Null otherwise. */
      outputTokens: number | null;
      /** @description For `model`: what it wants to do. What it may do is decided afterwards. Null if it did not answer, and otherwise. */
      action: components["schemas"]["AgentAction"] | null;
      /** @description For `model`: why its answer cannot be used. Null otherwise. */
      error: string | null;
      /**
       * Format: uuid
       * @description For `procedure`: the procedure. Null otherwise.
       */
      procedureId: string | null;
      /** @description For `procedure`: the step of it, by its id. Null otherwise. */
      procedureStep: string | null;
      /** @description For `procedure`: what happened at the step. Null otherwise. */
      did: components["schemas"]["ProcedureDeed"] | null;
      /** @description For `send`: how many sentences of the language model were cut, because they rest on nothing that was retrieved. Null if none. */
      cutSentences: number | null;
      /**
       * Format: uuid
       * @description For `send`: the message. Null otherwise.
       */
      messageId: string | null;
      /** @description How long it took, in milliseconds. */
      durationMs: number;
    };
    /** @description What the assistant did about one message of a contact. */
    AgentRun: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      conversationId: string;
      /**
       * Format: uuid
       * @description The contact's message that it is about.
       */
      messageId: string;
      /**
       * Format: uuid
       * @description The agent that answers.
       */
      agentId: string;
      /**
       * Format: date-time
       * @description When it began. Null if it waits, or if a newer message came first.
       */
      startedAt: string | null;
      /** @description What it waits for before it goes on: a person's decision about an action, or proof of who the contact is. Null if for nothing. */
      waitsFor: components["schemas"]["AgentWaitsFor"] | null;
      /**
       * Format: date-time
       * @description When it ended. Null until then.
       */
      endedAt: string | null;
      /**
       * @description How it ended. `clarified`: with a question back. `small_talk`: with a greeting, what it is, or "you are welcome". `handed_off`: people handle the conversation. `failed`: the same, because
       *     something went wrong. `superseded`: a newer message came before it began. `discarded`: nothing was to be said any more.
       *     Null until then.
       */
      outcome: components["schemas"]["AgentRunOutcome"] | null;
      /** @description Why it ended so, for people to read. Null if the outcome says it all. */
      reason: string | null;
      /** @description What it did, in this order. */
      steps: components["schemas"]["AgentStep"][];
      /** @description The version of the agent's instructions. */
      instructionsVersion: number;
    };
    /** @description When the assistant of a workspace answers, asks back or hands over. */
    AssistantSettings: {
      /** @description At this confidence or above, an entry answers. */
      answerConfidence: number;
      /** @description Two entries are close together if their confidences differ by less. Then none of them answers. */
      margin: number;
      /** @description At this confidence or above, an entry that does not answer is worth a question back, or two that are close together. */
      clarifyConfidence: number;
    };
    /** @description What you send to `assistantSettings.replace` and `assistantSettings.preview`. */
    PutAssistantSettings: {
      /**
       * @description At this confidence or above, an entry answers: 0 to 1.
       * @default 0.9
       */
      answerConfidence?: number;
      /**
       * @description Two entries are close together if their confidences differ by less: 0 to 1. Then none of them answers. All confidences add
       *     up to at most 1: an entry at 0.9 is at least 0.8 ahead.
       * @default 0.5
       */
      margin?: number;
      /**
       * @description At this confidence or above, an entry that does not answer is worth a question back, or two that are close together: 0 to 1, and not above
       *     `answerConfidence`.
       * @default 0.2
       */
      clarifyConfidence?: number;
    };
    /** @description A question that other thresholds decide otherwise. */
    ChangedDecision: {
      /** Format: uuid */
      conversationId: string;
      /**
       * Format: uuid
       * @description The contact's message.
       */
      messageId: string;
      /** @description What the present thresholds decide. */
      from: components["schemas"]["AgentDecision"];
      /** @description What these decide. */
      to: components["schemas"]["AgentDecision"];
    };
    /** @description How often the assistant decides what. */
    DecisionCounts: {
      /** @description How many it answers. */
      answer: number;
      /** @description How often it asks back. */
      clarify: number;
      /** @description How many it hands over. */
      hand_off: number;
    };
    /** @description What other thresholds would have decided about the last questions. */
    AssistantPreview: {
      /** @description The questions that these decide otherwise, the newest first. */
      changed: components["schemas"]["ChangedDecision"][];
      /** @description How many questions were looked at: the last 200 at most. */
      questions: number;
      /** @description What the present thresholds decide about them. */
      before: components["schemas"]["DecisionCounts"];
      /** @description What these decide. */
      after: components["schemas"]["DecisionCounts"];
    };
    /** @description One of the things that a contact may choose. */
    ProcedureOption: {
      /**
       * @description What the value is then: a text, a number or a boolean.
       * @example ordered by mistake
       */
      value: string | number | boolean;
      /**
       * @description As the contact reads it.
       * @example I ordered it by mistake
       */
      label: string;
      /**
       * @description Other words for it, at most 20.
       * @example [
       *       "mistake"
       *     ]
       */
      synonyms?: string[];
    };
    /** @description How two values are compared. */
    ProcedureCondition: {
      /**
       * @description A value by its step, and the fields below it: `order.status`.
       * @example order.status
       */
      value: string;
      op: components["schemas"]["ProcedureOperator"];
      /**
       * @description A text, a number, a boolean, or for `one_of` a list. `{order.total}` stands for a value.
       * @example pending
       */
      to?: string | number | boolean | (string | number | boolean)[];
    };
    /** @description What a contact is asked for. */
    ProcedureSlot: {
      kind: components["schemas"]["ProcedureSlotKind"];
      /** @description For `text`: how long it may be, at most 2,000 characters. */
      maxLength?: number;
      /** @description For `number`: the least, a whole number. */
      min?: number;
      /** @description For `number`: the most, a whole number. */
      max?: number;
      /**
       * @description For `pattern`: `0` is a digit, `A` a letter, all else itself.
       * @example #W0000000
       */
      pattern?: string;
      /** @description For `choice`: what there is to choose, at most 50. */
      options?: components["schemas"]["ProcedureOption"][];
      /**
       * @description For `choice`, instead of `options`: where a tool's answer has a list, or an object, of things.
       * @example order.items
       */
      from?: string;
      /**
       * @description With `from`: the field of each thing that is its value. Without it: the thing itself.
       * @example id
       */
      value?: string;
      /**
       * @description With `from`: how the contact reads each thing.
       * @example {item.name}
       */
      label?: string;
      /** @description With `from`: only things of which all of this holds, at most 10 conditions. */
      where?: components["schemas"]["ProcedureCondition"][];
      /** @description For `choice` and `pattern`: whether the contact may name several. */
      many?: boolean;
    };
    /** @description A case of a branch. */
    ProcedureCase: {
      /** @description All of these hold, at most 10. */
      when: components["schemas"]["ProcedureCondition"][];
      /** @description The step that comes then. */
      next: string;
    };
    /** @description A step of a procedure. Each type has its own fields. */
    ProcedureStep: {
      /**
       * @description Letters, digits, `_` and `-`, at most 40 characters, a letter first. What is asked or answered here has this name: `{order_id}`.
       * @example order_id
       */
      id: string;
      type: components["schemas"]["ProcedureStepType"];
      /** @description The step that comes after it. Without it: the next in the list. */
      next?: string;
      /** @description For `ask`, `say`, `confirm` and `hand_over`: what the contact reads. `{order_id}` and `{order.status}` stand for values. */
      text?: string;
      /** @description For `ask` and `confirm`: the answer to "what do you need it for?". */
      why?: string;
      /** @description For `ask`: the value. */
      slot?: components["schemas"]["ProcedureSlot"];
      /** @description For `ask`: what has to hold for the value, at most 10 conditions. */
      check?: components["schemas"]["ProcedureCondition"][];
      /** @description For `ask`: what the contact reads if it does not. */
      wrong?: string;
      /** @description For `ask` and `call`: a step whose slot has `many`. This one is taken for each of its values, which is `{each}` then. */
      each?: string;
      /**
       * Format: uuid
       * @description For `say`, instead of `text`: an approved entry.
       */
      entryId?: string;
      /** @description For `require_level`: how well the contact's identity must be proven. */
      level?: components["schemas"]["RequiredAssuranceLevel"];
      /**
       * @description For `call`: the tool, by its name.
       * @example cancel_order
       */
      tool?: string;
      /**
       * @description For `call`: the arguments. What the tool has bound with `x-bound` is left out.
       * @example {
       *       "orderId": "{order_id}"
       *     }
       */
      arguments?: {
        [key: string]: unknown;
      };
      /** @description For `call`: the step after a failure. For `confirm`: the step after a no. Without it, people take over, or the contact is asked what should be different. */
      otherwise?: string;
      /** @description For `branch`, at most 20: the first case that holds decides, and `next` if none does. */
      cases?: components["schemas"]["ProcedureCase"][];
    };
    /** @description What lets a procedure begin. */
    ProcedureStart: {
      /** @description Approved entries: where one of them would answer, the procedure begins. At most 20. */
      entries: string[];
      /**
       * @description Words that a message has in this order, with few others between: at most 50 phrases of 100 characters.
       * @example [
       *       "cancel my order"
       *     ]
       */
      phrases: string[];
    };
    /** @description Steps that the assistant takes with a contact, without a language model. */
    Procedure: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      /**
       * Format: uuid
       * @description The agent that takes the steps.
       */
      agentId: string;
      status: components["schemas"]["ProcedureStatus"];
      /**
       * @example [
       *       {
       *         "id": "order_id",
       *         "type": "ask",
       *         "text": "Which order shall I cancel?",
       *         "why": "The number tells me which order you mean.",
       *         "slot": {
       *           "kind": "pattern",
       *           "pattern": "#W0000000"
       *         }
       *       },
       *       {
       *         "id": "sure",
       *         "type": "confirm",
       *         "text": "Shall I cancel the order {order_id}?"
       *       },
       *       {
       *         "id": "cancelled",
       *         "type": "call",
       *         "tool": "cancel_order",
       *         "arguments": {
       *           "orderId": "{order_id}"
       *         }
       *       },
       *       {
       *         "id": "done",
       *         "type": "say",
       *         "text": "Your order {order_id} is cancelled."
       *       }
       *     ]
       */
      steps: components["schemas"]["ProcedureStep"][];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description Unique in the workspace. */
      name: string;
      /** @description A change of the steps raises it. What has begun goes on with its own version. */
      version: number;
      startsWith: components["schemas"]["ProcedureStart"];
    };
    /** @description What you send to `procedures.create`. */
    CreateProcedure: {
      /**
       * Format: uuid
       * @description An agent that works in the workspace. It needs the tools that the steps call. Without it: the agent that answers there now.
       */
      agentId?: string;
      /**
       * @description 1 to 100 characters. Unique in the workspace.
       * @example Cancel an order
       */
      name: string;
      /**
       * @description Only an active procedure begins.
       * @default draft
       */
      status?: components["schemas"]["ProcedureStatus"];
      /** @description What lets it begin. */
      startsWith: components["schemas"]["ProcedureStart"];
      /**
       * @description 1 to 50 steps, 64 KiB of JSON. A way back leads past a step that asks.
       * @example [
       *       {
       *         "id": "order_id",
       *         "type": "ask",
       *         "text": "Which order shall I cancel?",
       *         "why": "The number tells me which order you mean.",
       *         "slot": {
       *           "kind": "pattern",
       *           "pattern": "#W0000000"
       *         }
       *       },
       *       {
       *         "id": "sure",
       *         "type": "confirm",
       *         "text": "Shall I cancel the order {order_id}?"
       *       },
       *       {
       *         "id": "cancelled",
       *         "type": "call",
       *         "tool": "cancel_order",
       *         "arguments": {
       *           "orderId": "{order_id}"
       *         }
       *       },
       *       {
       *         "id": "done",
       *         "type": "say",
       *         "text": "Your order {order_id} is cancelled."
       *       }
       *     ]
       */
      steps: components["schemas"]["ProcedureStep"][];
    };
    /** @description What you send to `procedures.update`. */
    UpdateProcedure: {
      /** @description Only an active procedure begins. What has begun goes on. */
      status?: components["schemas"]["ProcedureStatus"];
      /** @description What lets it begin. */
      startsWith?: components["schemas"]["ProcedureStart"];
      /** @description All steps, as for a new procedure. */
      steps?: components["schemas"]["ProcedureStep"][];
      /** @description 1 to 100 characters. Unique in the workspace. */
      name?: string;
    };
    /** @description What you send to `procedures.try`. */
    TryProcedure: {
      /**
       * @description What the contact writes, one message after the other: at most 50, of at most 2,000 characters.
       * @example [
       *       "I want to cancel my order #W1234567",
       *       "yes"
       *     ]
       */
      messages: string[];
      /**
       * @description What the tools answer, by the step that calls. A step with `each` takes a list. `{"error": "…"}` is a failure. What is missing is null.
       * @default {}
       * @example {
       *       "cancelled": {
       *         "ok": true
       *       }
       *     }
       */
      results?: {
        [key: string]: unknown;
      };
      /**
       * @description How well the contact's identity is proven.
       * @default none
       */
      level?: components["schemas"]["AssuranceLevel"];
      /**
       * @description The contact's language, ISO 639-1. Null: the workspace's.
       * @default null
       */
      language?: string | null;
      /**
       * @description Steps that are not saved yet, at most 50. Null: the procedure's.
       * @default null
       */
      steps?: components["schemas"]["ProcedureStep"][] | null;
    };
    /** @description What happened at a step. */
    ProcedureStepDid: {
      type: components["schemas"]["ProcedureStepType"];
      did: components["schemas"]["ProcedureDeed"];
      /** @description The step, by its id. */
      step: string;
    };
    /** @description A tool that would be called. */
    ProcedureCall: {
      /** @description Without what the tool has bound with `x-bound`. */
      arguments: {
        [key: string]: unknown;
      };
      /** @description The step, by its id. */
      step: string;
      /** @description The tool, by its name. */
      tool: string;
    };
    /** @description What would follow from one message. */
    ProcedureTurn: {
      /** @description What the contact would read. Null if nothing. */
      says: string | null;
      did: components["schemas"]["ProcedureStepDid"][];
      calls: components["schemas"]["ProcedureCall"][];
      /** @description What the contact wrote. */
      message: string;
    };
    /** @description How a procedure would go. */
    TriedProcedure: {
      turns: components["schemas"]["ProcedureTurn"][];
      /** @description The values that the contact has given, by step. */
      values: {
        [key: string]: unknown;
      };
      /** @description How it ended. Null if it goes on. */
      ending: components["schemas"]["ProcedureEnding"] | null;
      /** @description The step that the contact is asked at, or has to prove who they are for. Null if it ended. */
      waitsAt: string | null;
      /** @description Why people would take over. Null if they would not. */
      reason: string | null;
    };
    /** @description An approved entry that may answer what the contact wrote last. */
    Suggestion: {
      /** Format: uuid */
      id: string;
      /**
       * Format: uuid
       * @description The entry. Name it in the `citations` of your reply.
       */
      kbEntryId: string;
      /** @description How likely the entry answers what the contact wrote, 0 to 1. Null with a `warning`: then nobody knows. */
      confidence: number | null;
      /** @description Why the entry may not answer what the contact wrote. Show it to whoever answers. Null if there is no reason. */
      warning: components["schemas"]["SuggestionWarning"] | null;
      /** @description What was made of it. Null until then. */
      outcome: components["schemas"]["SuggestionOutcome"] | null;
      /** @description The entry's question. */
      question: string;
      /** @description The entry's answer, as text or Markdown. */
      answer: string;
      /** @description The entry's language, ISO 639-1. */
      language: string;
    };
    /** @description A sentence of a draft. */
    DraftSentence: {
      /**
       * Format: uuid
       * @description The entry that says it. Null for courtesy, which claims nothing.
       */
      kbEntryId: string | null;
      /** @description With the space or line break after it: all texts, one after the other, are the draft. */
      text: string;
    };
    /** @description What you could answer to what a contact wrote last. */
    Suggestions: {
      /**
       * Format: uuid
       * @description The contact's last message, if nobody has replied to it. Null otherwise: then there are no suggestions.
       */
      messageId: string | null;
      /**
       * @description The `sequence` of that message. Reply with it as `ifLastSequence`. Null if there is none.
       * @example 41
       */
      sequence: number | null;
      /** @description At most three, the best match first. */
      suggestions: components["schemas"]["Suggestion"][];
      /**
       * @description With `draft=true`: an answer that the language model made of entries, sentence by sentence. What no entry says was cut. Null if it
       *     was not asked for, or if nothing came of it.
       */
      draft: components["schemas"]["DraftSentence"][] | null;
      /** @description Whether a language model can write a draft, and whatever else it writes for people. */
      canDraft: boolean;
    };
    /** @description What you send to `conversations.recordSuggestionOutcome`. */
    RecordSuggestionOutcome: {
      /** @description `used`: you have sent the answer as it stands. `edited`: you have changed it. `ignored`: it does not fit. */
      outcome: components["schemas"]["SuggestionOutcome"];
    };
    /** @description What you send to `conversations.rewriteText`. */
    RewriteText: {
      /** @description What to make of it. */
      as: components["schemas"]["Rewriting"];
      /** @description The text, or the part of it that is to change. */
      text: string;
      /** @description For a translation: ISO 639-1. If you leave it out, the workspace's language. */
      language?: string;
    };
    /** @description What the language model made of a text. */
    RewrittenText: {
      /** @description Null if there is none: `reason` says why. */
      text: string | null;
      /** @description Why there is no text. Null if there is one. */
      reason: components["schemas"]["ModelSilence"] | null;
    };
    /** @description What you send to `conversations.summariseMessages`. */
    SummariseMessages: {
      /** @description The language of the summary, ISO 639-1. If you leave it out, the workspace's. */
      language?: string;
    };
    /** @description A sentence of a summary, with its proof. */
    SummarySentence: {
      /**
       * Format: uuid
       * @description The message that says it.
       */
      messageId: string;
      /** @description In the model's words. */
      text: string;
      /** @description What stands in that message, word for word. */
      quote: string;
    };
    /** @description What was said in a conversation, sentence by sentence. */
    MessagesSummary: {
      /** @description Oldest first. A sentence whose quote is not in its message was dropped. Null if the model wrote none: `reason` says why. */
      sentences: components["schemas"]["SummarySentence"][] | null;
      /** @description Why there is no summary. Null if there is one. */
      reason: components["schemas"]["ModelSilence"] | null;
    };
    /** @description What you send to `conversations.translateMessage`. */
    TranslateMessage: {
      /** @description The language that you read, ISO 639-1. */
      language: string;
    };
    /** @description An entry that an answer or a question back names. */
    ImpactEntry: {
      /** Format: uuid */
      kbEntryId: string;
      /** @description The question of the entry. */
      question: string;
    };
    /** @description What the assistant decides about a question. */
    ImpactDecision: {
      /** @description What the assistant decides. */
      decision: components["schemas"]["AgentDecision"];
      /** @description The entry that answers, or the two that it asks back about. Empty if it hands over. */
      entries: components["schemas"]["ImpactEntry"][];
    };
    /** @description A question about which the assistant decides otherwise with an entry. */
    ImpactExample: {
      /** Format: uuid */
      conversationId: string;
      /**
       * Format: uuid
       * @description The contact's message.
       */
      messageId: string;
      /** @description What the contact asked, without personal data. */
      question: string;
      /** @description Without the entry. */
      before: components["schemas"]["ImpactDecision"];
      /** @description With the entry. */
      after: components["schemas"]["ImpactDecision"];
    };
    /** @description The questions that change in one way, with examples. */
    ImpactChange: {
      /** @description The newest of them, at most 5. */
      examples: components["schemas"]["ImpactExample"][];
      /** @description How many questions. */
      count: number;
    };
    /** @description What an entry changes about the questions of the last 30 days. */
    KbEntryImpact: {
      /** Format: uuid */
      kbEntryId: string;
      /**
       * Format: date-time
       * @description Since when questions were looked at: the beginning of the day 30 days ago, in UTC.
       */
      since: string;
      /** @description How many questions were looked at: the newest 1,000 at most. */
      questions: number;
      /** @description How many older ones of these were left out, because the time was over. 0 if all were looked at. */
      skipped: number;
      /** @description With the entry the assistant answers them, and without it it does not. */
      newlyAnswered: components["schemas"]["ImpactChange"];
      /** @description It answers them with and without the entry, but not the same. */
      answeredOtherwise: components["schemas"]["ImpactChange"];
      /** @description It asks back about them with the entry, and not without it. */
      newlyAmbiguous: components["schemas"]["ImpactChange"];
      /** @description It answers them without the entry, and hands them over with it. */
      noLongerAnswered: components["schemas"]["ImpactChange"];
    };
    /** @description A question that the assistant handed over. */
    GapExample: {
      /** Format: uuid */
      conversationId: string;
      /**
       * Format: uuid
       * @description The contact's message.
       */
      messageId: string;
      /**
       * Format: date-time
       * @description When.
       */
      at: string;
      /** @description What the contact asked, without personal data. */
      question: string;
    };
    /** @description Questions that ask for the same, and that no approved entry answers. */
    KbGap: {
      /** @description How often it was asked. */
      count: number;
      /** @description Other ways in which it was asked, at most 10. */
      alternateQuestions: string[];
      /** @description The newest of them, at most 5. */
      examples: components["schemas"]["GapExample"][];
      /** @description The question that stands for all, without personal data. */
      question: string;
      /** @description ISO 639-1. */
      language: string;
    };
    /** @description What a workspace's knowledge base lacks. */
    KbGaps: {
      /** Format: uuid */
      workspaceId: string;
      /**
       * Format: date-time
       * @description Since when questions were looked at: the beginning of the day 30 days ago, in UTC.
       */
      since: string;
      /** @description How many questions were looked at: the newest 1,000 at most. */
      questions: number;
      /** @description How many of them are in no gap, because the time was over or there are too many different ones. 0 if all were looked at. */
      skipped: number;
      /** @description The most frequent first, at most 50. */
      gaps: components["schemas"]["KbGap"][];
    };
    /** @description What must follow from a turn. What is left out may be anything. */
    Expected: {
      /** @description What the assistant does. Null: anything. */
      outcome: components["schemas"]["PlayedOutcome"] | null;
      /** @description The entries that it answers with or asks back about, at most 3. */
      kbEntryIds: string[];
      /**
       * @description A tool that it calls. Null: any, or none.
       * @example cancel_order
       */
      tool: string | null;
      /**
       * @description Words of its reply, whatever the case: 1 to 200 characters. Null: any.
       * @example five days
       */
      contains: string | null;
    };
    /** @description What a contact says before they get a reply, and what must follow. */
    TestTurn: {
      /**
       * @description 1 to 2,000 characters.
       * @example Where is my parcel?
       */
      says: string;
      /** @description What must follow. */
      expect: components["schemas"]["Expected"];
    };
    /** @description What a tool answers. A test calls none. */
    ToolAnswer: {
      /**
       * @description The tool, by its name. Several answers of one are given in turn.
       * @example get_order
       */
      tool: string;
      /**
       * @description JSON of at most 16 KiB. `{"error": "…"}` is a failure.
       * @example {
       *       "status": "shipped"
       *     }
       */
      answer:
        | {
            [key: string]: unknown;
          }
        | unknown[];
    };
    /** @description An entry that the assistant names. */
    PlayedEntry: {
      /** Format: uuid */
      kbEntryId: string;
      /** @description The question of the entry. */
      question: string;
    };
    /** @description What follows from a turn. */
    PlayedTurn: {
      outcome: components["schemas"]["PlayedOutcome"];
      /** @description The entries that it answers with or asks back about. */
      entries: components["schemas"]["PlayedEntry"][];
      /** @description What the contact reads. Null: nothing. */
      says: string | null;
      /** @description Why people take over. Null: they do not. */
      reason: string | null;
      /**
       * Format: uuid
       * @description The procedure that it follows. Null: none.
       */
      procedureId: string | null;
      /** @description The tools that it calls, by name. */
      tools: string[];
    };
    /** @description What came of a test. */
    TestResult: {
      /** Format: uuid */
      testId: string;
      /**
       * @description Why it failed, in a sentence. Null: it passed.
       * @example Turn 2: expected answered, and it handed_off
       */
      reason: string | null;
      /** @description The turn that failed: 1, 2, 3 … Null: none did. */
      turn: number | null;
      /** @description What is wrong with it. Null: nothing. */
      fault: components["schemas"]["AssistantTestFault"] | null;
      /** @description What follows from that turn. Null if it was not reached. */
      played: components["schemas"]["PlayedTurn"] | null;
      /** @description Whether it passes without the draft. Null: the run had no draft. */
      passedBefore: boolean | null;
      /**
       * Format: date-time
       * @description When it was played.
       */
      at: string;
      /** @description As it was called then. */
      name: string;
      /** @description Whether all that must happen does. */
      passed: boolean;
    };
    /** @description A conversation with what the assistant must do in it. */
    AssistantTest: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      /**
       * Format: uuid
       * @description The conversation that it was saved from, with which it is deleted. Null: it was written.
       */
      conversationId: string | null;
      /** @description How well the contact has proven who they are. */
      assuranceLevel: components["schemas"]["AssuranceLevel"];
      turns: components["schemas"]["TestTurn"][];
      toolAnswers: components["schemas"]["ToolAnswer"][];
      /** @description What came of it last, against what was in use. Null: it was not run since it was changed. */
      lastResult: components["schemas"]["TestResult"] | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description Unique in the workspace. */
      name: string;
    };
    /** @description What you send to `assistantTests.create`. */
    CreateAssistantTest: {
      /**
       * @description How well the contact has proven who they are.
       * @default none
       */
      assuranceLevel?: components["schemas"]["AssuranceLevel"];
      /** @description What the contact says, turn by turn: 1 to 20. */
      turns?: components["schemas"]["TestTurnInput"][];
      /** @description What the tools answer, at most 50. */
      toolAnswers?: components["schemas"]["ToolAnswer"][];
      /**
       * @description 1 to 100 characters. Unique in the workspace.
       * @example A parcel that is late
       */
      name: string;
      /**
       * Format: uuid
       * @description A conversation to save as a test, instead of `turns`: what its contact wrote until people took over, without personal
       *     data, and what the assistant did.
       */
      conversationId?: string;
    };
    /** @description An entry that is new, changes or ends. */
    DraftEntry: {
      /**
       * Format: uuid
       * @description The entry that changes, approved or pending. Without it: a new one, with `question` and `answer`.
       */
      kbEntryId?: string;
      /**
       * @description Whether it is no longer in use. Otherwise it is approved, with these texts.
       * @default false
       */
      ends?: boolean;
      /** @description Other ways to ask the same question, at most 200. */
      alternateQuestions?: string[];
      /**
       * @description ISO 639-1.
       * @example en
       */
      language?: string;
      /** @description 1 to 2,000 characters. */
      question?: string;
      /** @description 1 to 20,000 characters. */
      answer?: string;
    };
    /** @description Thresholds that change. */
    DraftSettings: {
      /** @description As in the settings: 0 to 1. */
      answerConfidence?: number;
      /** @description As in the settings: 0 to 1. */
      margin?: number;
      /** @description As in the settings: 0 to 1. */
      clarifyConfidence?: number;
    };
    /** @description What changes about the agent. */
    DraftAgent: {
      /** @description The names of the tools that it may use, at most 100. */
      tools?: string[];
      /** @description What holds some of its actions back, at most 50. */
      guardrails?: components["schemas"]["GuardrailInput"][];
      /** @description 1 to 100 characters. */
      name?: string;
    };
    /** @description A procedure that is new or changes. */
    DraftProcedure: {
      /**
       * Format: uuid
       * @description The procedure that changes. Without it: a new one, with `startsWith` and `steps`.
       */
      procedureId?: string;
      /** @description Default: as it is, and `active` for a new one. */
      status?: components["schemas"]["ProcedureStatus"];
      /** @description What lets it begin. */
      startsWith?: components["schemas"]["ProcedureStart"];
      /** @description All steps, as for a new procedure. */
      steps?: components["schemas"]["ProcedureStep"][];
      /** @description 1 to 100 characters. */
      name?: string;
    };
    /** @description What would be in use. What it does not name stays as it is. */
    AssistantDraft: {
      /** @description Entries that are new, change or end, at most 50. */
      entries?: components["schemas"]["DraftEntry"][];
      /** @description When the assistant answers, asks back or hands over. */
      settings?: components["schemas"]["DraftSettings"];
      /** @description The agent that answers in the workspace. */
      agent?: components["schemas"]["DraftAgent"];
      /** @description Procedures of that agent that are new or change, at most 20. */
      procedures?: components["schemas"]["DraftProcedure"][];
    };
    /** @description What you send to `assistantTests.run`. */
    RunAssistantTests: {
      /** @description The tests that are played, at most 100. Default: all of the workspace. */
      testIds?: string[];
      /** @description Against what. Default: what is in use. */
      draft?: components["schemas"]["AssistantDraft"];
    };
    /** @description How many conversations change in one way. */
    RehearsedChange: {
      from: components["schemas"]["PlayedOutcome"];
      /** @description The same as `from`: with another entry, tool, procedure or in other words. */
      to: components["schemas"]["PlayedOutcome"];
      /** @description How many conversations. */
      count: number;
    };
    /** @description What a draft changes about the conversations of the last 30 days. */
    Rehearsed: {
      /**
       * Format: date-time
       * @description The beginning of the day 30 days ago, in UTC.
       */
      since: string;
      /** @description The most frequent first. */
      changes: components["schemas"]["RehearsedChange"][];
      /** @description In so many something happened since then. */
      found: number;
      /** @description So many were played: the newest 500 at most, as many as a minute allows, and only those in which a contact wrote first. */
      played: number;
      /** @description In so many of those the assistant would do something else. */
      changed: number;
    };
    /** @description Tests that are played, and for a rehearsal conversations. */
    AssistantTestRun: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      kind: components["schemas"]["AssistantTestRunKind"];
      cause: components["schemas"]["AssistantTestRunCause"];
      status: components["schemas"]["AssistantTestRunStatus"];
      /** @description Why it could not be played. Null: it could. */
      error: string | null;
      /** @description What came of each test. Null until it is done. */
      tests: components["schemas"]["TestResult"][] | null;
      /** @description What came of the conversations. Null until a rehearsal is done. */
      conversations: components["schemas"]["Rehearsed"] | null;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it was done, or failed. Null: it is not over.
       */
      endedAt: string | null;
    };
    /** @description A conversation in which the assistant would do something else. */
    RehearsedConversation: {
      /** Format: uuid */
      conversationId: string;
      /**
       * Format: uuid
       * @description The contact's message that begins the turn.
       */
      messageId: string;
      /** @description What the contact wrote, 500 characters at most. Null if the message is gone. */
      says: string | null;
      /** @description The first turn that changes: 1, 2, 3 … Those after it follow from it, and are not looked at. */
      turn: number;
      /** @description With what is in use. */
      before: components["schemas"]["PlayedTurn"];
      /** @description With the draft. */
      after: components["schemas"]["PlayedTurn"];
    };
    /** @description What you send to `assistantTests.update`. */
    UpdateAssistantTest: {
      /**
       * @description How well the contact has proven who they are.
       * @default none
       */
      assuranceLevel?: components["schemas"]["AssuranceLevel"];
      /** @description What the contact says, turn by turn: 1 to 20. */
      turns?: components["schemas"]["TestTurnInput"][];
      /** @description What the tools answer, at most 50. */
      toolAnswers?: components["schemas"]["ToolAnswer"][];
      /** @description 1 to 100 characters. Unique in the workspace. */
      name?: string;
    };
    /** @description What you send to `assistantTests.rehearse`. */
    Rehearse: {
      draft: components["schemas"]["AssistantDraft"];
    };
    /** @description A matter that outlasts one conversation. */
    Case: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      /**
       * Format: uuid
       * @description The case type, which defines the fields. Null for a case without fields.
       */
      typeId: string | null;
      status: components["schemas"]["CaseStatus"];
      priority: components["schemas"]["Priority"];
      /** @description The conversations that the case is about, oldest first. */
      conversationIds: string[];
      /**
       * Format: uuid
       * @description The contact that the case is about. Null if there is none, or after the contact was erased.
       */
      contactId: string | null;
      /**
       * Format: uuid
       * @description The contact's account. Null if there is none.
       */
      accountId: string | null;
      /**
       * Format: uuid
       * @description The member who works on it. Null if nobody is assigned.
       */
      assigneeId: string | null;
      /** @description Values by field key, as the case type defines them. */
      fields: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description When it should be done. Null if there is no such time.
       */
      dueAt: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description Counts 1, 2, 3 … within the workspace, without gaps. */
      number: number;
      /** @description Empty after the contact was erased. */
      title: string;
    };
    /** @description What you send to `cases.create`. */
    CreateCase: {
      /** Format: uuid */
      workspaceId: string;
      /**
       * @description 1 to 500 characters.
       * @example The parcel arrived damaged
       */
      title: string;
      /**
       * Format: uuid
       * @description A case without a type has no fields.
       */
      typeId?: string | null;
      /**
       * @description How urgent the case is.
       * @default none
       */
      priority?: components["schemas"]["Priority"];
      /**
       * Format: uuid
       * @description The contact that the case is about.
       */
      contactId?: string | null;
      /**
       * Format: uuid
       * @description An owner, an admin, or an agent who is assigned to the workspace.
       */
      assigneeId?: string | null;
      /**
       * @description Conversations in the workspace, at most 100.
       * @default []
       */
      conversationIds?: string[];
      /**
       * @description Values by field key, as the case type defines them.
       * @default {}
       * @example {
       *       "orderNumber": "A-1017"
       *     }
       */
      fields?: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description When it should be done. ISO 8601.
       */
      dueAt?: string | null;
    };
    /** @description What you send to `cases.update`. */
    UpdateCase: {
      /** @description 1 to 500 characters. */
      title?: string;
      /** @description A `resolved` case can only go back to `in_progress`, and no case can go back to `submitted` (409). */
      status?: components["schemas"]["CaseStatus"];
      priority?: components["schemas"]["Priority"];
      /**
       * Format: uuid
       * @description The contact that the case is about. Null removes it.
       */
      contactId?: string | null;
      /**
       * Format: uuid
       * @description An owner, an admin, or an agent who is assigned to the workspace.
       */
      assigneeId?: string | null;
      /** @description Replaces the whole list. At most 100. */
      conversationIds?: string[];
      /**
       * @description Only the fields to change. Null removes a value.
       * @example {
       *       "orderNumber": null
       *     }
       */
      fields?: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description When it should be done. ISO 8601. Null removes it.
       */
      dueAt?: string | null;
    };
    /** @description One change to a case. */
    CaseEvent: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      caseId: string;
      type: components["schemas"]["CaseEventType"];
      /** @description The old value: a status, a priority, a title, an id or a time. Null if there was none, or after the contact was erased. */
      from: string | null;
      /** @description The new value. For `fields`, the keys of the fields that changed. Null if there is none, or after the contact was erased. */
      to: string | string[] | null;
      /**
       * Format: date-time
       * @description When it happened.
       */
      occurredAt: string;
      actor: components["schemas"]["AuditActor"];
    };
    /** @description A field that cases of a type have. */
    FieldDefinition: {
      /**
       * @description The key of the value in a case's `fields`: a letter, then letters, digits and `_`, at most 50.
       * @example orderNumber
       */
      key: string;
      /**
       * @description 1 to 100 characters.
       * @example Order number
       */
      label: string;
      /** @description A `date` is a day, such as `2026-01-31`. A `select` is one of the `options`. */
      type: components["schemas"]["CaseFieldType"];
      /** @description For a `select` only: 1 to 100 different texts of 1 to 100 characters. */
      options: string[];
      /** @description Whether a case must have a value for this field. */
      required: boolean;
    };
    /** @description A kind of case, with its fields. */
    CaseType: {
      /** Format: uuid */
      id: string;
      /** @description Your own unique key. */
      key: string;
      name: string;
      /** @description The fields that cases of this type have, in their order. */
      fields: components["schemas"]["FieldDefinition"][];
    };
    /** @description What you send to `caseTypes.create`. */
    CreateCaseType: {
      /**
       * @description Your own unique key: small letters, digits, `-` and `_`, at most 50. It cannot be changed.
       * @example refund
       */
      key: string;
      /**
       * @description 1 to 100 characters.
       * @example Refund
       */
      name: string;
      /**
       * @description At most 50. Each has its own key.
       * @default []
       */
      fields?: components["schemas"]["FieldDefinitionInput"][];
    };
    /** @description What you send to `caseTypes.update`. */
    UpdateCaseType: {
      /** @description 1 to 100 characters. */
      name?: string;
      /**
       * @description Replaces the whole list. Existing cases keep their values. They are checked again when the fields of a case are
       *     next written.
       */
      fields?: components["schemas"]["FieldDefinitionInput"][];
    };
    /** @description How many messages there were. */
    MessageCount: {
      /** @description Messages from contacts. */
      inbound: number;
      /** @description Messages to contacts. */
      outbound: number;
      /** @description Inbound and outbound messages together. */
      total: number;
    };
    /** @description How many tokens a language model used. */
    TokenCount: {
      /** @description Tokens that the model read. */
      input: number;
      /** @description Tokens that it wrote. */
      output: number;
      /** @description Both together. */
      total: number;
    };
    /** @description How many messages there were on one day. */
    DayConsumption: {
      /**
       * Format: date
       * @description From midnight to midnight, UTC.
       * @example 2026-01-31
       */
      day: string;
      /** @description How many messages there were on this day. */
      messages: components["schemas"]["MessageCount"];
      /** @description How many tokens the assistant used on this day. */
      tokens: components["schemas"]["TokenCount"];
    };
    /** @description How many messages a workspace had. */
    WorkspaceConsumption: {
      /** Format: uuid */
      workspaceId: string;
      /** @description How many messages the workspace had. */
      messages: components["schemas"]["MessageCount"];
      /** @description How many tokens the assistant used in the workspace. */
      tokens: components["schemas"]["TokenCount"];
    };
    /** @description How many messages there were, by day and by workspace. */
    Consumption: {
      /**
       * Format: date
       * @description First day of the period, UTC.
       */
      from: string;
      /**
       * Format: date
       * @description Last day of the period, UTC.
       */
      to: string;
      /** @description For all workspaces in the request. Callers with access to the whole organisation also see deleted workspaces. */
      messages: components["schemas"]["MessageCount"];
      /** @description The same for the tokens that the assistant used. */
      tokens: components["schemas"]["TokenCount"];
      /** @description Every day from `from` to `to`. */
      days: components["schemas"]["DayConsumption"][];
      /** @description Each workspace with a message in this period, the one with the most messages first. */
      workspaces: components["schemas"]["WorkspaceConsumption"][];
    };
    /** @description How many messages a conversation had, by day. */
    ConversationConsumption: {
      /** Format: uuid */
      conversationId: string;
      /** @description How many messages the conversation had. */
      messages: components["schemas"]["MessageCount"];
      /** @description How many tokens the assistant used for it, as far as its activity is kept. */
      tokens: components["schemas"]["TokenCount"];
      /** @description The days with messages or tokens, oldest first. */
      days: components["schemas"]["DayConsumption"][];
    };
    /** @description One change to a resource. */
    Change: {
      /**
       * Format: date-time
       * @description When the change was made.
       */
      at: string;
      /**
       * @description The resource and what happened to it.
       * @example conversation.updated
       */
      type: string;
      /**
       * Format: uuid
       * @description The workspace that the resource is in. Null for what is in none, such as a contact.
       */
      workspaceId: string | null;
      resourceType: components["schemas"]["ResourceType"];
      /** Format: uuid */
      resourceId: string;
      /** @description The resource as the API shows it now, which may be newer than this change. Null if it can no longer be read: it was deleted, erased or merged. */
      resource: {
        [key: string]: unknown;
      } | null;
      /** @description The position of this row. Give it as `after` to continue behind it. */
      cursor: string;
    };
    /** @description What changed, in order, and where to continue. */
    Changes: {
      data: components["schemas"]["Change"][];
      /** @description Where to continue, also if `data` is empty. */
      cursor: string;
      /** @description Whether more can be read at once. */
      hasMore: boolean;
    };
    /** @description What an operator's screen shows of a conversation: the parts that were asked for. */
    Overview: {
      conversation?: components["schemas"]["Conversation"];
      messages?: components["schemas"]["MessagePage"];
      identityEvents?: components["schemas"]["IdentityEvents"];
      assurance?: components["schemas"]["Assurance"];
      viewers?: components["schemas"]["ViewerPage"];
      /** @description Your draft. Observers have none. */
      draft?: components["schemas"]["Draft"];
      otherConversations?: components["schemas"]["ConversationPage"];
      cases?: components["schemas"]["CasePage"];
      contactCases?: components["schemas"]["CasePage"];
      bookings?: components["schemas"]["BookingPage"];
    };
    /** @description A URL of yours that events are sent to. */
    WebhookEndpoint: {
      /** Format: uuid */
      id: string;
      /**
       * @description Where events are sent.
       * @example https://hooks.example.com/parley
       */
      url: string;
      /** @description What the endpoint is for. Null if not given. */
      description: string | null;
      /** @description Which events it gets. */
      events: components["schemas"]["WebhookEventType"][];
      status: components["schemas"]["WebhookEndpointStatus"];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    /** @description What you send to `webhookEndpoints.create`. */
    CreateWebhookEndpoint: {
      /**
       * @description Where events are sent: an https address on the public internet.
       * @example https://hooks.example.com/parley
       */
      url: string;
      /** @description Which events it gets. At least one. */
      events: components["schemas"]["WebhookEventType"][];
      /** @description What the endpoint is for, 1 to 200 characters. */
      description?: string | null;
    };
    /** @description An endpoint with its secret, which is shown this once. */
    NewWebhookEndpoint: {
      /** Format: uuid */
      id: string;
      /**
       * @description Where events are sent.
       * @example https://hooks.example.com/parley
       */
      url: string;
      /** @description What the endpoint is for. Null if not given. */
      description: string | null;
      /** @description Which events it gets. */
      events: components["schemas"]["WebhookEventType"][];
      status: components["schemas"]["WebhookEndpointStatus"];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /**
       * @description Signs what is sent. It is in this answer and is never shown again.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
       */
      secret: string;
    };
    /** @description What you send to `webhookEndpoints.update`. */
    UpdateWebhookEndpoint: {
      /** @description Replaces the events. At least one. */
      events?: components["schemas"]["WebhookEventType"][];
      /** @description What the endpoint is for, 1 to 200 characters; null removes it. */
      description?: string | null;
      /** @description A disabled endpoint gets nothing. Once it is active again, it gets what happens from then on. */
      status?: components["schemas"]["WebhookEndpointStatus"];
      /** @description Where events are sent, also those that are waiting. */
      url?: string;
    };
    /** @description One attempt to deliver an event, and what your server answered. */
    WebhookAttempt: {
      /**
       * Format: date-time
       * @description When the attempt began.
       */
      at: string;
      /** @description The HTTP status; null if there was no answer. */
      responseStatus: number | null;
      /** @description The first 2 kB of the answer, without control characters; null if there was none. */
      response: string | null;
      /** @description Why it failed; null if it did not. */
      error: string | null;
      /** @description Milliseconds until the answer was read, or until the attempt failed. */
      durationMs: number;
    };
    /** @description An event on its way to an endpoint. */
    WebhookDelivery: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      endpointId: string;
      /**
       * Format: uuid
       * @description The `id` of the payload.
       */
      eventId: string;
      type: components["schemas"]["WebhookDeliveryType"];
      /** @description `captured`: on the test side nothing leaves; `GET /api/captured-messages` has it. */
      status: components["schemas"]["WebhookDeliveryStatus"];
      /** @description The newest twenty, oldest first. */
      attempts: components["schemas"]["WebhookAttempt"][];
      /**
       * Format: date-time
       * @description Null unless the delivery is queued.
       */
      nextAttemptAt: string | null;
      /** Format: date-time */
      createdAt: string;
    };
    /** @description What you send to `webhookEndpoints.redeliver`. */
    RedeliverSince: {
      /**
       * Format: date-time
       * @description Failed deliveries that were made at this time or later. ISO 8601.
       */
      since: string;
    };
    /** @description How many deliveries are sent again. */
    Redelivered: {
      /** @description How many were queued again, 500 at most, the oldest first. Ask again until it is 0. */
      redelivered: number;
    };
    /** @description A browser of yours that shows notices. */
    PushSubscription: {
      /** Format: uuid */
      id: string;
      /**
       * @description The browser and its system.
       * @example Firefox on Windows
       */
      device: string;
      /**
       * Format: date-time
       * @description Null if no notice was taken yet.
       */
      lastSuccessAt: string | null;
    };
    /** @description Your browsers that show notices. */
    Push: {
      /**
       * @description The `applicationServerKey` with which a browser subscribes.
       * @example BLVYwMTBAGWxVWRfZuJKiEVZYwTvWVPvXLCYaAlWc4qSwXKqZ4rUkhu1lBB0Jm2tZ9h5Kpz0h1rHqYI5kRr4XyM
       */
      publicKey: string;
      subscriptions: components["schemas"]["PushSubscription"][];
    };
    /** @description What a `PushSubscription` of a browser says. */
    CreatePushSubscription: {
      /**
       * @description Its URL.
       * @example https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk
       */
      endpoint: string;
      /**
       * @description Its public key.
       * @example BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4
       */
      p256dh: string;
      /**
       * @description Its secret.
       * @example BTBZMqHH6r4Tts7J_aSIgg
       */
      auth: string;
      /**
       * @description ISO 639-1.
       * @default en
       * @example de
       */
      language?: string;
    };
    /** @description How the test went. */
    PushTested: {
      /**
       * @description Null if it was taken.
       * @example The push service answered with status 503
       */
      error: string | null;
    };
    /** @description A message that the test side would have sent. */
    CapturedMessage: {
      /** Format: uuid */
      id: string;
      /**
       * @description The type of the channel.
       * @example email
       */
      channel: string;
      /** @description The same as HTML, of mails to contacts. Null for others. */
      html: string | null;
      /** Format: date-time */
      createdAt: string;
      /** @description Address of the recipient. */
      to: string;
      /** @description Empty for channels without subjects. */
      subject: string;
      /** @description The text that would have been sent. */
      body: string;
    };
    /** @description A message that is to be sent, without its text. */
    OutboxMessage: {
      /**
       * Format: uuid
       * @description For a message in a conversation: the id of that message.
       */
      id: string;
      /**
       * @description The type of the channel.
       * @example email
       */
      channel: string;
      /**
       * Format: uuid
       * @description The channel that sends it; null for the service's own mail, such as an invitation.
       */
      channelId: string | null;
      /**
       * Format: uuid
       * @description The conversation of the message. Null for the service's own mail.
       */
      conversationId: string | null;
      /** @description Address of the recipient; null once the message was sent. */
      to: string | null;
      /** @description Empty for channels without subjects; null once the message was sent. */
      subject: string | null;
      /** @description Why the last attempt failed. Null if none did, or after the message was sent. */
      lastError: string | null;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it was handed to the channel. Null if it was not sent.
       */
      sentAt: string | null;
      /** @description `queued`: waits for its first or next attempt. `dead`: all attempts failed, and there are no more until you retry it. */
      status: components["schemas"]["OutboxStatus"];
      /** @description How many attempts to send it there were. */
      attempts: number;
    };
    /** @description The first owner of a new organisation. */
    OrganisationOwner: {
      /**
       * Format: email
       * @example grace@example.com
       */
      email: string;
      /** @example Grace Hopper */
      name: string;
    };
    /** @description An organisation at the authentication provider. */
    Organisation: {
      /**
       * @description The organisation's id at the provider.
       * @example org_01H8
       */
      id: string;
      /** @example Example Ltd */
      name: string;
      owner: components["schemas"]["OrganisationOwner"];
    };
    /** @description What you send to `authProvider.receive`. */
    AuthProviderEvent: {
      /**
       * @description `organization.created` creates a tenant. Other types are ignored.
       * @example organization.created
       */
      type: string;
      /**
       * Format: date-time
       * @description When it happened at the provider.
       */
      timestamp: string;
      data: components["schemas"]["Organisation"];
    };
    /** @description The tenant was created, or existed already. */
    ProvisionedOrganisation: {
      /** @enum {boolean} */
      ok: true;
      /**
       * Format: uuid
       * @description The tenant's live side. Missing for types that are ignored.
       */
      tenantId?: string;
    };
    /** @description How much of each kind was erased. */
    ErasedCounts: {
      /** @description The contact and the contacts that were merged into it. */
      contacts: number;
      /** @description Emails and phone numbers. */
      contactPoints: number;
      /** @description Kept as anonymous statistics. Subject, summary, labels, metadata and your own id are removed. */
      conversations: number;
      /** @description Kept without their text. */
      messages: number;
      /** @description Files that were attached to the messages. */
      attachments: number;
      /** @description Deleted. */
      identityEvents: number;
      /** @description Identity checks: questions, counted answers, magic links and factors. */
      verifications: number;
      /** @description Deleted. */
      attentionItems: number;
      /** @description Comments that the person wrote with a rating. The score is kept. */
      csatComments: number;
      /** @description Kept without contact, title and fields. */
      cases: number;
      /** @description Kept as time spent, without contact and text. Their events are removed from the calendars. */
      bookings: number;
      /** @description Entries that were learned from the person's messages and never approved. */
      kbEntries: number;
      /** @description Approved entries that no longer name the person's messages as evidence. */
      kbEvidence: number;
      /** @description Policies that were learned from the person's messages and never approved. */
      policyEntries: number;
      /** @description Approved policies that no longer name the person's messages as evidence. */
      policyEvidence: number;
      /** @description Mails to the person, sent or waiting. */
      mails: number;
      /** @description Answers that were stored for retries. Repeating one of these requests is 409. */
      storedAnswers: number;
    };
    /** @description A signed proof of an erasure. `parley erasure verify` checks it. */
    ErasureCertificate: {
      /**
       * @description The version of the certificate's format.
       * @enum {integer}
       */
      version: 1;
      /** Format: uuid */
      erasureId: string;
      /** Format: uuid */
      tenantId: string;
      /** @description Every contact of the person. The survivor of the merges comes first. */
      contactIds: string[];
      /**
       * Format: date-time
       * @description When nothing of the person could be read any more.
       */
      completedAt: string;
      /** @description How much of each kind was erased. */
      erased: components["schemas"]["ErasedCounts"];
      /** @description The SHA-256 of the canonical JSON of the certificate without `digest` and `signature`, in hexadecimal. */
      digest: string;
      /**
       * @description An Ed25519 signature of the digest's 32 bytes, in base64, made with the tenant's key. The public key is
       *     `erasureKey` of `GET /api/tenant`.
       */
      signature: string;
    };
    /** @description A completed erasure with its certificate. */
    Erasure: {
      /** Format: uuid */
      id: string;
      /**
       * Format: uuid
       * @description The erased contact. If it had been merged, the contact that it was merged into.
       */
      contactId: string;
      /**
       * @description Always `completed`: the request answers when the erasure is done.
       * @enum {string}
       */
      status: "completed";
      /**
       * Format: date-time
       * @description When nothing of the person could be read any more.
       */
      completedAt: string;
      /** @description How much of each kind was erased. */
      erased: components["schemas"]["ErasedCounts"];
      /** @description A signed proof of the erasure. */
      certificate: components["schemas"]["ErasureCertificate"];
    };
    /** @description What came of an approved call. */
    PendingActionResult: {
      /** @description Null if the tool has done it. */
      code: components["schemas"]["PendingActionFailure"] | null;
      /** @description What happened, for people to read. Null if the tool has done it. */
      message: string | null;
      /** @description What the tool answered: any JSON. Null if it has not done it. */
      value: {
        [key: string]: unknown;
      } | null;
    };
    /** @description A call of a tool that a person has to approve. */
    PendingAction: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      /** Format: uuid */
      conversationId: string;
      /**
       * Format: uuid
       * @description The agent that asks.
       */
      agentId: string;
      /**
       * @description The tool that it wants to use.
       * @example refund_order
       */
      tool: string;
      /**
       * @description What the tool gets.
       * @example {
       *       "orderId": "#W1234567",
       *       "amount": 30
       *     }
       */
      arguments: {
        [key: string]: unknown;
      };
      /**
       * @description Why a person is asked: the policy, guardrail or circuit breaker. Decided anew when `argumentsHash` changes.
       * @example Refunds above 20: amount is greater than 20
       */
      guardrail: string;
      /** @description The policies behind `guardrail`, the deciding one first. Empty if a guardrail, a circuit breaker or a tool's answer is. */
      policyEntryIds: string[];
      /**
       * Format: uuid
       * @description The contact's message that the agent was answering. Null once the agent's activity is gone.
       */
      messageId: string | null;
      /** @description How well the contact's identity must be proven, also when it is carried out. Null: it need not be. */
      requiredAssuranceLevel: components["schemas"]["RequiredAssuranceLevel"] | null;
      status: components["schemas"]["PendingActionStatus"];
      /**
       * Format: date-time
       * @description Until then it can be approved.
       */
      expiresAt: string;
      /**
       * Format: uuid
       * @description The key or member that approved or rejected it. Null until then.
       */
      decidedBy: string | null;
      /**
       * Format: date-time
       * @description Null until then.
       */
      decidedAt: string | null;
      /** @description Why it was rejected. Null if not given. */
      reason: string | null;
      /** @description What came of it. Null until it was carried out. */
      result: components["schemas"]["PendingActionResult"] | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description Covers the tool and its version, the arguments, the contact, the conversation and the policies. Name it to approve. */
      argumentsHash: string;
    };
    /** @description An endpoint of yours that agents can use. */
    Tool: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      workspaceId: string;
      /**
       * @description Unique in the workspace. Agents and policies name the tool so.
       * @example refund_order
       */
      name: string;
      /**
       * @description JSON Schema of the arguments.
       * @example {
       *       "type": "object",
       *       "properties": {
       *         "orderId": {
       *           "type": "string",
       *           "pattern": "^#W\\d{7}$"
       *         },
       *         "amount": {
       *           "type": "integer",
       *           "exclusiveMinimum": 0
       *         },
       *         "customerId": {
       *           "type": "string",
       *           "x-bound": "contact.externalId"
       *         }
       *       },
       *       "required": [
       *         "orderId",
       *         "amount",
       *         "customerId"
       *       ],
       *       "additionalProperties": false
       *     }
       */
      parameters: {
        [key: string]: unknown;
      };
      /** @description Whether a call changes something. */
      effect: components["schemas"]["ToolEffect"];
      /**
       * @description What is called.
       * @example https://shop.example.com/tools/refund
       */
      url: string;
      /** @description What is asked whether a call was carried out, if its answer was lost. Null if nothing is. */
      statusUrl: string | null;
      /**
       * @description Paths of the values in an answer that the contact may read. The rest is for the model alone.
       * @example [
       *       "status"
       *     ]
       */
      publicFields: string[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description What the tool does, for the model. */
      description: string;
      /** @description Whether credentials are stored. They are never returned. */
      hasCredentials: boolean;
      /** @description Whether two calls with the same `Idempotency-Key` have one effect. */
      idempotent: boolean;
      /** @description How long a call may take: 1 to 30. */
      timeoutSeconds: number;
      /** @description How long people have to approve a call: 1 to 168. */
      expiresAfterHours: number;
    };
    /** @description What a tool asks for. */
    ToolCredentials: {
      /**
       * @description Sent as the `Authorization` header: 1 to 4,000 visible ASCII characters and spaces.
       * @example Bearer …
       */
      authorization: string;
    };
    /** @description What you send to `tools.create`. */
    CreateTool: {
      /**
       * @description Letters, digits, `_` and `-`, 1 to 64 characters, a letter first. Unique in the workspace, and none of Parley's own tools.
       * @example refund_order
       */
      name: string;
      /**
       * @description What the tool does, for the model, 1 to 1,000 characters.
       * @example Refunds an order of the customer
       */
      description: string;
      /**
       * @description JSON Schema of the arguments, of the type `object`, at most 16 KiB. A property with `x-bound` is filled in by the server and
       *     never shown to the model: `contact.id`, `contact.externalId`, `contact.email`, `contact.phone` or `conversation.id`. A
       *     `pattern` has no groups and at most one piece whose length varies, so that it is matched in one pass.
       * @example {
       *       "type": "object",
       *       "properties": {
       *         "orderId": {
       *           "type": "string",
       *           "pattern": "^#W\\d{7}$"
       *         },
       *         "amount": {
       *           "type": "integer",
       *           "exclusiveMinimum": 0
       *         },
       *         "customerId": {
       *           "type": "string",
       *           "x-bound": "contact.externalId"
       *         }
       *       },
       *       "required": [
       *         "orderId",
       *         "amount",
       *         "customerId"
       *       ],
       *       "additionalProperties": false
       *     }
       */
      parameters: {
        [key: string]: unknown;
      };
      /** @description `write` if a call changes something. */
      effect: components["schemas"]["ToolEffect"];
      /**
       * @description An https address on the public internet, at most 2,000 characters. It gets a POST with JSON.
       * @example https://shop.example.com/tools/refund
       */
      url: string;
      /**
       * @description What the tool asks for. They are never returned.
       * @default null
       */
      credentials?: components["schemas"]["ToolCredentials"] | null;
      /**
       * @description On the same host as `url`. It is asked whether a call was carried out, if its answer was lost.
       * @default null
       */
      statusUrl?: string | null;
      /**
       * @description Paths of the values in an answer that the contact may read. Lists are passed through.
       * @default []
       * @example [
       *       "status"
       *     ]
       */
      publicFields?: string[];
      /**
       * @description How long a call may take, in seconds: 1 to 30.
       * @default 10
       */
      timeoutSeconds?: number;
      /**
       * @description How long people have to approve a call: 1 to 168 hours.
       * @default 24
       */
      expiresAfterHours?: number;
      /**
       * @description True if two calls with the same `Idempotency-Key` have one effect.
       * @default false
       */
      idempotent?: boolean;
    };
    /** @description What you send to `tools.update`. */
    UpdateTool: {
      /**
       * @description JSON Schema of the arguments, as for a new tool.
       * @example {
       *       "type": "object",
       *       "properties": {
       *         "orderId": {
       *           "type": "string",
       *           "pattern": "^#W\\d{7}$"
       *         },
       *         "amount": {
       *           "type": "integer",
       *           "exclusiveMinimum": 0
       *         },
       *         "customerId": {
       *           "type": "string",
       *           "x-bound": "contact.externalId"
       *         }
       *       },
       *       "required": [
       *         "orderId",
       *         "amount",
       *         "customerId"
       *       ],
       *       "additionalProperties": false
       *     }
       */
      parameters?: {
        [key: string]: unknown;
      };
      /** @description `write` if a call changes something. */
      effect?: components["schemas"]["ToolEffect"];
      /** @description Null removes them. */
      credentials?: components["schemas"]["ToolCredentials"] | null;
      /** @description On the same host as `url`; null removes it. */
      statusUrl?: string | null;
      /**
       * @description Paths of the values in an answer that the contact may read.
       * @example [
       *       "status"
       *     ]
       */
      publicFields?: string[];
      /** @description How long a call may take, in seconds: 1 to 30. */
      timeoutSeconds?: number;
      /** @description How long people have to approve a call: 1 to 168 hours. */
      expiresAfterHours?: number;
      /** @description What the tool does, for the model, 1 to 1,000 characters. */
      description?: string;
      /** @description An https address. If its host changes, stored credentials are dropped. */
      url?: string;
      /** @description True if two calls with the same `Idempotency-Key` have one effect. */
      idempotent?: boolean;
    };
    /** @description What you send to `pendingActions.approve`. */
    ApprovePendingAction: {
      /**
       * @description The `argumentsHash` of the action that you have looked at. 409 if it has changed since.
       * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
       */
      argumentsHash: string;
    };
    /** @description What you send to `pendingActions.reject`. */
    RejectPendingAction: {
      /**
       * @description The reason, for your colleagues, 1 to 2,000 characters.
       * @example The order was delivered
       */
      reason?: string | null;
    };
    /** @description One page of a list. Each item is `OwnSession`. */
    OwnSessionPage: {
      data: components["schemas"]["OwnSession"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `SecurityEvent`. */
    SecurityEventPage: {
      data: components["schemas"]["SecurityEvent"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `AuditEntry`. */
    AuditEntryPage: {
      data: components["schemas"]["AuditEntry"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `Contact`. */
    ContactPage: {
      data: components["schemas"]["Contact"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `Account`. */
    AccountPage: {
      data: components["schemas"]["Account"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `Attachment`. */
    AttachmentPage: {
      data: components["schemas"]["Attachment"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `Conversation`. */
    ConversationPage: {
      data: components["schemas"]["Conversation"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `Message`. */
    MessagePage: {
      data: components["schemas"]["Message"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `Assignee`. */
    AssigneePage: {
      data: components["schemas"]["Assignee"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `Label`. */
    LabelPage: {
      data: components["schemas"]["Label"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `Viewer`. */
    ViewerPage: {
      data: components["schemas"]["Viewer"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `CannedReply`. */
    CannedReplyPage: {
      data: components["schemas"]["CannedReply"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `View`. */
    ViewPage: {
      data: components["schemas"]["View"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `FoundConversation`. */
    FoundConversationPage: {
      data: components["schemas"]["FoundConversation"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `AttentionItem`. */
    AttentionItemPage: {
      data: components["schemas"]["AttentionItem"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `KbEntry`. */
    KbEntryPage: {
      data: components["schemas"]["KbEntry"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `FoundKbEntry`. */
    FoundKbEntryPage: {
      data: components["schemas"]["FoundKbEntry"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `KbEntryVersion`. */
    KbEntryVersionPage: {
      data: components["schemas"]["KbEntryVersion"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `SimilarKbEntry`. */
    SimilarKbEntryPage: {
      data: components["schemas"]["SimilarKbEntry"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `PolicyEntry`. */
    PolicyEntryPage: {
      data: components["schemas"]["PolicyEntry"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `FoundPolicyEntry`. */
    FoundPolicyEntryPage: {
      data: components["schemas"]["FoundPolicyEntry"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `PolicyEntryVersion`. */
    PolicyEntryVersionPage: {
      data: components["schemas"]["PolicyEntryVersion"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `SimilarPolicyEntry`. */
    SimilarPolicyEntryPage: {
      data: components["schemas"]["SimilarPolicyEntry"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `InstructionVersion`. */
    InstructionVersionPage: {
      data: components["schemas"]["InstructionVersion"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `WebchatMessage`. */
    WebchatMessagePage: {
      data: components["schemas"]["WebchatMessage"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `Booking`. */
    BookingPage: {
      data: components["schemas"]["Booking"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `CsatRating`. */
    CsatRatingPage: {
      data: components["schemas"]["CsatRating"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `QualityScore`. */
    QualityScorePage: {
      data: components["schemas"]["QualityScore"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `ReportRow`. */
    ReportRowPage: {
      data: components["schemas"]["ReportRow"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `AgentRun`. */
    AgentRunPage: {
      data: components["schemas"]["AgentRun"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `Procedure`. */
    ProcedurePage: {
      data: components["schemas"]["Procedure"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `RehearsedConversation`. */
    RehearsedConversationPage: {
      data: components["schemas"]["RehearsedConversation"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `Case`. */
    CasePage: {
      data: components["schemas"]["Case"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `CaseEvent`. */
    CaseEventPage: {
      data: components["schemas"]["CaseEvent"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `WebhookDelivery`. */
    WebhookDeliveryPage: {
      data: components["schemas"]["WebhookDelivery"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `CapturedMessage`. */
    CapturedMessagePage: {
      data: components["schemas"]["CapturedMessage"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `OutboxMessage`. */
    OutboxMessagePage: {
      data: components["schemas"]["OutboxMessage"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `Tool`. */
    ToolPage: {
      data: components["schemas"]["Tool"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description One page of a list. Each item is `PendingAction`. */
    PendingActionPage: {
      data: components["schemas"]["PendingAction"][];
      /** @description Give it as `cursor` with the same filters to continue. Missing on the last page */
      nextCursor?: string;
    };
    /** @description A session, or the second factor that the sign-in still needs. */
    LoginResult: components["schemas"]["Session"] | components["schemas"]["SecondFactorNeeded"];
    /** @description The contact that remains; with `dryRun`, the preview. */
    MergeResult: components["schemas"]["Contact"] | components["schemas"]["MergePreview"];
    /**
     * @description What is done with each account.
     * @enum {string}
     */
    AccountChangeType: "set" | "delete";
    /**
     * @description The order of a list of accounts.
     * @enum {string}
     */
    AccountSort: "recent" | "name";
    /**
     * @description Where you are after you resolved a conversation.
     *
     *     - `next`: in the next conversation
     *     - `stay`: where you were
     *     - `list`: in the list
     * @enum {string}
     */
    AfterResolve: "next" | "stay" | "list";
    /**
     * @description What the assistant's language model wants to do.
     *
     *     - `answer`: answer the contact
     *     - `clarify`: ask the contact back
     *     - `call`: call a tool
     *     - `hand_off`: hand over to people
     *     - `resolve`: resolve the conversation
     * @enum {string}
     */
    AgentAction: "answer" | "clarify" | "call" | "hand_off" | "resolve";
    /**
     * @description What the assistant makes of what it found.
     *
     *     - `answer`: answer with an entry
     *     - `clarify`: ask which of two entries is meant
     *     - `hand_off`: hand over to people
     * @enum {string}
     */
    AgentDecision: "answer" | "clarify" | "hand_off";
    /**
     * @description Who defines an agent.
     *
     *     - `platform`: Parley; it is read-only
     *     - `custom`: you
     * @enum {string}
     */
    AgentKind: "platform" | "custom";
    /**
     * @description How a run of the assistant ended.
     *
     *     - `answered`: it answered
     *     - `clarified`: it asked back
     *     - `small_talk`: it greeted, said what it is, or said that the contact is welcome
     *     - `handed_off`: it handed over to people
     *     - `superseded`: the contact wrote again before it began
     *     - `discarded`: nothing was to be said any more
     *     - `failed`: something went wrong, and people took over
     * @enum {string}
     */
    AgentRunOutcome: "answered" | "clarified" | "small_talk" | "handed_off" | "superseded" | "discarded" | "failed";
    /**
     * @description Whether an agent answers.
     * @enum {string}
     */
    AgentStatus: "active" | "paused";
    /**
     * @description What a step of the assistant did.
     *
     *     - `retrieve`: it looked for entries
     *     - `model`: it asked a language model
     *     - `policy`: it evaluated policies
     *     - `tool`: it called a tool
     *     - `procedure`: it took a step of a procedure
     *     - `send`: it wrote to the contact
     * @enum {string}
     */
    AgentStepType: "retrieve" | "model" | "policy" | "tool" | "procedure" | "send";
    /**
     * @description What a run of the assistant waits for.
     *
     *     - `approval`: a person's decision about an action
     *     - `verification`: the contact's proof of who they are
     * @enum {string}
     */
    AgentWaitsFor: "approval" | "verification";
    /**
     * @description Whether an API key works.
     * @enum {string}
     */
    ApiKeyStatus: "active" | "expired" | "revoked";
    /**
     * @description What is wrong with a turn of a test.
     *
     *     - `outcome`: the assistant does something else
     *     - `entry`: it names other entries
     *     - `tool`: it does not call the tool
     *     - `words`: it does not say the words
     *     - `not_reached`: it has handed over before, or waits for something that the test does not have
     * @enum {string}
     */
    AssistantTestFault: "outcome" | "entry" | "tool" | "words" | "not_reached";
    /**
     * @description Why a run was begun.
     *
     *     - `asked`: somebody asked for it
     *     - `change`: an entry, the agent, the settings or a procedure were changed
     * @enum {string}
     */
    AssistantTestRunCause: "asked" | "change";
    /**
     * @description What a run plays.
     *
     *     - `tests`: tests
     *     - `rehearsal`: tests, and the conversations of the last 30 days
     * @enum {string}
     */
    AssistantTestRunKind: "tests" | "rehearsal";
    /**
     * @description How far a run is.
     *
     *     - `waiting`: it is played as soon as there is room
     *     - `playing`: it is being played
     *     - `done`: it was played
     *     - `failed`: it could not be played; `error` says why
     * @enum {string}
     */
    AssistantTestRunStatus: "waiting" | "playing" | "done" | "failed";
    /**
     * @description How well a contact's identity is proven.
     * @enum {string}
     */
    AssuranceLevel: "none" | "identified" | "high-assurance";
    /**
     * @description How urgent an attention item is.
     * @enum {string}
     */
    AttentionSeverity: "low" | "medium" | "high" | "urgent";
    /**
     * @description Whether someone is still needed.
     * @enum {string}
     */
    AttentionStatus: "open" | "resolved";
    /**
     * @description Why a person is needed.
     * @enum {string}
     */
    AttentionType:
      | "handoff_requested"
      | "approval_required"
      | "guardrail_block"
      | "identity_locked"
      | "verification_not_configured"
      | "low_confidence"
      | "csat_low"
      | "channel_error"
      | "circuit_breaker_tripped"
      | "kb_gap"
      | "assistant_test_failed";
    /**
     * @description Who made a change.
     * @enum {string}
     */
    AuditActorKind: "member" | "apiKey" | "system" | "visitor" | "provider";
    /**
     * @description What happened to a resource.
     * @enum {string}
     */
    AuditChange: "created" | "updated" | "deleted";
    /**
     * @description Who checked the sender of an email.
     * @enum {string}
     */
    AuthenticationChecker: "parley" | "receiving server";
    /**
     * @description Whether the sender of an email is proven.
     * @enum {string}
     */
    AuthenticationResult: "pass" | "fail" | "none";
    /**
     * @description Who wrote a message.
     * @enum {string}
     */
    AuthorType: "contact" | "assistant" | "member" | "api" | "system";
    /**
     * @description How a body is written.
     * @enum {string}
     */
    BodyFormat: "text" | "markdown";
    /**
     * @description A field of a booking.
     * @enum {string}
     */
    BookingField: "title" | "description" | "location" | "time" | "status";
    /**
     * @description The state of a booking.
     * @enum {string}
     */
    BookingStatus: "tentative" | "confirmed" | "cancelled" | "completed" | "no_show";
    /**
     * @description Whether a booking is in the connected calendar.
     *
     *     - `pending`: not yet written
     *     - `synced`: written
     *     - `detached`: no longer connected
     * @enum {string}
     */
    BookingSyncStatus: "pending" | "synced" | "detached";
    /**
     * @description Whether a bulk action is still at work.
     * @enum {string}
     */
    BulkActionStatus: "running" | "done";
    /**
     * @description What a bulk action does with each conversation.
     * @enum {string}
     */
    BulkChangeType: "resolve" | "reopen" | "wait" | "snooze" | "assign" | "unassign" | "read" | "unread" | "label";
    /**
     * @description Whether a calendar connection works.
     * @enum {string}
     */
    CalendarConnectionStatus: "connected" | "expired" | "error";
    /**
     * @description What was decided about a call of a tool.
     *
     *     - `allow`: it is made
     *     - `deny`: it is not made
     *     - `escalate`: a person takes over
     *     - `verify`: the contact has to prove who they are first
     *     - `require_approval`: a person has to approve it
     * @enum {string}
     */
    CallVerdict: "allow" | "deny" | "escalate" | "verify" | "require_approval";
    /**
     * @description Who calls.
     * @enum {string}
     */
    CallerKind: "apiKey" | "member";
    /**
     * @description What a canned reply can say about its conversation.
     * @enum {string}
     */
    CannedReplyVariable:
      | "contact.name"
      | "contact.firstName"
      | "member.name"
      | "member.firstName"
      | "conversation.id"
      | "conversation.subject"
      | "workspace.name"
      | "brand.name";
    /**
     * @description What happened to a case.
     * @enum {string}
     */
    CaseEventType:
      | "created"
      | "status"
      | "priority"
      | "assignee"
      | "title"
      | "fields"
      | "due"
      | "contact"
      | "conversation_linked"
      | "conversation_unlinked";
    /**
     * @description The type of a field.
     * @enum {string}
     */
    CaseFieldType: "text" | "number" | "boolean" | "date" | "select";
    /**
     * @description The state of a case.
     * @enum {string}
     */
    CaseStatus: "submitted" | "in_progress" | "waiting_on_customer" | "resolved";
    /**
     * @description Whether a channel works.
     * @enum {string}
     */
    ChannelStatus: "provisioning" | "active" | "error" | "disabled";
    /**
     * @description The medium of a channel.
     * @enum {string}
     */
    ChannelType: "webchat" | "email" | "sms" | "voice" | "contact_form" | "api";
    /**
     * @description What a circuit breaker does when it trips.
     * @enum {string}
     */
    CircuitBreakerAction: "pause_assistant" | "require_approval" | "notify";
    /**
     * @description Whether a circuit breaker is in effect.
     * @enum {string}
     */
    CircuitBreakerState: "tripped" | "resolved";
    /**
     * @description What is done with each contact.
     * @enum {string}
     */
    ContactChangeType: "label" | "link" | "unlink" | "block" | "unblock";
    /**
     * @description The order of a list of contacts.
     * @enum {string}
     */
    ContactSort: "recent" | "lastSeen" | "name";
    /**
     * @description The order of a list of conversations.
     *
     *     - `recent`: newest activity first
     *     - `waiting`: who has waited longest first
     * @enum {string}
     */
    ConversationSort: "recent" | "waiting";
    /**
     * @description The state of a conversation.
     *
     *     - `open`: waits for your side
     *     - `pending`: waits for the contact
     *     - `snoozed`: opens by itself at `snoozedUntil`
     *     - `resolved`: done; a message within 7 days opens it again
     * @enum {string}
     */
    ConversationStatus: "open" | "pending" | "snoozed" | "resolved";
    /**
     * @description What ratings are grouped by.
     * @enum {string}
     */
    CsatGrouping: "workspace" | "channel" | "member" | "agent" | "day" | "week" | "month";
    /**
     * @description The highest score of a survey.
     * @enum {integer}
     */
    CsatScale: 2 | 5 | 10;
    /**
     * @description What an API key is restricted to.
     * @enum {string}
     */
    DataScopeLevel: "organisation" | "brand" | "workspace";
    /**
     * @description How far a message got. It is never downgraded.
     *
     *     - `held`: does not leave yet, and can be cancelled
     *     - `queued`: waits to be sent
     *     - `sent`: has left
     *     - `delivered`: has arrived
     *     - `read`: was read
     *     - `failed`: could not be sent
     *     - `cancelled`: was cancelled before it left
     * @enum {string}
     */
    DeliveryStatus: "held" | "queued" | "sent" | "delivered" | "read" | "failed" | "cancelled";
    /**
     * @description How an electronic identity is matched with a contact.
     * @enum {string}
     */
    EidMatch: "none" | "name_and_birthdate" | "identifier";
    /**
     * @description How an electronic identity is asked for.
     *
     *     - `push`: the scheme asks the person on their phone
     *     - `link`: the person opens a link
     * @enum {string}
     */
    EidMode: "push" | "link";
    /**
     * @description The format of an import or export.
     * @enum {string}
     */
    EntryFormat: "csv" | "ndjson";
    /**
     * @description Where an entry comes from.
     * @enum {string}
     */
    EntrySource: "manual" | "learning" | "import" | "source";
    /**
     * @description Where an entry is in its review.
     *
     *     - `pending`: waits for a review
     *     - `approved`: in use
     *     - `rejected`: refused by a reviewer
     *     - `archived`: no longer in use
     * @enum {string}
     */
    EntryStatus: "pending" | "approved" | "rejected" | "archived";
    /**
     * @description A side of the tenant.
     *
     *     - `live`: real customers
     *     - `test`: for trying things out: nothing is delivered outside
     * @enum {string}
     */
    Environment: "live" | "test";
    /**
     * @description What an event of a stream carries besides ids and states.
     *
     *     - `resource`: what the event is about, as the API shows it now
     *     - `contact`: the contact of a conversation
     * @enum {string}
     */
    EventInclude: "resource" | "contact";
    /**
     * @description What a factor proves.
     *
     *     - `knowledge`: the contact knows something
     *     - `possession`: the contact has something
     *     - `inherence`: the contact is someone
     * @enum {string}
     */
    FactorCategory: "knowledge" | "possession" | "inherence";
    /**
     * @description A way to prove an identity.
     *
     *     - `kba_static`: the answer to a question about stored data
     *     - `kba_dynamic`: the answer to a question about recent data
     *     - `otp_email`: a code sent by email
     *     - `otp_sms`: a code sent by SMS
     *     - `magic_link`: a link that the contact opened
     *     - `ani_match`: the caller ID is the contact's number
     *     - `eid_verified`: an electronic identity
     * @enum {string}
     */
    FactorType: "kba_static" | "kba_dynamic" | "otp_email" | "otp_sms" | "magic_link" | "ani_match" | "eid_verified";
    /**
     * @description Whether a form asks for a field.
     * @enum {string}
     */
    FieldVisibility: "hidden" | "optional" | "required";
    /**
     * @description Where the answer to a forwarded message goes.
     *
     *     - `note`: beside the conversation, as an internal note
     *     - `conversation`: into the conversation, as an inbound message
     * @enum {string}
     */
    ForwardAnswers: "note" | "conversation";
    /**
     * @description What a guardrail does when it applies.
     * @enum {string}
     */
    GuardrailEffect: "deny" | "require_approval" | "escalate";
    /**
     * @description Why the assistant handed a conversation over to people.
     *
     *     - `nothing_found`: no approved entry answers
     *     - `unsure`: it was not sure enough of an entry
     *     - `unfounded`: what it wrote rests on no entry
     *     - `opposite`: the contact means something else than the closest entry
     *     - `not_helped`: the contact says that the answer did not help
     *     - `repeated`: the contact got this answer before and still asks
     *     - `wants_person`: the contact asks for a person
     *     - `angry`: the contact is angry
     *     - `complaint`: the contact complains, or asks about what has happened
     *     - `details`: the contact gave details that a person has to act on
     *     - `passed_on`: its rules, a procedure or the language model passed the conversation on
     *     - `used_up`: its tokens are used up
     *     - `failed`: something went wrong
     * @enum {string}
     */
    HandOverReason:
      | "nothing_found"
      | "unsure"
      | "unfounded"
      | "opposite"
      | "not_helped"
      | "repeated"
      | "wants_person"
      | "angry"
      | "complaint"
      | "details"
      | "passed_on"
      | "used_up"
      | "failed";
    /**
     * @description Who answers a conversation.
     * @enum {string}
     */
    HandlingMode: "assistant" | "human";
    /**
     * @description A step of a contact's verification.
     * @enum {string}
     */
    IdentityEventType:
      | "factor_added"
      | "factor_failed"
      | "kbv_question_asked"
      | "kbv_question_passed"
      | "kbv_question_failed"
      | "identity_locked_per_call"
      | "identity_locked_per_24h"
      | "ani_blocked"
      | "assurance_level_reached"
      | "verification_not_configured"
      | "verification_agent_context_used"
      | "eid_approval_requested"
      | "eid_link_issued"
      | "eid_approval_granted"
      | "eid_approval_denied"
      | "eid_approval_expired";
    /**
     * @description The answer to an invitation.
     * @enum {string}
     */
    InvitationAnswer: "accepted" | "declined" | "tentative";
    /**
     * @description What a calendar file in a mail asks.
     *
     *     - `request`: It invites, or says that the event has changed.
     *     - `cancel`: The event does not take place.
     *     - `reply`: A guest answers.
     *     - `publish`: It shows an event and asks nothing.
     * @enum {string}
     */
    InvitationMethod: "request" | "cancel" | "reply" | "publish";
    /**
     * @description A day of the week.
     * @enum {string}
     */
    InvitationWeekday: "MO" | "TU" | "WE" | "TH" | "FR" | "SA" | "SU";
    /**
     * @description The colour of a label. The dashboard shows a shade that can be read on light and on dark.
     * @enum {string}
     */
    LabelColour: "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple" | "pink";
    /**
     * @description What receivers find of one check of a mailbox's mails.
     *
     *     - `pass`: They accept mails of the channel.
     *     - `fail`: They do not, or what they ask for is missing.
     *     - `unknown`: It could not be found out.
     * @enum {string}
     */
    MailCheckResult: "pass" | "fail" | "unknown";
    /**
     * @description Lets a member sign in, or stops them.
     * @enum {string}
     */
    MemberActivation: "active" | "deactivated";
    /**
     * @description Whether a member can sign in.
     * @enum {string}
     */
    MemberStatus: "invited" | "active" | "deactivated";
    /**
     * @description Which way a message goes.
     *
     *     - `inbound`: from the contact
     *     - `outbound`: to the contact
     *     - `internal`: a note that the contact never sees
     * @enum {string}
     */
    MessageDirection: "inbound" | "outbound" | "internal";
    /**
     * @description Why there is no text of the language model.
     *
     *     - `no_model`: no language model is set up
     *     - `no_tokens`: the workspace's tokens for today are used up
     *     - `no_answer`: the model did not answer, or with something that cannot be used: try again
     *     - `same_language`: the message is in this language
     *     - `withheld`: the message asks for proof of identity, or answers: no model reads it
     *     - `too_long`: the message is longer than a model is given
     * @enum {string}
     */
    ModelSilence: "no_model" | "no_tokens" | "no_answer" | "same_language" | "withheld" | "too_long";
    /**
     * @description The state of a new booking.
     * @enum {string}
     */
    NewBookingStatus: "tentative" | "confirmed";
    /**
     * @description Whether a new entry is in use at once.
     *
     *     - `approved`: in use at once
     *     - `pending`: waits for a review
     * @enum {string}
     */
    NewEntryStatus: "approved" | "pending";
    /**
     * @description How far an outgoing message got.
     *
     *     - `queued`: is sent, or sent again, later
     *     - `sent`: sent
     *     - `dead`: no further attempt is made
     * @enum {string}
     */
    OutboxStatus: "queued" | "sent" | "dead";
    /**
     * @description A part of the overview of a conversation.
     * @enum {string}
     */
    OverviewPart:
      | "conversation"
      | "messages"
      | "identityEvents"
      | "assurance"
      | "viewers"
      | "draft"
      | "otherConversations"
      | "cases"
      | "contactCases"
      | "bookings";
    /**
     * @description Where a mail named a participant.
     * @enum {string}
     */
    ParticipantRole: "to" | "cc";
    /**
     * @description Why a pending action failed.
     *
     *     - `failed`: the tool refused it or has a fault
     *     - `unknown`: the answer was lost, so nobody knows whether it was done. It is not repeated
     *     - `denied`: it was not allowed any more when it was to be carried out
     *     - `changed`: the tool, the arguments, the contact or the policies changed after the approval
     * @enum {string}
     */
    PendingActionFailure: "failed" | "unknown" | "denied" | "changed";
    /**
     * @description How far a pending action is.
     *
     *     - `pending`: waits for a person
     *     - `approved`: is carried out now
     *     - `rejected`: a person decided against it
     *     - `expired`: nobody approved it in time
     *     - `executed`: the tool has done it
     *     - `failed`: it was not done, or nobody knows: `result` says which
     * @enum {string}
     */
    PendingActionStatus: "pending" | "approved" | "rejected" | "expired" | "executed" | "failed";
    /**
     * @description What the assistant does about a turn of a contact.
     *
     *     - `answered`: it answers
     *     - `clarified`: it asks back
     *     - `small_talk`: it greets, says what it is, or says that the contact is welcome
     *     - `handed_off`: it hands over to people
     *     - `asked_for_proof`: it has the contact prove who they are
     *     - `asked_for_approval`: it has people approve a call of a tool
     *     - `called_tool`: it calls a tool, and the test does not say what that answers
     *     - `discarded`: it says nothing
     * @enum {string}
     */
    PlayedOutcome:
      | "answered"
      | "clarified"
      | "small_talk"
      | "handed_off"
      | "asked_for_proof"
      | "asked_for_approval"
      | "called_tool"
      | "discarded";
    /**
     * @description What the policies decide.
     * @enum {string}
     */
    PolicyDecision: "allow" | "require_approval" | "escalate" | "deny";
    /**
     * @description What a policy does when it applies.
     * @enum {string}
     */
    PolicyEffect: "allow" | "deny" | "require_approval" | "escalate";
    /**
     * @description Whether a member is at their desk.
     * @enum {string}
     */
    Presence: "online" | "away" | "offline";
    /**
     * @description How urgent something is.
     * @enum {string}
     */
    Priority: "none" | "low" | "medium" | "high" | "urgent";
    /**
     * @description What happened at a step of a procedure.
     *
     *     - `asked`: the contact was asked
     *     - `filled`: they gave the value
     *     - `corrected`: they gave another value than before
     *     - `understood`: the language model read a value, and they were asked whether they mean it
     *     - `explained`: they were told what it is needed for
     *     - `digressed`: they asked something else, and an entry answered
     *     - `unclear`: they wrote what is no answer
     *     - `said`: they were told something
     *     - `checked`: they have proven who they are
     *     - `called`: the tool was called
     *     - `failed`: the tool was not used, or failed
     *     - `confirmed`: they said yes
     *     - `refused`: they said no
     *     - `branched`: it went on by what is known
     *     - `cancelled`: they wanted to stop
     *     - `handed_over`: people took over
     *     - `ended`: the procedure came to its end
     * @enum {string}
     */
    ProcedureDeed:
      | "asked"
      | "filled"
      | "corrected"
      | "understood"
      | "explained"
      | "digressed"
      | "unclear"
      | "said"
      | "checked"
      | "called"
      | "failed"
      | "confirmed"
      | "refused"
      | "branched"
      | "cancelled"
      | "handed_over"
      | "ended";
    /**
     * @description How the run of a procedure ended.
     *
     *     - `completed`: it came to its end
     *     - `cancelled`: the contact did not want it any more
     *     - `left`: the contact began another procedure
     *     - `handed_over`: people took over, or the conversation was resolved
     * @enum {string}
     */
    ProcedureEnding: "completed" | "cancelled" | "left" | "handed_over";
    /**
     * @description How two values are compared.
     *
     *     - `equals`: they are the same
     *     - `one_of`: the first is among the second
     *     - `greater`: the first number is greater
     *     - `less`: the first number is less
     *     - `exists`: there is a first value
     * @enum {string}
     */
    ProcedureOperator: "equals" | "one_of" | "greater" | "less" | "exists";
    /**
     * @description What the contact is asked for.
     *
     *     - `text`: words
     *     - `number`: a number
     *     - `email`: an email address
     *     - `date`: a day
     *     - `choice`: one of several, or some of them
     *     - `yes_no`: yes or no
     *     - `pattern`: signs such as #W0000000: 0 is a digit, A a letter, all else itself
     * @enum {string}
     */
    ProcedureSlotKind: "text" | "number" | "email" | "date" | "choice" | "yes_no" | "pattern";
    /**
     * @description Whether a procedure begins.
     *
     *     - `draft`: it is written still
     *     - `active`: it begins
     *     - `paused`: it does not begin; what has begun goes on
     * @enum {string}
     */
    ProcedureStatus: "draft" | "active" | "paused";
    /**
     * @description What a step of a procedure does.
     *
     *     - `ask`: it asks the contact for a value
     *     - `say`: it says a text, or an approved entry
     *     - `require_level`: it has the contact prove who they are
     *     - `call`: it calls a tool
     *     - `confirm`: it asks the contact to say yes
     *     - `branch`: it goes on by what is known
     *     - `hand_over`: it hands over to people
     *     - `end`: it ends the procedure
     * @enum {string}
     */
    ProcedureStepType: "ask" | "say" | "require_level" | "call" | "confirm" | "branch" | "hand_over" | "end";
    /**
     * @description How a link or code is sent.
     * @enum {string}
     */
    ProofChannel: "email" | "sms";
    /**
     * @description What a score or circuit breaker is about.
     * @enum {string}
     */
    QualityEntityType: "agent" | "kb_entry" | "channel" | "tool";
    /**
     * @description What is measured.
     * @enum {string}
     */
    QualityMetric: "answer" | "csat" | "delivery" | "handoff" | "tool";
    /**
     * @description How many days a score covers.
     * @enum {integer}
     */
    QualityWindow: 7 | 30 | 90;
    /**
     * @description What a mail repeats below its text.
     *
     *     - `none`: nothing
     *     - `last`: the contact's last message
     *     - `all`: the conversation so far, newest first
     * @enum {string}
     */
    Quote: "none" | "last" | "all";
    /**
     * @description How far a caller reaches.
     * @enum {string}
     */
    ReachLevel: "tenant" | "brand" | "workspaces";
    /**
     * @description How often an event recurs.
     * @enum {string}
     */
    RecurrenceFrequency: "daily" | "weekly" | "monthly" | "yearly";
    /**
     * @description What becomes of a conversation with a reply.
     *
     *     - `pending`: it waits for the contact
     *     - `snooze`: it is snoozed until `snoozeUntil`
     *     - `resolve`: it is resolved
     * @enum {string}
     */
    ReplyThen: "pending" | "snooze" | "resolve";
    /**
     * @description What a report is grouped by.
     * @enum {string}
     */
    ReportGrouping: "workspace" | "channel" | "member" | "label" | "brand" | "resolution" | "handledBy" | "reason";
    /**
     * @description Who handled a conversation, for reports.
     * @enum {string}
     */
    ReportHandler: "assistant" | "people";
    /**
     * @description How a period is divided.
     * @enum {string}
     */
    ReportInterval: "hour" | "day" | "week" | "month";
    /**
     * @description What a report counts.
     *
     *     - `volume`: conversations, when they began
     *     - `first-reply`: first replies, and how long contacts waited for them
     *     - `reply`: replies to contacts who waited, and how long they did
     *     - `resolution`: conversations that are resolved, and how long that took
     *     - `backlog`: conversations that were not resolved at the end of a time
     *     - `assistant`: resolved conversations in which an assistant answered, and the share without people
     *     - `automation`: conversations that the assistant was on for, and the share that it answered without people
     *     - `containment`: conversations that the assistant answered, and the share without a person within seven days
     *     - `hand-over`: hand-overs of the assistant to people
     *     - `csat`: answers to surveys, and the share of satisfied contacts
     *     - `busiest-hours`: conversations by the hour of the week in which they began
     * @enum {string}
     */
    ReportName:
      | "volume"
      | "first-reply"
      | "reply"
      | "resolution"
      | "backlog"
      | "assistant"
      | "automation"
      | "containment"
      | "hand-over"
      | "csat"
      | "busiest-hours";
    /**
     * @description How well a contact's identity must be proven.
     * @enum {string}
     */
    RequiredAssuranceLevel: "identified" | "high-assurance";
    /**
     * @description How a conversation ended.
     * @enum {string}
     */
    Resolution: "answered" | "escalated" | "abandoned" | "duplicate" | "spam";
    /**
     * @description A kind of resource in the change feed.
     * @enum {string}
     */
    ResourceType:
      | "conversation"
      | "message"
      | "attention_item"
      | "pending_action"
      | "identity_event"
      | "contact"
      | "account"
      | "case"
      | "kb_entry"
      | "policy_entry"
      | "source"
      | "procedure"
      | "agent"
      | "booking"
      | "rating"
      | "circuit_breaker"
      | "workspace"
      | "brand"
      | "channel"
      | "member"
      | "api_key";
    /**
     * @description How a text is rewritten.
     *
     *     - `shorter`: the same in fewer words
     *     - `friendlier`: the same in a warmer tone
     *     - `translation`: the same in `language`
     * @enum {string}
     */
    Rewriting: "shorter" | "friendlier" | "translation";
    /**
     * @description What a member may do.
     *
     *     - `owner`: everything
     *     - `admin`: everything, except what concerns owners
     *     - `agent`: reads and writes in their workspaces
     *     - `observer`: reads in their workspaces
     *     - `billing`: reads consumption totals and their own profile
     * @enum {string}
     */
    Role: "owner" | "admin" | "agent" | "observer" | "billing";
    /**
     * @description What an API key may do.
     *
     *     - `conversations:read`: read conversations, messages, attachments, attention items, assurance and consumption
     *     - `conversations:write`: start, answer and change conversations, upload attachments and verify contacts
     *     - `kb:read`: read the knowledge base and its widgets
     *     - `kb:write`: write and review knowledge base entries and change their widgets
     *     - `policy:read`: read and evaluate policies
     *     - `policy:write`: write and review policies
     *     - `contacts:read`: read contacts, contact forms and erasure requests
     *     - `contacts:write`: create, change, merge, delete and erase contacts, and change contact forms
     *     - `accounts:read`: read accounts and their contacts
     *     - `accounts:write`: create and change accounts
     *     - `agents:read`: read agents and their instructions
     *     - `agents:write`: create, change and instruct agents
     *     - `channels:read`: read channels
     *     - `channels:write`: change and test channels, and set their credentials
     *     - `calendar:read`: read calendars, bookings and free times
     *     - `calendar:write`: change calendar connections, and make and change bookings
     *     - `quality:read`: read reports, ratings, quality scores, circuit breakers and their settings
     *     - `quality:write`: change survey and breaker settings, and resolve circuit breakers
     *     - `workspaces:read`: read workspaces, brands and the channels of a workspace
     *     - `workspaces:write`: create, change and delete workspaces
     *     - `cases:read`: read cases, their events and their types
     * @enum {string}
     */
    Scope:
      | "conversations:read"
      | "conversations:write"
      | "kb:read"
      | "kb:write"
      | "policy:read"
      | "policy:write"
      | "contacts:read"
      | "contacts:write"
      | "accounts:read"
      | "accounts:write"
      | "agents:read"
      | "agents:write"
      | "channels:read"
      | "channels:write"
      | "calendar:read"
      | "calendar:write"
      | "quality:read"
      | "quality:write"
      | "workspaces:read"
      | "workspaces:write"
      | "cases:read";
    /**
     * @description A way to complete a sign-in.
     * @enum {string}
     */
    SecondFactorMethod: "totp" | "passkey" | "recovery_code";
    /**
     * @description A kind of second factor.
     * @enum {string}
     */
    SecondFactorType: "totp" | "passkey";
    /**
     * @description Who caused a security event.
     * @enum {string}
     */
    SecurityActorKind: "member" | "apiKey" | "system";
    /**
     * @description What happened to an account or a credential.
     * @enum {string}
     */
    SecurityEventType:
      | "signed_in"
      | "sign_in_failed"
      | "locked"
      | "many_failures"
      | "new_device"
      | "session_ended"
      | "refresh_token_reused"
      | "reauthenticated"
      | "invitation_accepted"
      | "email_proven"
      | "external_identity_bound"
      | "password_changed"
      | "password_reset_requested"
      | "password_reset"
      | "second_factor_added"
      | "second_factor_removed"
      | "recovery_codes_made"
      | "recovery_code_used"
      | "member_added"
      | "member_changed"
      | "member_removed"
      | "key_created"
      | "key_changed"
      | "key_revoked"
      | "data_exported"
      | "data_erased";
    /**
     * @description The key that sends a reply.
     *
     *     - `modEnter`: Enter with Ctrl or Cmd
     *     - `enter`: Enter alone
     * @enum {string}
     */
    SendKey: "modEnter" | "enter";
    /**
     * @description What proves that a message is from the contact.
     *
     *     - `none`: nothing: anybody could have written it, for example with a contact form
     *     - `channel`: a mail that its domain signed, a provider's signed request, or an API key
     *     - `signed`: your website signed who its visitor is
     * @enum {string}
     */
    SenderProof: "none" | "channel" | "signed";
    /**
     * @description How two entries are similar.
     *
     *     - `duplicate`: they say the same
     *     - `contradiction`: they contradict each other
     * @enum {string}
     */
    SimilarityKind: "duplicate" | "contradiction";
    /**
     * @description Where the words were found.
     * @enum {string}
     */
    SnippetField: "subject" | "contact" | "message";
    /**
     * @description The order of a list.
     *
     *     - `asc`: oldest first
     *     - `desc`: newest first
     * @enum {string}
     */
    SortOrder: "asc" | "desc";
    /**
     * @description Why a source was not read, or only in part.
     *
     *     - `unreachable`: nothing answers at the address, or it may not be called
     *     - `robots_forbid`: the site's robots.txt does not let Parley read the address
     *     - `robots_failed`: the site's robots.txt answered with the status in `errorValue`
     *     - `sitemap_empty`: the sitemap names no pages
     *     - `no_page`: no page could be read
     *     - `too_many_pages`: one reading reads only as many pages as `errorValue` says
     *     - `too_many_bytes`: one reading reads only as many megabytes as `errorValue` says
     *     - `too_many_addresses`: the site names more addresses than can be looked through
     *     - `too_slow`: the site took too long
     *     - `stopped_answering`: the site stopped answering
     *     - `too_much_text`: a source cannot hold all of the text
     *     - `file_gone`: the file is not kept any more
     *     - `file_too_slow`: the file takes too long to read
     *     - `file_too_large`: the file takes too much memory to read
     *     - `file_damaged`: the file is damaged, protected, or not what its name says
     *     - `file_empty`: the file has no text that answers a question
     *     - `help_centre_failed`: the help centre answered with the status in `errorValue`
     *     - `help_centre_not_json`: the address does not answer with articles in JSON
     *     - `help_centre_empty`: there are no articles with a title and a body
     *     - `failed`: Parley failed to read it
     * @enum {string}
     */
    SourceErrorCode:
      | "unreachable"
      | "robots_forbid"
      | "robots_failed"
      | "sitemap_empty"
      | "no_page"
      | "too_many_pages"
      | "too_many_bytes"
      | "too_many_addresses"
      | "too_slow"
      | "stopped_answering"
      | "too_much_text"
      | "file_gone"
      | "file_too_slow"
      | "file_too_large"
      | "file_damaged"
      | "file_empty"
      | "help_centre_failed"
      | "help_centre_not_json"
      | "help_centre_empty"
      | "failed";
    /**
     * @description What a source is.
     *
     *     - `website`: the pages below an address
     *     - `file`: a PDF, a Word document, a page, or a text in Markdown
     *     - `help_centre`: the articles of a help centre, from its API or as an export
     * @enum {string}
     */
    SourceKind: "website" | "file" | "help_centre";
    /**
     * @description How often a source is read again by itself.
     * @enum {string}
     */
    SourceSchedule: "never" | "daily" | "weekly";
    /**
     * @description How far the reading of a source is.
     *
     *     - `waiting`: is read as soon as there is room
     *     - `reading`: is being read
     *     - `ready`: was read
     *     - `failed`: could not be read; `error` says why
     * @enum {string}
     */
    SourceStatus: "waiting" | "reading" | "ready" | "failed";
    /**
     * @description What a person made of a suggestion.
     *
     *     - `used`: the reply has its answer as it stands
     *     - `edited`: the reply is based on it, in other words
     *     - `ignored`: it does not fit
     * @enum {string}
     */
    SuggestionOutcome: "used" | "edited" | "ignored";
    /**
     * @description Why an entry may not answer what was written.
     *
     *     - `opposite`: the contact may mean the opposite
     *     - `complaint`: the contact complains about it
     * @enum {string}
     */
    SuggestionWarning: "opposite" | "complaint";
    /**
     * @description How the dashboard looks.
     * @enum {string}
     */
    Theme: "system" | "light" | "dark";
    /**
     * @description Whether a tool changes something.
     * @enum {string}
     */
    ToolEffect: "read" | "write";
    /**
     * @description What happens to a sentence of a language model that rests on nothing it was given.
     *
     *     - `cut`: it is left out
     *     - `hand_off`: nothing is sent, and people take over
     * @enum {string}
     */
    UnsupportedSentences: "cut" | "hand_off";
    /**
     * @description Whether an answer or code was right.
     * @enum {string}
     */
    VerificationResult: "passed" | "failed";
    /**
     * @description Where the answers to questions come from.
     *
     *     - `contact_attributes`: the contact's attributes
     *     - `http`: a system of yours that Parley asks
     * @enum {string}
     */
    VerificationSourceType: "contact_attributes" | "http";
    /**
     * @description What a viewer does in a conversation.
     * @enum {string}
     */
    ViewerState: "viewing" | "typing";
    /**
     * @description What a member does in a conversation.
     * @enum {string}
     */
    ViewingState: "viewing" | "typing" | "left";
    /**
     * @description Which way a message goes.
     *
     *     - `inbound`: from the visitor
     *     - `outbound`: to the visitor
     * @enum {string}
     */
    WebchatMessageDirection: "inbound" | "outbound";
    /**
     * @description The corner of the page that shows the chat.
     * @enum {string}
     */
    WebchatPosition: "end" | "start";
    /**
     * @description How far a delivery got.
     *
     *     - `queued`: is sent, or sent again, later
     *     - `succeeded`: the endpoint accepted it
     *     - `failed`: no further attempt is made
     *     - `captured`: kept and not sent, on the test side
     * @enum {string}
     */
    WebhookDeliveryStatus: "queued" | "succeeded" | "failed" | "captured";
    /**
     * @description The event of a delivery; `webhook.test` is a test.
     * @enum {string}
     */
    WebhookDeliveryType:
      | "conversation.created"
      | "conversation.resolved"
      | "conversation.status_changed"
      | "message.received"
      | "message.sent"
      | "attention_item.created"
      | "pending_action.created"
      | "pending_action.status_changed"
      | "kb_entry.proposed"
      | "policy_entry.proposed"
      | "webhook.test";
    /**
     * @description Whether events are sent to an endpoint.
     * @enum {string}
     */
    WebhookEndpointStatus: "active" | "disabled";
    /**
     * @description An event that a webhook endpoint can ask for.
     * @enum {string}
     */
    WebhookEventType:
      | "conversation.created"
      | "conversation.resolved"
      | "conversation.status_changed"
      | "message.received"
      | "message.sent"
      | "attention_item.created"
      | "pending_action.created"
      | "pending_action.status_changed"
      | "kb_entry.proposed"
      | "policy_entry.proposed";
    /**
     * @description Whose words a language model answers in.
     *
     *     - `quotes`: sentences of entries and public fields of tools, letter for letter, and nothing else
     *     - `own`: its own, compared with the sources word by word: some false sentences pass
     * @enum {string}
     */
    Wording: "quotes" | "own";
    /**
     * @description The state of a workspace.
     *
     *     - `active`: in use
     *     - `inactive`: the assistant is off, and all else works
     *     - `archived`: readable; new conversations and replies are refused
     * @enum {string}
     */
    WorkspaceStatus: "active" | "inactive" | "archived";
    /** @description How you want the dashboard. As you send it: fields with a default may be left out. */
    PreferencesInput: {
      /**
       * @description Light or dark; `system` is what the browser says.
       * @default system
       */
      theme?: components["schemas"]["Theme"];
      /**
       * @description ISO 639-1; null is the browser's.
       * @default null
       * @example de
       */
      language?: string | null;
      /**
       * @description Whether single letters are shortcuts.
       * @default true
       */
      shortcuts?: boolean;
      /**
       * @description What you are told of while you do something else.
       * @default {
       *       "mine": true,
       *       "mentions": true,
       *       "urgent": true,
       *       "unassigned": false,
       *       "mailMentions": false
       *     }
       */
      notifications?: components["schemas"]["NotificationPreferencesInput"];
      /**
       * @description Whether notifications ring.
       * @default false
       */
      sound?: boolean;
      /**
       * @description When nothing rings or pops up, every day; null if never.
       * @default null
       */
      quietHours?: components["schemas"]["QuietHours"] | null;
      /**
       * @description The key that sends a reply: Enter with Ctrl or Cmd, or Enter alone.
       * @default modEnter
       */
      sendWith?: components["schemas"]["SendKey"];
      /**
       * @description For how long a mail or an SMS can be taken back: what the dashboard sends as `holdSeconds`.
       * @default 10
       */
      undoSeconds?: number;
      /**
       * @description What you see after you resolved a conversation: it, the next one of the list, or the list.
       * @default stay
       */
      afterResolve?: components["schemas"]["AfterResolve"];
    };
    /** @description What you are told of while you do something else. As you send it: fields with a default may be left out. */
    NotificationPreferencesInput: {
      /**
       * @description When a contact writes in a conversation that is assigned to you.
       * @default true
       */
      mine?: boolean;
      /**
       * @description When somebody names you in a note.
       * @default true
       */
      mentions?: boolean;
      /**
       * @description When something urgent happens in your workspaces.
       * @default true
       */
      urgent?: boolean;
      /**
       * @description When a contact writes in a conversation that nobody has.
       * @default false
       */
      unassigned?: boolean;
      /**
       * @description By mail, when you have not read for ten minutes that somebody named you in a note.
       * @default false
       */
      mailMentions?: boolean;
    };
    /** @description A rule of one agent that holds some of its actions back. As you send it: fields with a default may be left out. */
    GuardrailInput: {
      /**
       * @description 1 to 100 characters. Unique among the agent's guardrails.
       * @example Large refunds
       */
      name: string;
      /**
       * @description The agent's tools that the guardrail is about. An empty list means all of them.
       * @default []
       */
      tools?: string[];
      /** @description What happens when one of the tools is to be used and the conditions are met. */
      effect: components["schemas"]["GuardrailEffect"];
      /**
       * @description When the guardrail applies, written like the conditions of a policy. Null means always.
       * @default null
       * @example {
       *       "all": [
       *         {
       *           "field": "order.total",
       *           "op": "gt",
       *           "value": 100
       *         },
       *         {
       *           "not": {
       *             "field": "customer.tier",
       *             "op": "in",
       *             "value": [
       *               "gold"
       *             ]
       *           }
       *         }
       *       ]
       *     }
       */
      conditions?: {
        [key: string]: unknown;
      } | null;
      /**
       * @description How well the contact's identity must be proven. Null: the guardrail does not ask for it.
       * @default null
       */
      requiredAssuranceLevel?: components["schemas"]["RequiredAssuranceLevel"] | null;
    };
    /** @description How a search widget looks and what it finds. As you send it: fields with a default may be left out. */
    KbWidgetSettingsInput: {
      /**
       * @description The title, 1 to 120 characters. Null, the default: a short text in the language.
       * @default null
       * @example How can we help?
       */
      title?: string | null;
      /**
       * @description The colour of the button and lines, `#rrggbb`. It is darkened or lightened where text would be hard to read.
       * @default #1d4ed8
       * @example #0f766e
       */
      colour?: string;
      /**
       * @description ISO 639-1. Null, the default: the workspace's. The built-in texts exist in de, en, es, fr, it, nl and sv; other languages get English.
       * @default null
       * @example en
       */
      language?: string | null;
      /**
       * @description Placeholder of the search field or the message field, 1 to 120 characters. Null, the default: a short text in the language.
       * @default null
       * @example Where is my parcel?
       */
      placeholder?: string | null;
      /**
       * @description How many answers at most, 1 to 10.
       * @default 5
       */
      results?: number;
      /**
       * @description Minimum confidence that an entry answers the question, 0 to 1. Entries below it are not shown.
       * @default 0.1
       */
      minConfidence?: number;
    };
    /** @description How a contact form looks and what it asks. As you send it: fields with a default may be left out. */
    ContactFormSettingsInput: {
      /**
       * @description The title, 1 to 120 characters. Null, the default: a short text in the language.
       * @default null
       * @example How can we help?
       */
      title?: string | null;
      /**
       * @description The colour of the button and lines, `#rrggbb`. It is darkened or lightened where text would be hard to read.
       * @default #1d4ed8
       * @example #0f766e
       */
      colour?: string;
      /**
       * @description ISO 639-1. Null, the default: the workspace's. The built-in texts exist in de, en, es, fr, it, nl and sv; other languages get English.
       * @default null
       * @example en
       */
      language?: string | null;
      /**
       * @description Placeholder of the search field or the message field, 1 to 120 characters. Null, the default: a short text in the language.
       * @default null
       * @example Where is my parcel?
       */
      placeholder?: string | null;
      /**
       * @description Which fields the form asks for, besides the email address and the message.
       * @default {
       *       "name": "required",
       *       "phone": "hidden",
       *       "subject": "optional"
       *     }
       */
      fields?: components["schemas"]["FormFieldsInput"];
      /**
       * @description Shown after a message was sent, 1 to 500 characters. Null, the default: a short text in the language.
       * @default null
       * @example Thank you. We answer within a day.
       */
      thankYou?: string | null;
      /**
       * @description A text that the sender must agree to, 1 to 1,000 characters. Time and text are kept with the conversation, in `metadata.contactForm`. Null, the default: none.
       * @default null
       * @example You may keep my message to answer it.
       */
      consent?: string | null;
    };
    /** @description Which fields a contact form asks for. As you send it: fields with a default may be left out. */
    FormFieldsInput: {
      /**
       * @description Whether the form asks for a name.
       * @default required
       */
      name?: components["schemas"]["FieldVisibility"];
      /**
       * @description Whether the form asks for a phone number.
       * @default hidden
       */
      phone?: components["schemas"]["FieldVisibility"];
      /**
       * @description Whether the form asks for a subject.
       * @default optional
       */
      subject?: components["schemas"]["FieldVisibility"];
    };
    /** @description When a circuit breaker trips for one metric, and what it does then. As you send it: fields with a default may be left out. */
    BreakerSettingInput: {
      /**
       * @description `answer` watches KB entries; `csat` agents, KB entries and channels; `delivery` channels; `handoff` agents; `tool` look-up
       *     tools.
       */
      metric: components["schemas"]["QualityMetric"];
      /**
       * @description The highest share of bad outcomes that is accepted, 0.01 to 0.99.
       * @example 0.1
       */
      threshold: number;
      /**
       * @description Days that count, including today (UTC), 1 to 90.
       * @default 30
       */
      windowDays?: number;
      /**
       * @description The fewest outcomes that can trip it, 20 to 100,000.
       * @default 20
       */
      minimumSample?: number;
      /**
       * @description What happens besides raising an attention item. `pause_assistant`: the agent stops answering in the workspace.
       *     `require_approval`: each use of the agent's tools, or of the tool, needs a person's approval; a KB entry goes back to
       *     review. For entities to which an action does not apply, it is `notify`.
       * @default notify
       */
      action?: components["schemas"]["CircuitBreakerAction"];
      /**
       * @description Whether the metric is watched at all.
       * @default true
       */
      enabled?: boolean;
    };
    /** @description What a contact says before they get a reply, and what must follow. As you send it: fields with a default may be left out. */
    TestTurnInput: {
      /**
       * @description 1 to 2,000 characters.
       * @example Where is my parcel?
       */
      says: string;
      /**
       * @description What must follow.
       * @default {
       *       "outcome": null,
       *       "kbEntryIds": [],
       *       "tool": null,
       *       "contains": null
       *     }
       */
      expect?: components["schemas"]["ExpectedInput"];
    };
    /** @description What must follow from a turn. What is left out may be anything. As you send it: fields with a default may be left out. */
    ExpectedInput: {
      /**
       * @description What the assistant does. Null: anything.
       * @default null
       */
      outcome?: components["schemas"]["PlayedOutcome"] | null;
      /**
       * @description The entries that it answers with or asks back about, at most 3.
       * @default []
       */
      kbEntryIds?: string[];
      /**
       * @description A tool that it calls. Null: any, or none.
       * @default null
       * @example cancel_order
       */
      tool?: string | null;
      /**
       * @description Words of its reply, whatever the case: 1 to 200 characters. Null: any.
       * @default null
       * @example five days
       */
      contains?: string | null;
    };
    /** @description A field that cases of a type have. As you send it: fields with a default may be left out. */
    FieldDefinitionInput: {
      /**
       * @description The key of the value in a case's `fields`: a letter, then letters, digits and `_`, at most 50.
       * @example orderNumber
       */
      key: string;
      /**
       * @description 1 to 100 characters.
       * @example Order number
       */
      label: string;
      /** @description A `date` is a day, such as `2026-01-31`. A `select` is one of the `options`. */
      type: components["schemas"]["CaseFieldType"];
      /**
       * @description For a `select` only: 1 to 100 different texts of 1 to 100 characters.
       * @default []
       */
      options?: string[];
      /**
       * @description Whether a case must have a value for this field.
       * @default false
       */
      required?: boolean;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type Ok = components["schemas"]["Ok"];
export type Ready = components["schemas"]["Ready"];
export type Member = components["schemas"]["Member"];
export type Session = components["schemas"]["Session"];
export type PendingSecondFactor = components["schemas"]["PendingSecondFactor"];
export type SecondFactorNeeded = components["schemas"]["SecondFactorNeeded"];
export type Login = components["schemas"]["Login"];
export type CompleteSignIn = components["schemas"]["CompleteSignIn"];
export type Refresh = components["schemas"]["Refresh"];
export type Reauthenticate = components["schemas"]["Reauthenticate"];
export type MeReach = components["schemas"]["MeReach"];
export type Me = components["schemas"]["Me"];
export type SetPresence = components["schemas"]["SetPresence"];
export type ExternalSignIn = components["schemas"]["ExternalSignIn"];
export type OwnSession = components["schemas"]["OwnSession"];
export type SecondFactor = components["schemas"]["SecondFactor"];
export type SecondFactors = components["schemas"]["SecondFactors"];
export type AddSecondFactor = components["schemas"]["AddSecondFactor"];
export type NewTotp = components["schemas"]["NewTotp"];
export type NewSecondFactor = components["schemas"]["NewSecondFactor"];
export type RecoveryCodes = components["schemas"]["RecoveryCodes"];
export type ConfirmSecondFactor = components["schemas"]["ConfirmSecondFactor"];
export type RequestPasswordReset = components["schemas"]["RequestPasswordReset"];
export type SetPassword = components["schemas"]["SetPassword"];
export type ChangePassword = components["schemas"]["ChangePassword"];
export type ProveEmail = components["schemas"]["ProveEmail"];
export type CreateMember = components["schemas"]["CreateMember"];
export type UpdateMember = components["schemas"]["UpdateMember"];
export type DataScope = components["schemas"]["DataScope"];
export type ApiKey = components["schemas"]["ApiKey"];
export type CreateApiKey = components["schemas"]["CreateApiKey"];
export type NewApiKey = components["schemas"]["NewApiKey"];
export type UpdateApiKey = components["schemas"]["UpdateApiKey"];
export type RotateApiKey = components["schemas"]["RotateApiKey"];
export type SecurityActor = components["schemas"]["SecurityActor"];
export type SecurityEvent = components["schemas"]["SecurityEvent"];
export type NotificationPreferences = components["schemas"]["NotificationPreferences"];
export type QuietHours = components["schemas"]["QuietHours"];
export type Preferences = components["schemas"]["Preferences"];
export type AuditActor = components["schemas"]["AuditActor"];
export type AuditEntry = components["schemas"]["AuditEntry"];
export type Tenant = components["schemas"]["Tenant"];
export type UpdateTenant = components["schemas"]["UpdateTenant"];
export type WorkspaceSummary = components["schemas"]["WorkspaceSummary"];
export type Workspace = components["schemas"]["Workspace"];
export type ChannelSignIn = components["schemas"]["ChannelSignIn"];
export type DnsRecord = components["schemas"]["DnsRecord"];
export type MailCheck = components["schemas"]["MailCheck"];
export type MailDomain = components["schemas"]["MailDomain"];
export type ChannelTest = components["schemas"]["ChannelTest"];
export type ChannelProvisioning = components["schemas"]["ChannelProvisioning"];
export type Channel = components["schemas"]["Channel"];
export type CreateWorkspace = components["schemas"]["CreateWorkspace"];
export type UpdateWorkspace = components["schemas"]["UpdateWorkspace"];
export type Brand = components["schemas"]["Brand"];
export type CreateBrand = components["schemas"]["CreateBrand"];
export type UpdateBrand = components["schemas"]["UpdateBrand"];
export type SetLogo = components["schemas"]["SetLogo"];
export type ContactPoint = components["schemas"]["ContactPoint"];
export type Contact = components["schemas"]["Contact"];
export type CreateContact = components["schemas"]["CreateContact"];
export type ContactImportLine = components["schemas"]["ContactImportLine"];
export type ContactImportReport = components["schemas"]["ContactImportReport"];
export type UpdateContact = components["schemas"]["UpdateContact"];
export type LinkAccount = components["schemas"]["LinkAccount"];
export type Account = components["schemas"]["Account"];
export type CreateAccount = components["schemas"]["CreateAccount"];
export type ChangeAccounts = components["schemas"]["ChangeAccounts"];
export type AccountError = components["schemas"]["AccountError"];
export type AccountsChanged = components["schemas"]["AccountsChanged"];
export type UpdateAccount = components["schemas"]["UpdateAccount"];
export type ChangeContacts = components["schemas"]["ChangeContacts"];
export type ContactError = components["schemas"]["ContactError"];
export type ContactsChanged = components["schemas"]["ContactsChanged"];
export type MergePreview = components["schemas"]["MergePreview"];
export type MergeContacts = components["schemas"]["MergeContacts"];
export type Attachment = components["schemas"]["Attachment"];
export type AttachmentLink = components["schemas"]["AttachmentLink"];
export type Conversation = components["schemas"]["Conversation"];
export type MailHeader = components["schemas"]["MailHeader"];
export type SentMessage = components["schemas"]["SentMessage"];
export type StartConversation = components["schemas"]["StartConversation"];
export type ComposeConversation = components["schemas"]["ComposeConversation"];
export type UpdateConversation = components["schemas"]["UpdateConversation"];
export type MessageAuthentication = components["schemas"]["MessageAuthentication"];
export type MessageAuthor = components["schemas"]["MessageAuthor"];
export type Citation = components["schemas"]["Citation"];
export type Message = components["schemas"]["Message"];
export type SendReply = components["schemas"]["SendReply"];
export type ReplySent = components["schemas"]["ReplySent"];
export type AddNote = components["schemas"]["AddNote"];
export type ResolveConversation = components["schemas"]["ResolveConversation"];
export type SnoozeConversation = components["schemas"]["SnoozeConversation"];
export type TakeOverConversation = components["schemas"]["TakeOverConversation"];
export type AssignConversation = components["schemas"]["AssignConversation"];
export type ChangeLabels = components["schemas"]["ChangeLabels"];
export type Assignee = components["schemas"]["Assignee"];
export type BulkFilter = components["schemas"]["BulkFilter"];
export type BulkChange = components["schemas"]["BulkChange"];
export type CreateBulkAction = components["schemas"]["CreateBulkAction"];
export type BulkError = components["schemas"]["BulkError"];
export type BulkAction = components["schemas"]["BulkAction"];
export type ConversationCount = components["schemas"]["ConversationCount"];
export type ConversationCounts = components["schemas"]["ConversationCounts"];
export type Label = components["schemas"]["Label"];
export type CreateLabel = components["schemas"]["CreateLabel"];
export type UpdateLabel = components["schemas"]["UpdateLabel"];
export type CancelledReply = components["schemas"]["CancelledReply"];
export type Draft = components["schemas"]["Draft"];
export type SaveDraft = components["schemas"]["SaveDraft"];
export type SetViewing = components["schemas"]["SetViewing"];
export type Viewer = components["schemas"]["Viewer"];
export type CannedReply = components["schemas"]["CannedReply"];
export type CreateCannedReply = components["schemas"]["CreateCannedReply"];
export type UpdateCannedReply = components["schemas"]["UpdateCannedReply"];
export type RenderCannedReply = components["schemas"]["RenderCannedReply"];
export type RenderedCannedReply = components["schemas"]["RenderedCannedReply"];
export type ViewFilter = components["schemas"]["ViewFilter"];
export type View = components["schemas"]["View"];
export type CreateView = components["schemas"]["CreateView"];
export type UpdateView = components["schemas"]["UpdateView"];
export type Participant = components["schemas"]["Participant"];
export type AddParticipant = components["schemas"]["AddParticipant"];
export type ForwardMessage = components["schemas"]["ForwardMessage"];
export type SnippetPart = components["schemas"]["SnippetPart"];
export type Snippet = components["schemas"]["Snippet"];
export type FoundConversation = components["schemas"]["FoundConversation"];
export type SearchConversations = components["schemas"]["SearchConversations"];
export type AttentionItem = components["schemas"]["AttentionItem"];
export type IdentityEvent = components["schemas"]["IdentityEvent"];
export type IdentityEvents = components["schemas"]["IdentityEvents"];
export type IdentitySettings = components["schemas"]["IdentitySettings"];
export type PutIdentitySettings = components["schemas"]["PutIdentitySettings"];
export type RetentionSettings = components["schemas"]["RetentionSettings"];
export type PutRetentionSettings = components["schemas"]["PutRetentionSettings"];
export type VerificationQuestion = components["schemas"]["VerificationQuestion"];
export type VerificationSource = components["schemas"]["VerificationSource"];
export type VerificationSources = components["schemas"]["VerificationSources"];
export type SourceCredentials = components["schemas"]["SourceCredentials"];
export type PutVerificationQuestion = components["schemas"]["PutVerificationQuestion"];
export type PutVerificationSource = components["schemas"]["PutVerificationSource"];
export type PutVerificationSources = components["schemas"]["PutVerificationSources"];
export type EidBindingRule = components["schemas"]["EidBindingRule"];
export type EidScheme = components["schemas"]["EidScheme"];
export type EidSchemes = components["schemas"]["EidSchemes"];
export type PutEidBindingRule = components["schemas"]["PutEidBindingRule"];
export type PutEidScheme = components["schemas"]["PutEidScheme"];
export type PutEidSchemes = components["schemas"]["PutEidSchemes"];
export type AskQuestions = components["schemas"]["AskQuestions"];
export type AskedQuestion = components["schemas"]["AskedQuestion"];
export type AskedQuestions = components["schemas"]["AskedQuestions"];
export type SubmitAnswer = components["schemas"]["SubmitAnswer"];
export type AnswerResult = components["schemas"]["AnswerResult"];
export type RequireVerification = components["schemas"]["RequireVerification"];
export type PendingLink = components["schemas"]["PendingLink"];
export type VerifiedFactor = components["schemas"]["VerifiedFactor"];
export type VerificationLock = components["schemas"]["VerificationLock"];
export type VerificationLocks = components["schemas"]["VerificationLocks"];
export type EidApproval = components["schemas"]["EidApproval"];
export type EidState = components["schemas"]["EidState"];
export type Assurance = components["schemas"]["Assurance"];
export type SendMagicLink = components["schemas"]["SendMagicLink"];
export type MagicLinkSent = components["schemas"]["MagicLinkSent"];
export type SendCode = components["schemas"]["SendCode"];
export type CodeSent = components["schemas"]["CodeSent"];
export type VerifyCode = components["schemas"]["VerifyCode"];
export type CodeVerified = components["schemas"]["CodeVerified"];
export type RequestEid = components["schemas"]["RequestEid"];
export type EidRequested = components["schemas"]["EidRequested"];
export type ReadFrom = components["schemas"]["ReadFrom"];
export type EntryEvidence = components["schemas"]["EntryEvidence"];
export type EntryUsage = components["schemas"]["EntryUsage"];
export type KbEntry = components["schemas"]["KbEntry"];
export type FoundKbEntry = components["schemas"]["FoundKbEntry"];
export type ImportKbEntries = components["schemas"]["ImportKbEntries"];
export type ImportHint = components["schemas"]["ImportHint"];
export type ImportError = components["schemas"]["ImportError"];
export type KbImportReport = components["schemas"]["KbImportReport"];
export type ExportPart = components["schemas"]["ExportPart"];
export type CreateKbEntry = components["schemas"]["CreateKbEntry"];
export type LikelySameKbEntry = components["schemas"]["LikelySameKbEntry"];
export type KbEntryCreated = components["schemas"]["KbEntryCreated"];
export type KbEntryVersion = components["schemas"]["KbEntryVersion"];
export type SimilarKbEntry = components["schemas"]["SimilarKbEntry"];
export type UpdateKbEntry = components["schemas"]["UpdateKbEntry"];
export type ApproveEntry = components["schemas"]["ApproveEntry"];
export type RejectEntry = components["schemas"]["RejectEntry"];
export type Source = components["schemas"]["Source"];
export type CreateSource = components["schemas"]["CreateSource"];
export type UpdateSource = components["schemas"]["UpdateSource"];
export type PolicyEntry = components["schemas"]["PolicyEntry"];
export type FoundPolicyEntry = components["schemas"]["FoundPolicyEntry"];
export type EvaluatePolicy = components["schemas"]["EvaluatePolicy"];
export type ConsideredRule = components["schemas"]["ConsideredRule"];
export type PolicyEvaluation = components["schemas"]["PolicyEvaluation"];
export type ImportPolicyEntries = components["schemas"]["ImportPolicyEntries"];
export type PolicyImportHint = components["schemas"]["PolicyImportHint"];
export type PolicyImportReport = components["schemas"]["PolicyImportReport"];
export type CreatePolicyEntry = components["schemas"]["CreatePolicyEntry"];
export type LikelySamePolicyEntry = components["schemas"]["LikelySamePolicyEntry"];
export type PolicyEntryCreated = components["schemas"]["PolicyEntryCreated"];
export type PolicyEntryVersion = components["schemas"]["PolicyEntryVersion"];
export type SimilarPolicyEntry = components["schemas"]["SimilarPolicyEntry"];
export type UpdatePolicyEntry = components["schemas"]["UpdatePolicyEntry"];
export type Guardrail = components["schemas"]["Guardrail"];
export type Agent = components["schemas"]["Agent"];
export type InstructionVersion = components["schemas"]["InstructionVersion"];
export type CreateAgent = components["schemas"]["CreateAgent"];
export type UpdateAgent = components["schemas"]["UpdateAgent"];
export type SetInstructions = components["schemas"]["SetInstructions"];
export type CreateChannel = components["schemas"]["CreateChannel"];
export type UpdateChannel = components["schemas"]["UpdateChannel"];
export type SetChannelCredentials = components["schemas"]["SetChannelCredentials"];
export type ChannelTested = components["schemas"]["ChannelTested"];
export type Signature = components["schemas"]["Signature"];
export type SetSignature = components["schemas"]["SetSignature"];
export type QuotedMessage = components["schemas"]["QuotedMessage"];
export type MailFrame = components["schemas"]["MailFrame"];
export type ChannelSignInLink = components["schemas"]["ChannelSignInLink"];
export type MailHtml = components["schemas"]["MailHtml"];
export type OpenWebchatSession = components["schemas"]["OpenWebchatSession"];
export type WebchatSession = components["schemas"]["WebchatSession"];
export type SendWebchatMessage = components["schemas"]["SendWebchatMessage"];
export type WebchatAttachment = components["schemas"]["WebchatAttachment"];
export type WebchatMessage = components["schemas"]["WebchatMessage"];
export type SetWebchatTyping = components["schemas"]["SetWebchatTyping"];
export type KbWidgetSettings = components["schemas"]["KbWidgetSettings"];
export type KbWidget = components["schemas"]["KbWidget"];
export type CreateKbWidget = components["schemas"]["CreateKbWidget"];
export type UpdateKbWidget = components["schemas"]["UpdateKbWidget"];
export type FormFields = components["schemas"]["FormFields"];
export type ContactFormSettings = components["schemas"]["ContactFormSettings"];
export type ContactFormWidget = components["schemas"]["ContactFormWidget"];
export type CreateContactFormWidget = components["schemas"]["CreateContactFormWidget"];
export type UpdateContactFormWidget = components["schemas"]["UpdateContactFormWidget"];
export type PublicKbWidget = components["schemas"]["PublicKbWidget"];
export type PublicAnswer = components["schemas"]["PublicAnswer"];
export type PublicAnswers = components["schemas"]["PublicAnswers"];
export type PublicContactForm = components["schemas"]["PublicContactForm"];
export type SubmitContactForm = components["schemas"]["SubmitContactForm"];
export type CalendarConnection = components["schemas"]["CalendarConnection"];
export type CreateCalendarConnection = components["schemas"]["CreateCalendarConnection"];
export type UpdateCalendarConnection = components["schemas"]["UpdateCalendarConnection"];
export type Calendar = components["schemas"]["Calendar"];
export type BookingConflict = components["schemas"]["BookingConflict"];
export type Booking = components["schemas"]["Booking"];
export type CreateBooking = components["schemas"]["CreateBooking"];
export type UpdateBooking = components["schemas"]["UpdateBooking"];
export type BusyTime = components["schemas"]["BusyTime"];
export type CalendarBusy = components["schemas"]["CalendarBusy"];
export type FreeBusy = components["schemas"]["FreeBusy"];
export type InvitationPerson = components["schemas"]["InvitationPerson"];
export type InvitationRecurrence = components["schemas"]["InvitationRecurrence"];
export type InvitationGuest = components["schemas"]["InvitationGuest"];
export type Invitation = components["schemas"]["Invitation"];
export type AnswerInvitation = components["schemas"]["AnswerInvitation"];
export type CsatConfig = components["schemas"]["CsatConfig"];
export type PutCsatConfig = components["schemas"]["PutCsatConfig"];
export type CsatShare = components["schemas"]["CsatShare"];
export type CsatCount = components["schemas"]["CsatCount"];
export type CsatFigures = components["schemas"]["CsatFigures"];
export type CsatGroup = components["schemas"]["CsatGroup"];
export type CsatStatistics = components["schemas"]["CsatStatistics"];
export type CsatRating = components["schemas"]["CsatRating"];
export type QualityScore = components["schemas"]["QualityScore"];
export type CircuitBreaker = components["schemas"]["CircuitBreaker"];
export type ResolveCircuitBreaker = components["schemas"]["ResolveCircuitBreaker"];
export type BreakerSetting = components["schemas"]["BreakerSetting"];
export type BreakerSettings = components["schemas"]["BreakerSettings"];
export type PutBreakerSettings = components["schemas"]["PutBreakerSettings"];
export type ReportRow = components["schemas"]["ReportRow"];
export type ReportFigures = components["schemas"]["ReportFigures"];
export type ReportTime = components["schemas"]["ReportTime"];
export type ReportGroup = components["schemas"]["ReportGroup"];
export type Report = components["schemas"]["Report"];
export type FoundEntry = components["schemas"]["FoundEntry"];
export type AgentStep = components["schemas"]["AgentStep"];
export type AgentRun = components["schemas"]["AgentRun"];
export type AssistantSettings = components["schemas"]["AssistantSettings"];
export type PutAssistantSettings = components["schemas"]["PutAssistantSettings"];
export type ChangedDecision = components["schemas"]["ChangedDecision"];
export type DecisionCounts = components["schemas"]["DecisionCounts"];
export type AssistantPreview = components["schemas"]["AssistantPreview"];
export type ProcedureOption = components["schemas"]["ProcedureOption"];
export type ProcedureCondition = components["schemas"]["ProcedureCondition"];
export type ProcedureSlot = components["schemas"]["ProcedureSlot"];
export type ProcedureCase = components["schemas"]["ProcedureCase"];
export type ProcedureStep = components["schemas"]["ProcedureStep"];
export type ProcedureStart = components["schemas"]["ProcedureStart"];
export type Procedure = components["schemas"]["Procedure"];
export type CreateProcedure = components["schemas"]["CreateProcedure"];
export type UpdateProcedure = components["schemas"]["UpdateProcedure"];
export type TryProcedure = components["schemas"]["TryProcedure"];
export type ProcedureStepDid = components["schemas"]["ProcedureStepDid"];
export type ProcedureCall = components["schemas"]["ProcedureCall"];
export type ProcedureTurn = components["schemas"]["ProcedureTurn"];
export type TriedProcedure = components["schemas"]["TriedProcedure"];
export type Suggestion = components["schemas"]["Suggestion"];
export type DraftSentence = components["schemas"]["DraftSentence"];
export type Suggestions = components["schemas"]["Suggestions"];
export type RecordSuggestionOutcome = components["schemas"]["RecordSuggestionOutcome"];
export type RewriteText = components["schemas"]["RewriteText"];
export type RewrittenText = components["schemas"]["RewrittenText"];
export type SummariseMessages = components["schemas"]["SummariseMessages"];
export type SummarySentence = components["schemas"]["SummarySentence"];
export type MessagesSummary = components["schemas"]["MessagesSummary"];
export type TranslateMessage = components["schemas"]["TranslateMessage"];
export type ImpactEntry = components["schemas"]["ImpactEntry"];
export type ImpactDecision = components["schemas"]["ImpactDecision"];
export type ImpactExample = components["schemas"]["ImpactExample"];
export type ImpactChange = components["schemas"]["ImpactChange"];
export type KbEntryImpact = components["schemas"]["KbEntryImpact"];
export type GapExample = components["schemas"]["GapExample"];
export type KbGap = components["schemas"]["KbGap"];
export type KbGaps = components["schemas"]["KbGaps"];
export type Expected = components["schemas"]["Expected"];
export type TestTurn = components["schemas"]["TestTurn"];
export type ToolAnswer = components["schemas"]["ToolAnswer"];
export type PlayedEntry = components["schemas"]["PlayedEntry"];
export type PlayedTurn = components["schemas"]["PlayedTurn"];
export type TestResult = components["schemas"]["TestResult"];
export type AssistantTest = components["schemas"]["AssistantTest"];
export type CreateAssistantTest = components["schemas"]["CreateAssistantTest"];
export type DraftEntry = components["schemas"]["DraftEntry"];
export type DraftSettings = components["schemas"]["DraftSettings"];
export type DraftAgent = components["schemas"]["DraftAgent"];
export type DraftProcedure = components["schemas"]["DraftProcedure"];
export type AssistantDraft = components["schemas"]["AssistantDraft"];
export type RunAssistantTests = components["schemas"]["RunAssistantTests"];
export type RehearsedChange = components["schemas"]["RehearsedChange"];
export type Rehearsed = components["schemas"]["Rehearsed"];
export type AssistantTestRun = components["schemas"]["AssistantTestRun"];
export type RehearsedConversation = components["schemas"]["RehearsedConversation"];
export type UpdateAssistantTest = components["schemas"]["UpdateAssistantTest"];
export type Rehearse = components["schemas"]["Rehearse"];
export type Case = components["schemas"]["Case"];
export type CreateCase = components["schemas"]["CreateCase"];
export type UpdateCase = components["schemas"]["UpdateCase"];
export type CaseEvent = components["schemas"]["CaseEvent"];
export type FieldDefinition = components["schemas"]["FieldDefinition"];
export type CaseType = components["schemas"]["CaseType"];
export type CreateCaseType = components["schemas"]["CreateCaseType"];
export type UpdateCaseType = components["schemas"]["UpdateCaseType"];
export type MessageCount = components["schemas"]["MessageCount"];
export type TokenCount = components["schemas"]["TokenCount"];
export type DayConsumption = components["schemas"]["DayConsumption"];
export type WorkspaceConsumption = components["schemas"]["WorkspaceConsumption"];
export type Consumption = components["schemas"]["Consumption"];
export type ConversationConsumption = components["schemas"]["ConversationConsumption"];
export type Change = components["schemas"]["Change"];
export type Changes = components["schemas"]["Changes"];
export type Overview = components["schemas"]["Overview"];
export type WebhookEndpoint = components["schemas"]["WebhookEndpoint"];
export type CreateWebhookEndpoint = components["schemas"]["CreateWebhookEndpoint"];
export type NewWebhookEndpoint = components["schemas"]["NewWebhookEndpoint"];
export type UpdateWebhookEndpoint = components["schemas"]["UpdateWebhookEndpoint"];
export type WebhookAttempt = components["schemas"]["WebhookAttempt"];
export type WebhookDelivery = components["schemas"]["WebhookDelivery"];
export type RedeliverSince = components["schemas"]["RedeliverSince"];
export type Redelivered = components["schemas"]["Redelivered"];
export type PushSubscription = components["schemas"]["PushSubscription"];
export type Push = components["schemas"]["Push"];
export type CreatePushSubscription = components["schemas"]["CreatePushSubscription"];
export type PushTested = components["schemas"]["PushTested"];
export type CapturedMessage = components["schemas"]["CapturedMessage"];
export type OutboxMessage = components["schemas"]["OutboxMessage"];
export type OrganisationOwner = components["schemas"]["OrganisationOwner"];
export type Organisation = components["schemas"]["Organisation"];
export type AuthProviderEvent = components["schemas"]["AuthProviderEvent"];
export type ProvisionedOrganisation = components["schemas"]["ProvisionedOrganisation"];
export type ErasedCounts = components["schemas"]["ErasedCounts"];
export type ErasureCertificate = components["schemas"]["ErasureCertificate"];
export type Erasure = components["schemas"]["Erasure"];
export type PendingActionResult = components["schemas"]["PendingActionResult"];
export type PendingAction = components["schemas"]["PendingAction"];
export type Tool = components["schemas"]["Tool"];
export type ToolCredentials = components["schemas"]["ToolCredentials"];
export type CreateTool = components["schemas"]["CreateTool"];
export type UpdateTool = components["schemas"]["UpdateTool"];
export type ApprovePendingAction = components["schemas"]["ApprovePendingAction"];
export type RejectPendingAction = components["schemas"]["RejectPendingAction"];
export type OwnSessionPage = components["schemas"]["OwnSessionPage"];
export type SecurityEventPage = components["schemas"]["SecurityEventPage"];
export type AuditEntryPage = components["schemas"]["AuditEntryPage"];
export type ContactPage = components["schemas"]["ContactPage"];
export type AccountPage = components["schemas"]["AccountPage"];
export type AttachmentPage = components["schemas"]["AttachmentPage"];
export type ConversationPage = components["schemas"]["ConversationPage"];
export type MessagePage = components["schemas"]["MessagePage"];
export type AssigneePage = components["schemas"]["AssigneePage"];
export type LabelPage = components["schemas"]["LabelPage"];
export type ViewerPage = components["schemas"]["ViewerPage"];
export type CannedReplyPage = components["schemas"]["CannedReplyPage"];
export type ViewPage = components["schemas"]["ViewPage"];
export type FoundConversationPage = components["schemas"]["FoundConversationPage"];
export type AttentionItemPage = components["schemas"]["AttentionItemPage"];
export type KbEntryPage = components["schemas"]["KbEntryPage"];
export type FoundKbEntryPage = components["schemas"]["FoundKbEntryPage"];
export type KbEntryVersionPage = components["schemas"]["KbEntryVersionPage"];
export type SimilarKbEntryPage = components["schemas"]["SimilarKbEntryPage"];
export type PolicyEntryPage = components["schemas"]["PolicyEntryPage"];
export type FoundPolicyEntryPage = components["schemas"]["FoundPolicyEntryPage"];
export type PolicyEntryVersionPage = components["schemas"]["PolicyEntryVersionPage"];
export type SimilarPolicyEntryPage = components["schemas"]["SimilarPolicyEntryPage"];
export type InstructionVersionPage = components["schemas"]["InstructionVersionPage"];
export type WebchatMessagePage = components["schemas"]["WebchatMessagePage"];
export type BookingPage = components["schemas"]["BookingPage"];
export type CsatRatingPage = components["schemas"]["CsatRatingPage"];
export type QualityScorePage = components["schemas"]["QualityScorePage"];
export type ReportRowPage = components["schemas"]["ReportRowPage"];
export type AgentRunPage = components["schemas"]["AgentRunPage"];
export type ProcedurePage = components["schemas"]["ProcedurePage"];
export type RehearsedConversationPage = components["schemas"]["RehearsedConversationPage"];
export type CasePage = components["schemas"]["CasePage"];
export type CaseEventPage = components["schemas"]["CaseEventPage"];
export type WebhookDeliveryPage = components["schemas"]["WebhookDeliveryPage"];
export type CapturedMessagePage = components["schemas"]["CapturedMessagePage"];
export type OutboxMessagePage = components["schemas"]["OutboxMessagePage"];
export type ToolPage = components["schemas"]["ToolPage"];
export type PendingActionPage = components["schemas"]["PendingActionPage"];
export type LoginResult = components["schemas"]["LoginResult"];
export type MergeResult = components["schemas"]["MergeResult"];
export type PreferencesInput = components["schemas"]["PreferencesInput"];
export type NotificationPreferencesInput = components["schemas"]["NotificationPreferencesInput"];
export type GuardrailInput = components["schemas"]["GuardrailInput"];
export type KbWidgetSettingsInput = components["schemas"]["KbWidgetSettingsInput"];
export type ContactFormSettingsInput = components["schemas"]["ContactFormSettingsInput"];
export type FormFieldsInput = components["schemas"]["FormFieldsInput"];
export type BreakerSettingInput = components["schemas"]["BreakerSettingInput"];
export type TestTurnInput = components["schemas"]["TestTurnInput"];
export type ExpectedInput = components["schemas"]["ExpectedInput"];
export type FieldDefinitionInput = components["schemas"]["FieldDefinitionInput"];
export interface operations {
  "health.checkLiveness": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Alive */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "health.checkReadiness": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Ready */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ready"];
        };
      };
    };
  };
  "auth.login": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Login"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LoginResult"];
        };
      };
    };
  };
  "auth.completeSecondFactor": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CompleteSignIn"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Session"];
        };
      };
    };
  };
  "auth.refresh": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Refresh"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Session"];
        };
      };
    };
  };
  "auth.reauthenticate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reauthenticate"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "auth.logout": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "me.get": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Me"];
        };
      };
    };
  };
  "me.setPresence": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetPresence"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Member"];
        };
      };
    };
  };
  "auth.getExternalProvider": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExternalSignIn"];
        };
      };
    };
  };
  "me.listSessions": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OwnSessionPage"];
        };
      };
    };
  };
  "me.endOtherSessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "me.endSession": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "me.listSecondFactors": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SecondFactors"];
        };
      };
    };
  };
  "me.addSecondFactor": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddSecondFactor"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["NewSecondFactor"];
        };
      };
    };
  };
  "me.createRecoveryCodes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RecoveryCodes"];
        };
      };
    };
  };
  "me.confirmSecondFactor": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ConfirmSecondFactor"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SecondFactor"];
        };
      };
    };
  };
  "me.removeSecondFactor": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "auth.requestPasswordReset": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RequestPasswordReset"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "auth.setPassword": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetPassword"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "me.changePassword": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangePassword"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "me.sendEmailProof": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "auth.proveEmail": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ProveEmail"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "members.list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Member"][];
        };
      };
    };
  };
  "members.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateMember"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Member"];
        };
      };
    };
  };
  "members.invite": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "members.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "members.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateMember"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Member"];
        };
      };
    };
  };
  "members.endSessions": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "members.removeSecondFactors": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "apiKeys.list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiKey"][];
        };
      };
    };
  };
  "apiKeys.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateApiKey"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["NewApiKey"];
        };
      };
    };
  };
  "apiKeys.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateApiKey"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiKey"];
        };
      };
    };
  };
  "apiKeys.rotate": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RotateApiKey"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["NewApiKey"];
        };
      };
    };
  };
  "apiKeys.revoke": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "securityLog.list": {
    parameters: {
      query?: {
        /** @description Only events of this type. */
        type?: components["schemas"]["SecurityEventType"];
        /** @description The id of the member or API key that acted. */
        actorId?: string;
        /** @description The id of the member whom the event is about. */
        memberId?: string;
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SecurityEventPage"];
        };
      };
    };
  };
  "me.getPreferences": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Preferences"];
        };
      };
    };
  };
  "me.setPreferences": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PreferencesInput"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Preferences"];
        };
      };
    };
  };
  "auditLog.list": {
    parameters: {
      query?: {
        /** @description The id of the member or API key that made the change. */
        actorId?: string;
        /** @description For example `conversation`, `message` or `apiKey`. */
        resourceType?: string;
        /** @description Only changes of this resource. */
        resourceId?: string;
        /** @description Entries from this time on. */
        from?: string;
        /** @description Entries before this time. */
        to?: string;
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuditEntryPage"];
        };
      };
    };
  };
  "tenant.get": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tenant"];
        };
      };
    };
  };
  "tenant.update": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateTenant"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tenant"];
        };
      };
    };
  };
  "workspaces.list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WorkspaceSummary"][];
        };
      };
    };
  };
  "workspaces.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateWorkspace"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Workspace"];
        };
      };
    };
  };
  "workspaces.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Workspace"];
        };
      };
    };
  };
  "workspaces.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "workspaces.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateWorkspace"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Workspace"];
        };
      };
    };
  };
  "channels.list": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Channel"][];
        };
      };
    };
  };
  "channels.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateChannel"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Channel"];
        };
      };
    };
  };
  "brands.list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Brand"][];
        };
      };
    };
  };
  "brands.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateBrand"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Brand"];
        };
      };
    };
  };
  "brands.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateBrand"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Brand"];
        };
      };
    };
  };
  "logos.set": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetLogo"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Workspace"];
        };
      };
    };
  };
  "logos.remove": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "logos.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the tenant. */
        tenantId: string;
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The picture */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "image/*": string;
        };
      };
    };
  };
  "contacts.list": {
    parameters: {
      query?: {
        /** @description Only contacts that appear in this workspace. */
        workspaceId?: string;
        /** @description `lastSeen`: who wrote last, first. `name`: A to Z, then those without. */
        sort?: components["schemas"]["ContactSort"];
        /** @description Only contacts of this account. */
        accountId?: string;
        /** @description `true`: only blocked contacts. `false`: only others. */
        blocked?: boolean;
        /**
         * @description Only these contacts, 1 to 100. Repeat the parameter, or separate the ids with commas. They are all on one page, whatever
         *     `limit` is. Those that do not exist or that you have no access to are left out. As in `GET /api/contacts/{id}`, a merged contact
         *     names the survivor in `mergedIntoId`.
         */
        ids?: string[];
        /** @description Only contacts with exactly this label. */
        label?: string;
        /** @description Only the contact with this `externalId`. */
        externalId?: string;
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ContactPage"];
        };
      };
    };
  };
  "contacts.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CreateContact"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Contact"];
        };
      };
    };
  };
  "contacts.search": {
    parameters: {
      query: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
        /**
         * @description Words of a name, or parts of an email, phone number or your own id, in any order, 1 to 200 characters. Each word
         *     may have one typo.
         */
        q: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ContactPage"];
        };
      };
    };
  };
  "contacts.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Contact"];
        };
      };
    };
  };
  "contacts.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "contacts.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateContact"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Contact"];
        };
      };
    };
  };
  "contacts.import": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "text/csv": string;
        "application/x-ndjson": string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ContactImportReport"];
        };
      };
    };
  };
  "contacts.linkAccount": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["LinkAccount"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Contact"];
        };
      };
    };
  };
  "contacts.unlinkAccount": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Contact"];
        };
      };
    };
  };
  "accounts.list": {
    parameters: {
      query?: {
        /** @description `name`: A to Z. */
        sort?: components["schemas"]["AccountSort"];
        /** @description Only the account with this `externalId`. */
        externalId?: string;
        /** @description Only accounts of this industry, as it is written there. */
        industry?: string;
        /** @description Only accounts with this plan, as it is written there. */
        plan?: string;
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AccountPage"];
        };
      };
    };
  };
  "accounts.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateAccount"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Account"];
        };
      };
    };
  };
  "accounts.search": {
    parameters: {
      query: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
        /**
         * @description Words of the name, or parts of a domain or of your own id, in any order, 1 to 200 characters. Each word may have
         *     one typo.
         */
        q: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AccountPage"];
        };
      };
    };
  };
  "accounts.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Account"];
        };
      };
    };
  };
  "accounts.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateAccount"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Account"];
        };
      };
    };
  };
  "accounts.listContacts": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ContactPage"];
        };
      };
    };
  };
  "accounts.changeMany": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeAccounts"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AccountsChanged"];
        };
      };
    };
  };
  "contacts.changeMany": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeContacts"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ContactsChanged"];
        };
      };
    };
  };
  "contacts.merge": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MergeContacts"];
      };
    };
    responses: {
      /** @description The survivor; with `dryRun`, the preview */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MergeResult"];
        };
      };
    };
  };
  "attachments.upload": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "multipart/form-data": {
          /**
           * Format: binary
           * @description The file; 25 MB at most unless the server is set up otherwise
           */
          file: string;
        };
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Attachment"];
        };
      };
    };
  };
  "attachments.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AttachmentLink"];
        };
      };
    };
  };
  "attachments.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AttachmentPage"];
        };
      };
    };
  };
  "attachments.download": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The token of the link. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/octet-stream": string;
        };
      };
      /** @description The part of it that `Range` asks for */
      206: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/octet-stream": string;
        };
      };
    };
  };
  "conversations.list": {
    parameters: {
      query?: {
        /** @description Only this workspace. 404 if you have no access to it. */
        workspaceId?: string;
        /**
         * @description `recent`: newest activity first. `waiting`: only conversations with a contact who waits for an answer
         *     (`waitingSince`), who has waited longest first.
         */
        sort?: components["schemas"]["ConversationSort"];
        /** @description One of these statuses. Repeat the parameter, or separate several with commas. */
        status?: components["schemas"]["ConversationStatus"][];
        /** @description A member's id, or `none` for conversations without an assignee. */
        assigneeId?: string;
        /** @description `true`: only conversations with unread messages (`unreadCount` above 0). `false`: only those without. */
        unread?: boolean;
        /** @description Only conversations that the assistant or a human handles. */
        handlingMode?: components["schemas"]["HandlingMode"];
        /** @description Only conversations of channels of this type. */
        channelType?: components["schemas"]["ChannelType"];
        /** @description Only conversations of this contact. */
        contactId?: string;
        /** @description Only conversations whose `lastActivityAt` is at or after this time, ISO 8601. It does not change the order. */
        updatedSince?: string;
        /** @description Only conversations with exactly this label. Case matters. */
        label?: string;
        /** @description Only the conversation with this `externalId`. */
        externalId?: string;
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConversationPage"];
        };
      };
    };
  };
  "conversations.start": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["StartConversation"];
      };
    };
    responses: {
      /** @description It was there already */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Conversation"];
        };
      };
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Conversation"];
        };
      };
    };
  };
  "conversations.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Conversation"];
        };
      };
    };
  };
  "conversations.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateConversation"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Conversation"];
        };
      };
    };
  };
  "conversations.compose": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ComposeConversation"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Conversation"];
        };
      };
    };
  };
  "conversations.listMessages": {
    parameters: {
      query?: {
        /** @description Oldest first, or newest first. */
        order?: components["schemas"]["SortOrder"];
        /** @description Only the message with this id. */
        id?: string;
        /** @description Only the message with this `externalId`. */
        externalId?: string;
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MessagePage"];
        };
      };
    };
  };
  "conversations.receive": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SentMessage"];
      };
    };
    responses: {
      /** @description It was there already */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
    };
  };
  "conversations.reply": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SendReply"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ReplySent"];
        };
      };
    };
  };
  "conversations.addNote": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddNote"];
      };
    };
    responses: {
      /** @description It was there already */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
    };
  };
  "conversations.resolve": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ResolveConversation"];
      };
    };
    responses: {
      /** @description Resolved */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.reopen": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Open */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.wait": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Pending */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.snooze": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SnoozeConversation"];
      };
    };
    responses: {
      /** @description Snoozed */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.takeOver": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TakeOverConversation"];
      };
    };
    responses: {
      /** @description Taken over */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.release": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Released */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.assign": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AssignConversation"];
      };
    };
    responses: {
      /** @description Assigned */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.unassign": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Assigned to nobody */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.markRead": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.markUnread": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Unread */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.changeLabels": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeLabels"];
      };
    };
    responses: {
      /** @description Changed */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.listAssignees": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AssigneePage"];
        };
      };
    };
  };
  "bulkActions.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateBulkAction"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BulkAction"];
        };
      };
    };
  };
  "bulkActions.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BulkAction"];
        };
      };
    };
  };
  "conversations.count": {
    parameters: {
      query?: {
        /** @description Only this workspace. 404 if you have no access to it. */
        workspaceId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConversationCounts"];
        };
      };
    };
  };
  "labels.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LabelPage"];
        };
      };
    };
  };
  "labels.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateLabel"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Label"];
        };
      };
    };
  };
  "labels.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "labels.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateLabel"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Label"];
        };
      };
    };
  };
  "conversations.cancelReply": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CancelledReply"];
        };
      };
    };
  };
  "conversations.getDraft": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Draft"];
        };
      };
    };
  };
  "conversations.saveDraft": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SaveDraft"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Draft"];
        };
      };
    };
  };
  "conversations.deleteDraft": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.setViewing": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetViewing"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.listViewers": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ViewerPage"];
        };
      };
    };
  };
  "cannedReplies.list": {
    parameters: {
      query?: {
        /** @description Those of this workspace, and those for all. 404 if you have no access to it. */
        workspaceId?: string;
        /** @description How the shortcut or the title begins, 1 to 100 characters. */
        query?: string;
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CannedReplyPage"];
        };
      };
    };
  };
  "cannedReplies.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateCannedReply"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CannedReply"];
        };
      };
    };
  };
  "cannedReplies.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "cannedReplies.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateCannedReply"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CannedReply"];
        };
      };
    };
  };
  "cannedReplies.render": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RenderCannedReply"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RenderedCannedReply"];
        };
      };
    };
  };
  "views.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ViewPage"];
        };
      };
    };
  };
  "views.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateView"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["View"];
        };
      };
    };
  };
  "views.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "views.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateView"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["View"];
        };
      };
    };
  };
  "conversations.listParticipants": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Participant"][];
        };
      };
    };
  };
  "conversations.addParticipant": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddParticipant"];
      };
    };
    responses: {
      /** @description They take part already */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Participant"];
        };
      };
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Participant"];
        };
      };
    };
  };
  "conversations.removeParticipants": {
    parameters: {
      query?: {
        /** @description Only this one. Default: all. */
        participantId?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.forwardMessage": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ForwardMessage"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ReplySent"];
        };
      };
    };
  };
  "conversations.search": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SearchConversations"];
      };
    };
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["FoundConversationPage"];
        };
      };
    };
  };
  "attentionItems.list": {
    parameters: {
      query?: {
        /** @description Only this workspace. 404 if you have no access to it. */
        workspaceId?: string;
        /** @description Only items about this conversation. */
        conversationId?: string;
        /** @description Only items with this status. */
        status?: components["schemas"]["AttentionStatus"];
        /** @description Only items of this type. */
        type?: components["schemas"]["AttentionType"];
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AttentionItemPage"];
        };
      };
    };
  };
  "attentionItems.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AttentionItem"];
        };
      };
    };
  };
  "attentionItems.resolve": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Resolved */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "identityEvents.list": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the conversation. */
        conversationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IdentityEvents"];
        };
      };
    };
  };
  "identitySettings.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IdentitySettings"];
        };
      };
    };
  };
  "identitySettings.replace": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PutIdentitySettings"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IdentitySettings"];
        };
      };
    };
  };
  "retentionSettings.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RetentionSettings"];
        };
      };
    };
  };
  "retentionSettings.replace": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PutRetentionSettings"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RetentionSettings"];
        };
      };
    };
  };
  "verificationSources.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["VerificationSources"];
        };
      };
    };
  };
  "verificationSources.replace": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PutVerificationSources"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["VerificationSources"];
        };
      };
    };
  };
  "eidSchemes.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EidSchemes"];
        };
      };
    };
  };
  "eidSchemes.replace": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PutEidSchemes"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EidSchemes"];
        };
      };
    };
  };
  "verification.askQuestions": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AskQuestions"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AskedQuestions"];
        };
      };
    };
  };
  "verification.submitAnswer": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SubmitAnswer"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AnswerResult"];
        };
      };
    };
  };
  "verification.require": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RequireVerification"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "verification.unlock": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "verification.getAssurance": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Assurance"];
        };
      };
    };
  };
  "verification.sendMagicLink": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SendMagicLink"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MagicLinkSent"];
        };
      };
    };
  };
  "verificationPages.show": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The token of the link. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The page with the button */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/html": string;
        };
      };
    };
  };
  "verificationPages.confirm": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The token of the link. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The page that confirms it */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/html": string;
        };
      };
    };
  };
  "verification.sendCode": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SendCode"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CodeSent"];
        };
      };
    };
  };
  "verification.verifyCode": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["VerifyCode"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CodeVerified"];
        };
      };
    };
  };
  "verification.requestEid": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RequestEid"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EidRequested"];
        };
      };
    };
  };
  "verification.confirmEid": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Confirmed */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "verification.unbindEid": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Unbound */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "eidPages.show": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The token of the link. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/html": string;
        };
      };
    };
  };
  "eidPages.begin": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The token of the link. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page that says why it cannot continue */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/html": string;
        };
      };
    };
  };
  "eidPages.complete": {
    parameters: {
      query?: {
        error?: string;
        code?: string;
        state?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page with the result */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/html": string;
        };
      };
    };
  };
  "kbEntries.list": {
    parameters: {
      query?: {
        /** @description Only entries with this status. */
        status?: components["schemas"]["EntryStatus"];
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KbEntryPage"];
        };
      };
    };
  };
  "kbEntries.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateKbEntry"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KbEntryCreated"];
        };
      };
    };
  };
  "kbEntries.listPending": {
    parameters: {
      query?: {
        /** @description Only what this source proposed. */
        sourceId?: string;
        /** @description How many entries at most, 1 to 1,000. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KbEntry"][];
        };
      };
    };
  };
  "kbEntries.search": {
    parameters: {
      query?: {
        /** @description The question as the contact asks it, at most 500 characters. Without it, the result is empty. */
        q?: string;
        /** @description How many entries a page has at most, 1 to 100. A search finds at most 24 entries, or this many if that is more. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same question. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["FoundKbEntryPage"];
        };
      };
    };
  };
  "kbEntries.import": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ImportKbEntries"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KbImportReport"];
        };
      };
    };
  };
  "kbEntries.export": {
    parameters: {
      query?: {
        /** @description The format of `content`. */
        format?: components["schemas"]["EntryFormat"];
        /** @description Only entries with this status. */
        status?: components["schemas"]["EntryStatus"];
        /** @description The `nextCursor` of the previous part, with the same status. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExportPart"];
        };
      };
    };
  };
  "kbEntries.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KbEntry"];
        };
      };
    };
  };
  "kbEntries.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "kbEntries.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateKbEntry"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KbEntry"];
        };
      };
    };
  };
  "kbEntries.listVersions": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KbEntryVersionPage"];
        };
      };
    };
  };
  "kbEntries.listSimilar": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SimilarKbEntryPage"];
        };
      };
    };
  };
  "kbEntries.archive": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Archived */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "kbEntries.approve": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ApproveEntry"];
      };
    };
    responses: {
      /** @description Approved */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "kbEntries.reject": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RejectEntry"];
      };
    };
    responses: {
      /** @description Rejected */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "sources.list": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Source"][];
        };
      };
    };
  };
  "sources.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateSource"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Source"];
        };
      };
    };
  };
  "sources.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Source"];
        };
      };
    };
  };
  "sources.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "sources.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateSource"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Source"];
        };
      };
    };
  };
  "sources.read": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Source"];
        };
      };
    };
  };
  "policyEntries.list": {
    parameters: {
      query?: {
        /** @description Only entries with this status. */
        status?: components["schemas"]["EntryStatus"];
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PolicyEntryPage"];
        };
      };
    };
  };
  "policyEntries.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreatePolicyEntry"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PolicyEntryCreated"];
        };
      };
    };
  };
  "policyEntries.listPending": {
    parameters: {
      query?: {
        /** @description How many entries at most, 1 to 1,000. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PolicyEntry"][];
        };
      };
    };
  };
  "policyEntries.search": {
    parameters: {
      query?: {
        /** @description The question as the contact asks it, at most 500 characters. Without it, the result is empty. */
        q?: string;
        /** @description How many entries a page has at most, 1 to 100. A search finds at most 24 entries, or this many if that is more. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same question. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["FoundPolicyEntryPage"];
        };
      };
    };
  };
  "policyEntries.evaluate": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EvaluatePolicy"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PolicyEvaluation"];
        };
      };
    };
  };
  "policyEntries.import": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ImportPolicyEntries"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PolicyImportReport"];
        };
      };
    };
  };
  "policyEntries.export": {
    parameters: {
      query?: {
        /** @description The format of `content`. */
        format?: components["schemas"]["EntryFormat"];
        /** @description Only entries with this status. */
        status?: components["schemas"]["EntryStatus"];
        /** @description The `nextCursor` of the previous part, with the same status. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExportPart"];
        };
      };
    };
  };
  "policyEntries.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PolicyEntry"];
        };
      };
    };
  };
  "policyEntries.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "policyEntries.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdatePolicyEntry"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PolicyEntry"];
        };
      };
    };
  };
  "policyEntries.listVersions": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PolicyEntryVersionPage"];
        };
      };
    };
  };
  "policyEntries.listSimilar": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SimilarPolicyEntryPage"];
        };
      };
    };
  };
  "policyEntries.archive": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Archived */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "policyEntries.approve": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ApproveEntry"];
      };
    };
    responses: {
      /** @description Approved */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "policyEntries.reject": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RejectEntry"];
      };
    };
    responses: {
      /** @description Rejected */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "agents.list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Agent"][];
        };
      };
    };
  };
  "agents.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateAgent"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Agent"];
        };
      };
    };
  };
  "agents.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Agent"];
        };
      };
    };
  };
  "agents.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "agents.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateAgent"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Agent"];
        };
      };
    };
  };
  "agents.listInstructionVersions": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["InstructionVersionPage"];
        };
      };
    };
  };
  "agents.setInstructions": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetInstructions"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Agent"];
        };
      };
    };
  };
  "channels.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Channel"];
        };
      };
    };
  };
  "channels.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateChannel"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Channel"];
        };
      };
    };
  };
  "channels.setCredentials": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetChannelCredentials"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Channel"];
        };
      };
    };
  };
  "channels.test": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChannelTested"];
        };
      };
    };
  };
  "channels.retryProvisioning": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Provisioning has started */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "channelWebhooks.receive": {
    parameters: {
      query?: {
        /** @description The event, if it is not a new message or call. Part of the callback addresses that Parley gives to the provider */
        event?: string;
      };
      header?: never;
      path: {
        /** @description The id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/x-www-form-urlencoded": {
          [key: string]: string;
        };
      };
    };
    responses: {
      /** @description What the provider does next */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/xml": string;
        };
      };
    };
  };
  "channels.getSignature": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Signature"];
        };
      };
    };
  };
  "channels.setSignature": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetSignature"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Signature"];
        };
      };
    };
  };
  "me.getSignature": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Signature"];
        };
      };
    };
  };
  "me.setSignature": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetSignature"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Signature"];
        };
      };
    };
  };
  "conversations.mailFrame": {
    parameters: {
      query?: {
        /** @description As in a reply. */
        quote?: components["schemas"]["Quote"];
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MailFrame"];
        };
      };
    };
  };
  "channels.beginSignIn": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChannelSignInLink"];
        };
      };
    };
  };
  "conversations.mailHtml": {
    parameters: {
      query?: {
        /** @description Also load the pictures that lie on other servers. They learn that the mail is read, and nothing of who reads it. */
        pictures?: boolean;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MailHtml"];
        };
      };
    };
  };
  "conversations.mailOriginal": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AttachmentLink"];
        };
      };
    };
  };
  "channelWebhooks.receiveMail": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          [key: string]: unknown;
        };
        "multipart/form-data": {
          [key: string]: unknown;
        };
        "application/x-www-form-urlencoded": {
          [key: string]: unknown;
        };
        "text/plain": {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description The mail is stored */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "webchat.openSession": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public key of the widget or web chat. */
        publicKey: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["OpenWebchatSession"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebchatSession"];
        };
      };
    };
  };
  "webchat.listMessages": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The public key of the widget or web chat. */
        publicKey: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebchatMessagePage"];
        };
      };
    };
  };
  "webchat.sendMessage": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public key of the widget or web chat. */
        publicKey: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SendWebchatMessage"];
      };
    };
    responses: {
      /** @description The message was sent before */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebchatMessage"];
        };
      };
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebchatMessage"];
        };
      };
    };
  };
  "webchat.setTyping": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public key of the widget or web chat. */
        publicKey: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetWebchatTyping"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "webchat.uploadAttachment": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public key of the widget or web chat. */
        publicKey: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "multipart/form-data": {
          /**
           * Format: binary
           * @description The file; 25 MB at most unless the server is set up otherwise
           */
          file: string;
        };
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Attachment"];
        };
      };
    };
  };
  "webchat.stream": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public key of the widget or web chat. */
        publicKey: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": string;
        };
      };
    };
  };
  "kbWidgets.list": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KbWidget"][];
        };
      };
    };
  };
  "kbWidgets.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateKbWidget"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KbWidget"];
        };
      };
    };
  };
  "kbWidgets.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "kbWidgets.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateKbWidget"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KbWidget"];
        };
      };
    };
  };
  "contactFormWidgets.list": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ContactFormWidget"][];
        };
      };
    };
  };
  "contactFormWidgets.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateContactFormWidget"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ContactFormWidget"];
        };
      };
    };
  };
  "contactFormWidgets.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "contactFormWidgets.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateContactFormWidget"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ContactFormWidget"];
        };
      };
    };
  };
  "publicWidgets.getKb": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public key of the widget or web chat. */
        publicKey: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PublicKbWidget"];
        };
      };
    };
  };
  "publicWidgets.searchKb": {
    parameters: {
      query?: {
        /** @description The question as the visitor asks it, at most 500 characters. Without it, the result is empty. */
        q?: string;
      };
      header?: never;
      path: {
        /** @description The public key of the widget or web chat. */
        publicKey: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PublicAnswers"];
        };
      };
    };
  };
  "publicWidgets.getContactForm": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public key of the widget or web chat. */
        publicKey: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PublicContactForm"];
        };
      };
    };
  };
  "publicWidgets.submitContactForm": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public key of the widget or web chat. */
        publicKey: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SubmitContactForm"];
      };
    };
    responses: {
      /** @description Sent */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "publicWidgets.getScript": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The name of the file. */
        file: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The script */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/javascript": string;
        };
      };
    };
  };
  "calendarConnections.list": {
    parameters: {
      query?: {
        /** @description Only connections of this workspace. Returns 404 if it is out of reach. */
        workspaceId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CalendarConnection"][];
        };
      };
    };
  };
  "calendarConnections.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateCalendarConnection"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CalendarConnection"];
        };
      };
    };
  };
  "calendarConnections.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CalendarConnection"];
        };
      };
    };
  };
  "calendarConnections.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Disconnected */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "calendarConnections.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateCalendarConnection"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CalendarConnection"];
        };
      };
    };
  };
  "calendarConnections.listCalendars": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Calendar"][];
        };
      };
    };
  };
  "bookings.list": {
    parameters: {
      query?: {
        /** @description Only bookings of this workspace. Returns 404 if it is out of reach. */
        workspaceId?: string;
        /** @description Only bookings in this calendar. */
        calendarId?: string;
        /** @description Only bookings from this conversation. */
        conversationId?: string;
        /** @description Only bookings of this contact. */
        contactId?: string;
        /** @description Only bookings with this status. */
        status?: components["schemas"]["BookingStatus"];
        /** @description Only bookings that start at or after this time. */
        from?: string;
        /** @description Only bookings that start before this time. */
        to?: string;
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BookingPage"];
        };
      };
    };
  };
  "bookings.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateBooking"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Booking"];
        };
      };
    };
  };
  "bookings.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Booking"];
        };
      };
    };
  };
  "bookings.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateBooking"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Booking"];
        };
      };
    };
  };
  "bookings.getFreeBusy": {
    parameters: {
      query?: {
        /** @description Only this calendar. Returns 404 if it is out of reach. */
        calendarId?: string;
        /** @description Only calendars of this workspace. Returns 404 if it is out of reach. */
        workspaceId?: string;
        /** @description Default: now. */
        from?: string;
        /** @description After `from`, by at most 62 days. Default: a week after `from`. */
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["FreeBusy"];
        };
      };
    };
  };
  "conversations.invitation": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Invitation"];
        };
      };
    };
  };
  "conversations.answerInvitation": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AnswerInvitation"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ReplySent"];
        };
      };
    };
  };
  "csatConfig.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CsatConfig"];
        };
      };
    };
  };
  "csatConfig.replace": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PutCsatConfig"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CsatConfig"];
        };
      };
    };
  };
  "csat.getStatistics": {
    parameters: {
      query?: {
        /** @description Only this workspace. Returns 404 if it is out of reach. */
        workspaceId?: string;
        /** @description What the groups are. Weeks begin on Monday. */
        groupBy?: components["schemas"]["CsatGrouping"];
        /** @description First day, UTC. Default: 29 days before `to`. */
        from?: string;
        /** @description Last day, UTC. At most 732 days in total. Default: today. */
        to?: string;
        /** @description Only this channel. Group by workspace, channel, day, week or month. */
        channelId?: string;
        /** @description Only this member's conversations. Group by workspace, member, day, week or month. */
        memberId?: string;
        /** @description Only conversations in which this agent wrote. Group by workspace, agent, day, week or month. */
        agentId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CsatStatistics"];
        };
      };
    };
  };
  "csat.listRatings": {
    parameters: {
      query?: {
        /** @description Only this workspace. Returns 404 if it is out of reach. */
        workspaceId?: string;
        /** @description Only ratings of this conversation. */
        conversationId?: string;
        /** @description Only answers at or after this time. */
        from?: string;
        /** @description Only answers before this time. */
        to?: string;
        /** @description Only scores up to this one, 1 to 10. */
        maxScore?: number;
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CsatRatingPage"];
        };
      };
    };
  };
  "csatPages.show": {
    parameters: {
      query?: {
        score?: string;
      };
      header?: never;
      path: {
        /** @description The token of the link. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The page with the question */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/html": string;
        };
      };
    };
  };
  "csatPages.submit": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The token of the link. */
        token: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/x-www-form-urlencoded": {
          /** @description A value of the survey's scale. Not needed to add a comment. */
          score?: number;
          /** @description What the contact adds in words. */
          comment?: string;
        };
      };
    };
    responses: {
      /** @description A page that says that the answer is stored */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/html": string;
        };
      };
    };
  };
  "qualityScores.list": {
    parameters: {
      query?: {
        /** @description Only outcomes in this workspace. Returns 404 if it is out of reach. */
        workspaceId?: string;
        /** @description Only scores of this kind of thing. */
        entityType?: components["schemas"]["QualityEntityType"];
        /** @description Only this metric. */
        metric?: components["schemas"]["QualityMetric"];
        /** @description Days to count, including today: 7, 30 or 90. */
        window?: components["schemas"]["QualityWindow"];
        /** @description A UUID, or the name of a tool. */
        entityId?: string;
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["QualityScorePage"];
        };
      };
    };
  };
  "circuitBreakers.list": {
    parameters: {
      query?: {
        /** @description Only breakers in this state. */
        state?: components["schemas"]["CircuitBreakerState"];
        /** @description Only breakers of this workspace. Returns 404 if it is out of reach. */
        workspaceId?: string;
        /** @description How many to return, 1 to 1,000. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CircuitBreaker"][];
        };
      };
    };
  };
  "circuitBreakers.resolve": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ResolveCircuitBreaker"];
      };
    };
    responses: {
      /** @description Resolved */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "breakerSettings.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BreakerSettings"];
        };
      };
    };
  };
  "breakerSettings.replace": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PutBreakerSettings"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BreakerSettings"];
        };
      };
    };
  };
  "reports.listConversations": {
    parameters: {
      query?: {
        /** @description Which report. */
        report?: components["schemas"]["ReportName"];
        /** @description A `start` of the report. Default: 30 days before `to`. */
        from?: string;
        /** @description An `end` of the report. Default: now. */
        to?: string;
        /** @description What `group` is one of. Not for `busiest-hours`. `reason` is for `hand-over` alone. */
        groupBy?: components["schemas"]["ReportGrouping"];
        /** @description As in the report, for the groups of `busiest-hours`. */
        timeZone?: string;
        /** @description Only this workspace. Returns 404 if it is out of reach. */
        workspaceId?: string;
        /** @description Only this group of the report. */
        group?: string;
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ReportRowPage"];
        };
      };
    };
  };
  "reports.get": {
    parameters: {
      query?: {
        /** @description First day. Default: 29 days before `to`. */
        from?: string;
        /** @description Last day. At most 400 days in total, or 31 by hour. Default: today. */
        to?: string;
        /** @description Where days begin: an IANA name. Default: the workspace's time zone with `workspaceId`, otherwise UTC. */
        timeZone?: string;
        /** @description How the period is divided. Weeks begin on Monday. */
        interval?: components["schemas"]["ReportInterval"];
        /** @description What the groups are. Not for `busiest-hours`, whose groups are the hours of the week. `reason` is for `hand-over` alone. */
        groupBy?: components["schemas"]["ReportGrouping"];
        /** @description Only this workspace. Returns 404 if it is out of reach. */
        workspaceId?: string;
      };
      header?: never;
      path: {
        /** @description Which report. */
        name: components["schemas"]["ReportName"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Report"];
        };
      };
    };
  };
  "conversations.listAgentActivity": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AgentRunPage"];
        };
      };
    };
  };
  "assistantSettings.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AssistantSettings"];
        };
      };
    };
  };
  "assistantSettings.replace": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PutAssistantSettings"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AssistantSettings"];
        };
      };
    };
  };
  "assistantSettings.preview": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["PutAssistantSettings"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AssistantPreview"];
        };
      };
    };
  };
  "procedures.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ProcedurePage"];
        };
      };
    };
  };
  "procedures.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateProcedure"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Procedure"];
        };
      };
    };
  };
  "procedures.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Procedure"];
        };
      };
    };
  };
  "procedures.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "procedures.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateProcedure"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Procedure"];
        };
      };
    };
  };
  "procedures.try": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TryProcedure"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TriedProcedure"];
        };
      };
    };
  };
  "conversations.getSuggestions": {
    parameters: {
      query?: {
        /** @description `true`: let the language model write a draft. It takes seconds, costs tokens, and needs `conversations:write` too. */
        draft?: boolean;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Suggestions"];
        };
      };
    };
  };
  "conversations.recordSuggestionOutcome": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RecordSuggestionOutcome"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "conversations.rewriteText": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RewriteText"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RewrittenText"];
        };
      };
    };
  };
  "conversations.summariseMessages": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SummariseMessages"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MessagesSummary"];
        };
      };
    };
  };
  "conversations.translateMessage": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TranslateMessage"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RewrittenText"];
        };
      };
    };
  };
  "kbEntries.getImpact": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KbEntryImpact"];
        };
      };
    };
  };
  "kbEntries.listGaps": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KbGaps"];
        };
      };
    };
  };
  "assistantTests.list": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AssistantTest"][];
        };
      };
    };
  };
  "assistantTests.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateAssistantTest"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AssistantTest"];
        };
      };
    };
  };
  "assistantTests.run": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RunAssistantTests"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AssistantTestRun"];
        };
      };
    };
  };
  "assistantTests.getRun": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AssistantTestRun"];
        };
      };
    };
  };
  "assistantTests.listChanged": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RehearsedConversationPage"];
        };
      };
    };
  };
  "assistantTests.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AssistantTest"];
        };
      };
    };
  };
  "assistantTests.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "assistantTests.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateAssistantTest"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AssistantTest"];
        };
      };
    };
  };
  "assistantTests.rehearse": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Rehearse"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AssistantTestRun"];
        };
      };
    };
  };
  "cases.list": {
    parameters: {
      query?: {
        /** @description Only this workspace. 404 if you have no access to it. */
        workspaceId?: string;
        /** @description Only cases with this status. */
        status?: components["schemas"]["CaseStatus"];
        /** @description Only cases that are assigned to this member. */
        assigneeId?: string;
        /** @description Only cases about this contact. */
        contactId?: string;
        /** @description Only cases about this conversation. */
        conversationId?: string;
        /**
         * @description Only cases with these words in the title or the fields, or with this number, such as `17` or `#17`. 1 to 200
         *     characters. Every word must be found, in any order, as the beginning of a word. A word of up to three letters must
         *     match a whole word, unless it is the last one, and so must a number of up to three figures. Accents and case make no
         *     difference. Only the first 12 words count.
         */
        q?: string;
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CasePage"];
        };
      };
    };
  };
  "cases.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateCase"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Case"];
        };
      };
    };
  };
  "cases.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Case"];
        };
      };
    };
  };
  "cases.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateCase"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Case"];
        };
      };
    };
  };
  "cases.listEvents": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CaseEventPage"];
        };
      };
    };
  };
  "caseTypes.list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CaseType"][];
        };
      };
    };
  };
  "caseTypes.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateCaseType"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CaseType"];
        };
      };
    };
  };
  "caseTypes.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateCaseType"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CaseType"];
        };
      };
    };
  };
  "consumption.get": {
    parameters: {
      query?: {
        /** @description First day, UTC. Default: the first day of this month. */
        from?: string;
        /** @description Last day, UTC. The period has at most 366 days. Default: today. */
        to?: string;
        /** @description Only this workspace. 404 if you have no access to it. */
        workspaceId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Consumption"];
        };
      };
    };
  };
  "consumption.getForConversation": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConversationConsumption"];
        };
      };
    };
  };
  "changes.list": {
    parameters: {
      query?: {
        /** @description Only these, separated by commas: resources, such as `conversation`, or types, such as `message.created`. */
        types?: string;
        /**
         * @description Continue behind this position: the `cursor` of an answer, or of one of its rows. `now` stands for the end of the feed. Without
         *     it the feed begins with the oldest row that is kept.
         */
        after?: string;
        /** @description How many rows are read at most, 1 to 500. */
        limit?: number;
        /** @description Only what is in this workspace. Contacts, accounts, brands, agents and members are in none. */
        workspaceId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Changes"];
        };
      };
    };
  };
  "events.stream": {
    parameters: {
      query?: {
        /** @description What each event carries besides ids and states. Repeat the parameter, or separate with commas. */
        include?: components["schemas"]["EventInclude"][];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": string;
        };
      };
    };
  };
  "conversations.getOverview": {
    parameters: {
      query?: {
        /** @description Only these parts. Repeat the parameter, or separate the parts with commas. Without it you get all that your role may read. */
        parts?: components["schemas"]["OverviewPart"][];
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Overview"];
        };
      };
    };
  };
  "webhookEndpoints.list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookEndpoint"][];
        };
      };
    };
  };
  "webhookEndpoints.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateWebhookEndpoint"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["NewWebhookEndpoint"];
        };
      };
    };
  };
  "webhookEndpoints.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookEndpoint"];
        };
      };
    };
  };
  "webhookEndpoints.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "webhookEndpoints.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateWebhookEndpoint"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookEndpoint"];
        };
      };
    };
  };
  "webhookEndpoints.test": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookDelivery"];
        };
      };
    };
  };
  "webhookEndpoints.rotateSecret": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["NewWebhookEndpoint"];
        };
      };
    };
  };
  "webhookEndpoints.listDeliveries": {
    parameters: {
      query?: {
        /** @description Only deliveries with this status. */
        status?: components["schemas"]["WebhookDeliveryStatus"];
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookDeliveryPage"];
        };
      };
    };
  };
  "webhookEndpoints.redeliver": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RedeliverSince"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Redelivered"];
        };
      };
    };
  };
  "webhookDeliveries.redeliver": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookDelivery"];
        };
      };
    };
  };
  "me.listPushSubscriptions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Push"];
        };
      };
    };
  };
  "me.createPushSubscription": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreatePushSubscription"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PushSubscription"];
        };
      };
    };
  };
  "me.deletePushSubscription": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "me.testPushSubscription": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PushTested"];
        };
      };
    };
  };
  "capturedMessages.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CapturedMessagePage"];
        };
      };
    };
  };
  "conversations.retryMessage": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is in the queue */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "outbox.list": {
    parameters: {
      query?: {
        /** @description Only messages with this status. */
        status?: components["schemas"]["OutboxStatus"];
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OutboxMessagePage"];
        };
      };
    };
  };
  "outbox.retry": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is in the queue */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "authProvider.receive": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AuthProviderEvent"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ProvisionedOrganisation"];
        };
      };
    };
  };
  "contacts.erase": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Erasure"];
        };
      };
    };
  };
  "erasureRequests.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Erasure"];
        };
      };
    };
  };
  "contacts.export": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The archive */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/zip": string;
        };
      };
    };
  };
  "tools.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ToolPage"];
        };
      };
    };
  };
  "tools.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateTool"];
      };
    };
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tool"];
        };
      };
    };
  };
  "tools.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ok"];
        };
      };
    };
  };
  "tools.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateTool"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tool"];
        };
      };
    };
  };
  "pendingActions.list": {
    parameters: {
      query?: {
        /** @description Only this workspace. 404 if you have no access to it. */
        workspaceId?: string;
        /** @description Only actions of this conversation. */
        conversationId?: string;
        /** @description Only actions with this status. */
        status?: components["schemas"]["PendingActionStatus"];
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PendingActionPage"];
        };
      };
    };
  };
  "pendingActions.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PendingAction"];
        };
      };
    };
  };
  "pendingActions.approve": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ApprovePendingAction"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PendingAction"];
        };
      };
    };
  };
  "pendingActions.reject": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RejectPendingAction"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PendingAction"];
        };
      };
    };
  };
  "pendingActions.listOfConversation": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, 1 to 100. */
        limit?: number;
        /** @description The `nextCursor` of the previous page. Use it with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The id of the resource. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PendingActionPage"];
        };
      };
    };
  };
}
