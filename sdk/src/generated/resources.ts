// Generated from openapi.json by `npm run openapi`.

import type { List } from "../list.js";
import type { Body, Item, Query, RequestOptions, Result } from "../types.js";

export interface HealthMethods {
  /**
   * Check that the process runs
   *
   * Nothing else is asked, the database neither: see `/readyz`.
   *
   * `GET /healthz`
   */
  checkLiveness(options?: RequestOptions): Promise<Result<"health.checkLiveness">>;
  /**
   * Check that the process can serve requests
   *
   * It reaches the database, and the schema is up to date. Otherwise the answer is 503 with the reason. `warnings` say whether the disk for attachments is nearly full.
   *
   * `GET /readyz`
   */
  checkReadiness(options?: RequestOptions): Promise<Result<"health.checkReadiness">>;
}

export interface AuthMethods {
  /**
   * Sign in with email and password
   *
   * The refresh token is set as an HttpOnly cookie. If you have a second factor, the answer has `secondFactor` instead of a session: complete the sign-in with `POST /api/auth/second-factor`.
   *
   * `POST /api/auth/login`
   */
  login(body: Body<"auth.login">, options?: RequestOptions): Promise<Result<"auth.login">>;
  /**
   * Complete a sign-in with a second factor
   *
   * That is a code of your authenticator app, a passkey or a recovery code. You get the session.
   *
   * `POST /api/auth/second-factor`
   */
  completeSecondFactor(
    body: Body<"auth.completeSecondFactor">,
    options?: RequestOptions,
  ): Promise<Result<"auth.completeSecondFactor">>;
  /**
   * Exchange the refresh cookie for a new access token
   *
   * Each side has a cookie of its own, which is replaced, too. If the answer is lost, send the same cookie again: you get the same new cookie.
   *
   * `POST /api/auth/refresh`
   */
  refresh(body?: Body<"auth.refresh">, options?: RequestOptions): Promise<Result<"auth.refresh">>;
  /**
   * Prove again who you are
   *
   * Give your password or a code of your authenticator app. For the next 15 minutes (a setting of the tenant) you can manage keys and members, export and erase.
   *
   * API key: none. Session: every member.
   *
   * `POST /api/auth/reauthenticate`
   */
  reauthenticate(body?: Body<"auth.reauthenticate">, options?: RequestOptions): Promise<Result<"auth.reauthenticate">>;
  /**
   * End this session
   *
   * Its refresh cookie is cleared; the other side's stays.
   *
   * API key: none. Session: every member.
   *
   * `POST /api/auth/logout`
   */
  logout(options?: RequestOptions): Promise<Result<"auth.logout">>;
  /**
   * Read what the button of the sign-in page names
   *
   * It is null if no external provider is configured for browsers.
   *
   * `GET /api/auth/external`
   */
  getExternalProvider(options?: RequestOptions): Promise<Result<"auth.getExternalProvider">>;
  /**
   * Ask for a link to set a new password
   *
   * It is mailed if a member has proven this email, is valid for 30 minutes and works once. The answer is the same in any case.
   *
   * `POST /api/auth/password-reset`
   */
  requestPasswordReset(
    body: Body<"auth.requestPasswordReset">,
    options?: RequestOptions,
  ): Promise<Result<"auth.requestPasswordReset">>;
  /**
   * Set your password with a mailed token
   *
   * The token comes from an invitation or a reset. A reset ends all your sessions.
   *
   * `POST /api/auth/password`
   */
  setPassword(body: Body<"auth.setPassword">, options?: RequestOptions): Promise<Result<"auth.setPassword">>;
  /**
   * Prove your email with the token of the mailed link
   *
   * A token works once, for a day, and only the newest one does: otherwise the answer is 401. If another member has proven the email, it is 409.
   *
   * `POST /api/auth/email-proof`
   */
  proveEmail(body: Body<"auth.proveEmail">, options?: RequestOptions): Promise<Result<"auth.proveEmail">>;
}

export interface MeMethods {
  /**
   * Read who you are
   *
   * You get the caller behind the credential, its scopes or role, and its reach.
   *
   * API key: any. Session: every member.
   *
   * `GET /api/me`
   */
  get(options?: RequestOptions): Promise<Result<"me.get">>;
  /**
   * Set your presence, on both sides
   *
   * After five minutes without a request you are shown as `offline`.
   *
   * API key: none. Session: every member.
   *
   * `PUT /api/me/presence`
   */
  setPresence(body: Body<"me.setPresence">, options?: RequestOptions): Promise<Result<"me.setPresence">>;
  /**
   * List your sessions on both sides
   *
   * The most recently used one comes first.
   *
   * API key: none. Session: every member.
   *
   * `GET /api/me/sessions`
   */
  listSessions(
    query?: Query<"me.listSessions">,
    options?: RequestOptions,
  ): List<Item<"me.listSessions">, Result<"me.listSessions">>;
  /**
   * End all your sessions but this one
   *
   * Every process refuses them within a second.
   *
   * API key: none. Session: every member.
   *
   * `DELETE /api/me/sessions`
   */
  endOtherSessions(options?: RequestOptions): Promise<Result<"me.endOtherSessions">>;
  /**
   * End one of your sessions
   *
   * Every process refuses it within a second.
   *
   * API key: none. Session: every member.
   *
   * `DELETE /api/me/sessions/{id}`
   */
  endSession(id: string, options?: RequestOptions): Promise<Result<"me.endSession">>;
  /**
   * List your second factors
   *
   * These are your authenticator app and passkeys, and how many recovery codes are left.
   *
   * API key: none. Session: every member.
   *
   * `GET /api/me/second-factors`
   */
  listSecondFactors(options?: RequestOptions): Promise<Result<"me.listSecondFactors">>;
  /**
   * Begin to add an authenticator app or a passkey
   *
   * It replaces one of the same type that you did not confirm. Sign-ins ask for it only after you have confirmed it.
   *
   * API key: none. Session: every member.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `POST /api/me/second-factors`
   */
  addSecondFactor(body: Body<"me.addSecondFactor">, options?: RequestOptions): Promise<Result<"me.addSecondFactor">>;
  /**
   * Make ten recovery codes
   *
   * Each replaces the second factor of one sign-in. The codes that you had no longer work.
   *
   * API key: none. Session: every member.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `POST /api/me/second-factors/recovery-codes`
   */
  createRecoveryCodes(options?: RequestOptions): Promise<Result<"me.createRecoveryCodes">>;
  /**
   * Confirm a new second factor
   *
   * Give a code of the app, or the passkey that the browser made. Every sign-in asks for it from now on.
   *
   * API key: none. Session: every member.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `POST /api/me/second-factors/{id}/confirm`
   */
  confirmSecondFactor(
    id: string,
    body?: Body<"me.confirmSecondFactor">,
    options?: RequestOptions,
  ): Promise<Result<"me.confirmSecondFactor">>;
  /**
   * Remove a second factor
   *
   * With the last one, your recovery codes go too. If your tenant requires a second factor, the last one stays.
   *
   * API key: none. Session: every member.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `DELETE /api/me/second-factors/{id}`
   */
  removeSecondFactor(id: string, options?: RequestOptions): Promise<Result<"me.removeSecondFactor">>;
  /**
   * Change your password
   *
   * Your other sessions end within a second.
   *
   * API key: none. Session: every member.
   *
   * `PUT /api/me/password`
   */
  changePassword(body: Body<"me.changePassword">, options?: RequestOptions): Promise<Result<"me.changePassword">>;
  /**
   * Have a link mailed that proves your email
   *
   * Until it is proven, it serves no reset and no external sign-in.
   *
   * API key: none. Session: every member.
   *
   * `POST /api/me/email-proof`
   */
  sendEmailProof(options?: RequestOptions): Promise<Result<"me.sendEmailProof">>;
  /**
   * Read how you want the dashboard
   *
   * What you have not set has its default. It is the same on both sides.
   *
   * API key: none. Session: every member.
   *
   * `GET /api/me/preferences`
   */
  getPreferences(options?: RequestOptions): Promise<Result<"me.getPreferences">>;
  /**
   * Set how you want the dashboard
   *
   * This replaces everything: what you leave out gets its default.
   *
   * API key: none. Session: every member.
   *
   * `PUT /api/me/preferences`
   */
  setPreferences(body: Body<"me.setPreferences">, options?: RequestOptions): Promise<Result<"me.setPreferences">>;
  /**
   * Read your signature
   *
   * API key: none. Session: every member.
   *
   * `GET /api/me/signature`
   */
  getSignature(options?: RequestOptions): Promise<Result<"me.getSignature">>;
  /**
   * Set your signature
   *
   * Your mails end with it, on both sides, instead of the mailbox's.
   *
   * API key: none. Session: every member.
   *
   * `PUT /api/me/signature`
   */
  setSignature(body: Body<"me.setSignature">, options?: RequestOptions): Promise<Result<"me.setSignature">>;
  /**
   * List your browsers that show notices
   *
   * API key: none. Session: every member.
   *
   * `GET /api/me/push-subscriptions`
   */
  listPushSubscriptions(options?: RequestOptions): Promise<Result<"me.listPushSubscriptions">>;
  /**
   * Have a browser show notices
   *
   * They are of the live side, until you sign out there.
   *
   * API key: none. Session: every member.
   *
   * `POST /api/me/push-subscriptions`
   */
  createPushSubscription(
    body: Body<"me.createPushSubscription">,
    options?: RequestOptions,
  ): Promise<Result<"me.createPushSubscription">>;
  /**
   * Have a browser show no more notices
   *
   * API key: none. Session: every member.
   *
   * `DELETE /api/me/push-subscriptions/{id}`
   */
  deletePushSubscription(id: string, options?: RequestOptions): Promise<Result<"me.deletePushSubscription">>;
  /**
   * Send a notice to one of your browsers
   *
   * It leaves on the test side, too.
   *
   * API key: none. Session: every member.
   *
   * `POST /api/me/push-subscriptions/{id}/test`
   */
  testPushSubscription(id: string, options?: RequestOptions): Promise<Result<"me.testPushSubscription">>;
}

export interface MembersMethods {
  /**
   * List the members, oldest first
   *
   * API key: none. Session: every member.
   *
   * `GET /api/members`
   */
  list(options?: RequestOptions): List<Item<"members.list">, Result<"members.list">>;
  /**
   * Add a member
   *
   * Without a password, an invitation is mailed; on the test side the mail is captured.
   *
   * API key: none. Session: owners and admins.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `POST /api/members`
   */
  create(body: Body<"members.create">, options?: RequestOptions): Promise<Result<"members.create">>;
  /**
   * Mail a new invitation to a member
   *
   * The member has not accepted one yet. The previous invitation becomes invalid.
   *
   * API key: none. Session: owners and admins.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `POST /api/members/{id}/invite`
   */
  invite(id: string, options?: RequestOptions): Promise<Result<"members.invite">>;
  /**
   * Change a member's name, role, status or workspaces
   *
   * The workspaces are those of this side. A new role takes effect on every process within a second.
   *
   * API key: none. Session: owners and admins.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `PATCH /api/members/{id}`
   */
  update(id: string, body: Body<"members.update">, options?: RequestOptions): Promise<Result<"members.update">>;
  /**
   * Remove a member
   *
   * Their sessions end within a second, and shortly after they are unassigned from unresolved conversations on both sides. API keys that they created stay valid.
   *
   * API key: none. Session: owners and admins.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `DELETE /api/members/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"members.delete">>;
  /**
   * End all sessions of a member
   *
   * Every process refuses them within a second. Only an owner can end an owner's.
   *
   * API key: none. Session: owners and admins.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `DELETE /api/members/{id}/sessions`
   */
  endSessions(id: string, options?: RequestOptions): Promise<Result<"members.endSessions">>;
  /**
   * Remove all second factors of a member
   *
   * This is for a member who lost theirs. The recovery codes go too, and the member is told by mail. Only an owner can remove an owner's.
   *
   * API key: none. Session: owners and admins.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `DELETE /api/members/{id}/second-factors`
   */
  removeSecondFactors(id: string, options?: RequestOptions): Promise<Result<"members.removeSecondFactors">>;
}

export interface ApiKeysMethods {
  /**
   * List the keys of this side (live or test), newest first
   *
   * API key: none. Session: owners and admins.
   *
   * `GET /api/api-keys`
   */
  list(options?: RequestOptions): List<Item<"apiKeys.list">, Result<"apiKeys.list">>;
  /**
   * Create a key for the side of your session, live or test
   *
   * The raw key is in this answer and is never shown again.
   *
   * API key: none. Session: owners and admins.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `POST /api/api-keys`
   */
  create(body: Body<"apiKeys.create">, options?: RequestOptions): Promise<Result<"apiKeys.create">>;
  /**
   * Change a key's name, scopes or expiry
   *
   * Its data scope cannot change. An expired or revoked key can only be renamed. Changes take effect on every process within a second.
   *
   * API key: none. Session: owners and admins.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `PATCH /api/api-keys/{id}`
   */
  update(id: string, body: Body<"apiKeys.update">, options?: RequestOptions): Promise<Result<"apiKeys.update">>;
  /**
   * Replace a key without downtime
   *
   * You get a new key, and the old one stays valid for the overlap.
   *
   * API key: none. Session: owners and admins.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `POST /api/api-keys/{id}/rotate`
   */
  rotate(id: string, body?: Body<"apiKeys.rotate">, options?: RequestOptions): Promise<Result<"apiKeys.rotate">>;
  /**
   * Revoke a key permanently
   *
   * Every process refuses it within a second.
   *
   * API key: none. Session: owners and admins.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `POST /api/api-keys/{id}/revoke`
   */
  revoke(id: string, options?: RequestOptions): Promise<Result<"apiKeys.revoke">>;
}

export interface SecurityLogMethods {
  /**
   * List security events, newest first
   *
   * These are sign-ins, failed sign-ins, changes of credentials, members and keys, exports and erasures. Events are kept for 24 months. Both sides share the members, so events about members are in the log of the live side.
   *
   * API key: none. Session: owners and admins.
   *
   * `GET /api/security-log`
   */
  list(
    query?: Query<"securityLog.list">,
    options?: RequestOptions,
  ): List<Item<"securityLog.list">, Result<"securityLog.list">>;
}

export interface AuditLogMethods {
  /**
   * List who changed what, newest first
   *
   * Entries name ids and fields, never values, and are kept for 24 months. Both sides share the members, so changes of members are in the log of the live side.
   *
   * API key: none. Session: owners and admins.
   *
   * `GET /api/audit-log`
   */
  list(query?: Query<"auditLog.list">, options?: RequestOptions): List<Item<"auditLog.list">, Result<"auditLog.list">>;
}

export interface TenantMethods {
  /**
   * Read the tenant
   *
   * It has the public key that verifies its erasure certificates.
   *
   * API key: none. Session: every member.
   *
   * `GET /api/tenant`
   */
  get(options?: RequestOptions): Promise<Result<"tenant.get">>;
  /**
   * Change the tenant's settings
   *
   * The name is the same on both sides. The preview of outgoing webhooks is turned on or off for this side.
   *
   * API key: none. Session: owners and admins.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `PATCH /api/tenant`
   */
  update(body: Body<"tenant.update">, options?: RequestOptions): Promise<Result<"tenant.update">>;
}

export interface WorkspacesMethods {
  /**
   * List the workspaces within your reach
   *
   * Owners and admins see all of them, agents and observers the ones they are assigned to, and billing users none.
   *
   * API key: scope `workspaces:read`. Session: owners, admins, agents, observers and billing users; agents and observers in their workspaces.
   *
   * `GET /api/workspaces`
   */
  list(options?: RequestOptions): List<Item<"workspaces.list">, Result<"workspaces.list">>;
  /**
   * Create a workspace under a brand
   *
   * It gets a web chat channel and an API channel.
   *
   * API key: scope `workspaces:write`. Session: owners and admins.
   *
   * `POST /api/workspaces`
   */
  create(body: Body<"workspaces.create">, options?: RequestOptions): Promise<Result<"workspaces.create">>;
  /**
   * Read one workspace in full
   *
   * API key: scope `workspaces:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}`
   */
  get(workspaceId: string, options?: RequestOptions): Promise<Result<"workspaces.get">>;
  /**
   * Change a workspace
   *
   * You can change its name, language, time zone, assistant and status. Once a workspace is archived, new conversations, messages and replies return 409. Returns 409 if the transition of the status is not allowed; nothing changes.
   *
   * API key: scope `workspaces:write`. Session: owners and admins.
   *
   * `PATCH /api/workspaces/{workspaceId}`
   */
  update(
    workspaceId: string,
    body: Body<"workspaces.update">,
    options?: RequestOptions,
  ): Promise<Result<"workspaces.update">>;
  /**
   * Delete a workspace and everything in it, permanently
   *
   * API keys that are restricted to it are revoked.
   *
   * API key: scope `workspaces:write`. Session: owners and admins.
   *
   * `DELETE /api/workspaces/{workspaceId}`
   */
  delete(workspaceId: string, options?: RequestOptions): Promise<Result<"workspaces.delete">>;
}

export interface ChannelsMethods {
  /**
   * List the channels of a workspace
   *
   * API key: scope `workspaces:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/channels`
   */
  list(workspaceId: string, options?: RequestOptions): List<Item<"channels.list">, Result<"channels.list">>;
  /**
   * Create a channel
   *
   * A channel that needs to be set up at a provider has the status `provisioning` until that succeeds; failed attempts are repeated automatically.
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/workspaces/{workspaceId}/channels`
   */
  create(
    workspaceId: string,
    body: Body<"channels.create">,
    options?: RequestOptions,
  ): Promise<Result<"channels.create">>;
  /**
   * Read a channel
   *
   * Its credentials are never shown.
   *
   * API key: scope `channels:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/channels/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"channels.get">>;
  /**
   * Change, disable or enable a channel
   *
   * A new address or new settings start provisioning again. `settings.imap` or `settings.graph` says which mails count as proven, so a restricted caller that changes it gets 403. The same holds for the address of such a mailbox, or of a telephone number.
   *
   * API key: scope `channels:write`. Session: owners and admins.
   *
   * `PATCH /api/channels/{id}`
   */
  update(id: string, body: Body<"channels.update">, options?: RequestOptions): Promise<Result<"channels.update">>;
  /**
   * Store the credentials of a channel
   *
   * The channel signs in with them, and is provisioned with them. Whoever has those of a web chat, a telephone number or a mailbox that mails are read from says who a contact is in the whole tenant, so a restricted caller gets 403.
   *
   * API key: scope `channels:write`. Session: owners and admins.
   *
   * `PUT /api/channels/{id}/credentials`
   */
  setCredentials(
    id: string,
    body: Body<"channels.setCredentials">,
    options?: RequestOptions,
  ): Promise<Result<"channels.setCredentials">>;
  /**
   * Test whether a channel works
   *
   * This takes at most 10 seconds. Nothing is sent. A channel in `error` that passes is set up again. On the test side no other server is called.
   *
   * API key: scope `channels:write`. Session: owners and admins.
   *
   * `POST /api/channels/{id}/test`
   */
  test(id: string, options?: RequestOptions): Promise<Result<"channels.test">>;
  /**
   * Provision a channel again now
   *
   * It starts with the first attempt. An active channel does not change.
   *
   * API key: scope `channels:write`. Session: owners and admins.
   *
   * `POST /api/channels/{id}/retry-provisioning`
   */
  retryProvisioning(id: string, options?: RequestOptions): Promise<Result<"channels.retryProvisioning">>;
  /**
   * Read the signature of a mailbox
   *
   * API key: scope `channels:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/channels/{id}/signature`
   */
  getSignature(id: string, options?: RequestOptions): Promise<Result<"channels.getSignature">>;
  /**
   * Set the signature of a mailbox
   *
   * Mails of members without one of their own end with it, and those that no person wrote.
   *
   * API key: scope `channels:write`. Session: owners and admins.
   *
   * `PUT /api/channels/{id}/signature`
   */
  setSignature(
    id: string,
    body: Body<"channels.setSignature">,
    options?: RequestOptions,
  ): Promise<Result<"channels.setSignature">>;
  /**
   * Get the address at which a mailbox is signed in to
   *
   * Open it in the same browser: a cookie that comes with this answer lets it come back, once and within 10 minutes. `settings.signIn` names the provider.
   *
   * API key: scope `channels:write`. Session: owners and admins.
   *
   * `GET /api/channels/{id}/sign-in`
   */
  beginSignIn(id: string, options?: RequestOptions): Promise<Result<"channels.beginSignIn">>;
}

export interface BrandsMethods {
  /**
   * List the brands of the workspaces within your reach
   *
   * API key: scope `workspaces:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/brands`
   */
  list(options?: RequestOptions): List<Item<"brands.list">, Result<"brands.list">>;
  /**
   * Create a brand
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/brands`
   */
  create(body: Body<"brands.create">, options?: RequestOptions): Promise<Result<"brands.create">>;
  /**
   * Rename a brand
   *
   * API key: none. Session: owners and admins.
   *
   * `PATCH /api/brands/{id}`
   */
  update(id: string, body: Body<"brands.update">, options?: RequestOptions): Promise<Result<"brands.update">>;
}

export interface LogosMethods {
  /**
   * Set the logo of a workspace
   *
   * The dashboard, mails, the chat and surveys show it.
   *
   * API key: scope `workspaces:write`. Session: owners and admins.
   *
   * `PUT /api/workspaces/{workspaceId}/logo`
   */
  set(workspaceId: string, body: Body<"logos.set">, options?: RequestOptions): Promise<Result<"logos.set">>;
  /**
   * Remove the logo of a workspace
   *
   * Mails that have left go on showing it.
   *
   * API key: scope `workspaces:write`. Session: owners and admins.
   *
   * `DELETE /api/workspaces/{workspaceId}/logo`
   */
  remove(workspaceId: string, options?: RequestOptions): Promise<Result<"logos.remove">>;
  /**
   * Load a logo
   *
   * Its address is the `logoUrl` of the workspace. It is kept as long as no ten newer ones were set.
   *
   * `GET /api/public/logos/{tenantId}/{id}`
   */
  get(tenantId: string, id: string, options?: RequestOptions): Promise<Result<"logos.get">>;
}

export interface ContactsMethods {
  /**
   * List contacts, newest first unless you sort them
   *
   * A restricted caller sees the contacts that appear in its workspaces and those that it created.
   *
   * API key: scope `contacts:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/contacts`
   */
  list(query?: Query<"contacts.list">, options?: RequestOptions): List<Item<"contacts.list">, Result<"contacts.list">>;
  /**
   * Create a contact
   *
   * If a contact within your reach has the `externalId`, the answer is 409. If one out of reach has it, the new contact has no `externalId`.
   *
   * API key: scope `contacts:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/contacts`
   */
  create(body?: Body<"contacts.create">, options?: RequestOptions): Promise<Result<"contacts.create">>;
  /**
   * Search contacts by name, email, phone and your own id
   *
   * It finds words in any order and parts of addresses and numbers, and allows one typo per word. Exact matches come first, then the closest, then the newest. At most 300 results.
   *
   * API key: scope `contacts:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/contacts/search`
   */
  search(
    query: Query<"contacts.search">,
    options?: RequestOptions,
  ): List<Item<"contacts.search">, Result<"contacts.search">>;
  /**
   * Read one contact
   *
   * A merged contact names the survivor in `mergedIntoId`.
   *
   * API key: scope `contacts:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/contacts/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"contacts.get">>;
  /**
   * Change a contact
   *
   * A merged contact is 409.
   *
   * API key: scope `contacts:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `PATCH /api/contacts/{id}`
   */
  update(id: string, body: Body<"contacts.update">, options?: RequestOptions): Promise<Result<"contacts.update">>;
  /**
   * Delete a contact
   *
   * The contacts that were merged into it are deleted too. The contact and its identity events disappear from all answers immediately and are purged after 30 days. Its conversations stay. To remove the person's messages too, with a certificate, use the erasure. A contact that also appears in workspaces that you do not reach is 409.
   *
   * API key: scope `contacts:write`. Session: owners and admins.
   *
   * `DELETE /api/contacts/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"contacts.delete">>;
  /**
   * Import contacts
   *
   * All valid lines are added in one transaction. The report says for each other line what is wrong with it. A line is refused if a contact within your reach has its `externalId`, so importing the same file again does no harm. If a contact out of reach has it, the line becomes a contact without `externalId`. At most 20,000 lines and 10 MB. CSV (RFC 4180, separated by `,`, `;` or tabs) names its columns in the first line: externalId, name, emails, phones, language, labels and attributes.<name>. Separate several values of one field with `|`. NDJSON has the body of `POST /api/contacts` on each line. Among members, only owners and admins may import.
   *
   * API key: scope `contacts:write`. Session: owners and admins.
   *
   * `POST /api/contacts/import`
   */
  import(body: Body<"contacts.import">, options?: RequestOptions): Promise<Result<"contacts.import">>;
  /**
   * Link a contact to an account
   *
   * This replaces the link to another account.
   *
   * API key: scope `contacts:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `PUT /api/contacts/{id}/account`
   */
  linkAccount(
    id: string,
    body: Body<"contacts.linkAccount">,
    options?: RequestOptions,
  ): Promise<Result<"contacts.linkAccount">>;
  /**
   * Remove a contact's link to its account
   *
   * API key: scope `contacts:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `DELETE /api/contacts/{id}/account`
   */
  unlinkAccount(id: string, options?: RequestOptions): Promise<Result<"contacts.unlinkAccount">>;
  /**
   * Change up to 100 contacts in one transaction
   *
   * With access to none of them, it is 404.
   *
   * API key: scope `contacts:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/contacts/bulk-actions`
   */
  changeMany(body: Body<"contacts.changeMany">, options?: RequestOptions): Promise<Result<"contacts.changeMany">>;
  /**
   * Merge another contact into this one, which survives
   *
   * Conversations, cases, identity events, counted wrong answers, emails, phones and labels move to the survivor. The survivor also takes over other values that it lacks. What the merged contact has proven is no proof of the survivor: its conversations fall back to the assurance level `none`, its links, codes and eID requests are void, and its eID is unbound. The merged contact then reads 200 with `mergedIntoId`. With `dryRun` the answer is a preview. If both contacts have an `externalId`, or the eID says that they are two people, the answer is 409.
   *
   * API key: scope `contacts:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/contacts/{id}/merge`
   */
  merge(id: string, body: Body<"contacts.merge">, options?: RequestOptions): Promise<Result<"contacts.merge">>;
  /**
   * Erase a person (GDPR, Article 17)
   *
   * Every contact that was merged into the person is erased too, in all workspaces of the tenant. When you get the answer, all data about the person is gone. Conversations stay as anonymous statistics. Erasing the same person again gives the first certificate. A person who also appears in workspaces that you do not reach is 409.
   *
   * API key: scope `contacts:write`. Session: owners and admins.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `POST /api/contacts/{id}/erasure`
   */
  erase(id: string, options?: RequestOptions): Promise<Result<"contacts.erase">>;
  /**
   * Export all data about a person (GDPR, Article 15)
   *
   * You get one ZIP archive. Its `person.json` is a `ContactExport`: the contact and the contacts merged into it, conversations with their messages, identity events, attention items, cases, bookings and sent mails. The files of the messages are in `attachments/<id>/<fileName>`. The export covers all workspaces of the tenant.
   *
   * API key: none. Session: owners and admins.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `GET /api/contacts/{id}/export`
   */
  export(id: string, options?: RequestOptions): Promise<Result<"contacts.export">>;
}

export interface AccountsMethods {
  /**
   * List accounts, newest first unless you sort them
   *
   * A restricted caller sees the accounts of contacts that it has access to, and those that it created.
   *
   * API key: scope `accounts:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/accounts`
   */
  list(query?: Query<"accounts.list">, options?: RequestOptions): List<Item<"accounts.list">, Result<"accounts.list">>;
  /**
   * Create an account
   *
   * If an account within your reach has the `externalId`, the answer is 409. If one out of reach has it, the new account has no `externalId`.
   *
   * API key: scope `accounts:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/accounts`
   */
  create(body: Body<"accounts.create">, options?: RequestOptions): Promise<Result<"accounts.create">>;
  /**
   * Search accounts by name, domain and your own id
   *
   * It works like the search of contacts.
   *
   * API key: scope `accounts:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/accounts/search`
   */
  search(
    query: Query<"accounts.search">,
    options?: RequestOptions,
  ): List<Item<"accounts.search">, Result<"accounts.search">>;
  /**
   * Read one account
   *
   * API key: scope `accounts:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/accounts/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"accounts.get">>;
  /**
   * Change an account
   *
   * API key: scope `accounts:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `PATCH /api/accounts/{id}`
   */
  update(id: string, body: Body<"accounts.update">, options?: RequestOptions): Promise<Result<"accounts.update">>;
  /**
   * List the contacts of an account, newest first
   *
   * A restricted caller sees those that it has access to.
   *
   * API key: scope `accounts:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/accounts/{id}/contacts`
   */
  listContacts(
    id: string,
    query?: Query<"accounts.listContacts">,
    options?: RequestOptions,
  ): List<Item<"accounts.listContacts">, Result<"accounts.listContacts">>;
  /**
   * Change up to 100 accounts in one transaction
   *
   * The contacts of a deleted account stay, without an account. Only callers with access to all workspaces delete accounts.
   *
   * API key: scope `accounts:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/accounts/bulk-actions`
   */
  changeMany(body: Body<"accounts.changeMany">, options?: RequestOptions): Promise<Result<"accounts.changeMany">>;
}

export interface AttachmentsMethods {
  /**
   * Upload a file
   *
   * Name it in `attachmentIds` of a message within 24 hours, or it is deleted. Until then only you can read it. The content type is detected from the bytes. If you repeat the upload with the same `Idempotency-Key`, the name, type and bytes must be the same.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/attachments`
   */
  upload(body: Body<"attachments.upload">, options?: RequestOptions): Promise<Result<"attachments.upload">>;
  /**
   * Read an attachment
   *
   * It has a URL that downloads the file for 5 minutes.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/attachments/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"attachments.get">>;
  /**
   * List the attachments of a conversation, newest first
   *
   * They are those of its messages and internal notes.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations/{id}/attachments`
   */
  list(
    id: string,
    query?: Query<"attachments.list">,
    options?: RequestOptions,
  ): List<Item<"attachments.list">, Result<"attachments.list">>;
  /**
   * Download a file by the URL from `GET /api/attachments/{id}`
   *
   * Browsers display images, audio and video, and save everything else. One `Range` is supported.
   *
   * `GET /api/public/attachments/{token}`
   */
  download(token: string, options?: RequestOptions): Promise<Result<"attachments.download">>;
}

export interface ConversationsMethods {
  /**
   * List conversations
   *
   * The newest activity comes first, or with `sort=waiting` the contact who has waited longest. A page reads at most 2,000 conversations of a status or workspace for filters that have no index of their own, so it can have fewer items than `limit`. The list has ended where `nextCursor` is missing.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations`
   */
  list(
    query?: Query<"conversations.list">,
    options?: RequestOptions,
  ): List<Item<"conversations.list">, Result<"conversations.list">>;
  /**
   * Start a conversation from the contact's side
   *
   * If the workspace already has a conversation with this `externalId`, you get that one, unchanged, with 200.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations`
   */
  start(body: Body<"conversations.start">, options?: RequestOptions): Promise<Result<"conversations.start">>;
  /**
   * Read one conversation
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"conversations.get">>;
  /**
   * Change what a conversation is about
   *
   * Only the fields that you give change.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `PATCH /api/conversations/{id}`
   */
  update(
    id: string,
    body: Body<"conversations.update">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.update">>;
  /**
   * Write to a contact in a new conversation
   *
   * A human handles it from the start. It is assigned to the member who writes; if an API key writes, it has no assignee yet.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/compose`
   */
  compose(body: Body<"conversations.compose">, options?: RequestOptions): Promise<Result<"conversations.compose">>;
  /**
   * List the messages of a conversation, oldest first
   *
   * Internal notes are among them.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations/{id}/messages`
   */
  listMessages(
    id: string,
    query?: Query<"conversations.listMessages">,
    options?: RequestOptions,
  ): List<Item<"conversations.listMessages">, Result<"conversations.listMessages">>;
  /**
   * Add a message from the contact
   *
   * It opens a pending, snoozed or resolved conversation. More than 7 days after the conversation was resolved, the message starts a new one instead: its `previousConversationId` links to the old one, and the message's `conversationId` names the new one.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/messages`
   */
  receive(
    id: string,
    body: Body<"conversations.receive">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.receive">>;
  /**
   * Reply to the contact
   *
   * A human reply takes over from the assistant unless `keepAssistant` is true. If the conversation has no assignee, a member who replies becomes the assignee. With `agentId`, an API key answers as an agent that works in the workspace.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/reply`
   */
  reply(
    id: string,
    body: Body<"conversations.reply">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.reply">>;
  /**
   * Add an internal note
   *
   * The contact never sees it.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/notes`
   */
  addNote(
    id: string,
    body: Body<"conversations.addNote">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.addNote">>;
  /**
   * Resolve a conversation
   *
   * The contact no longer waits for an answer in it. If it is already resolved, nothing changes.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/resolve`
   */
  resolve(
    id: string,
    body?: Body<"conversations.resolve">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.resolve">>;
  /**
   * Open a conversation that is pending, snoozed or resolved
   *
   * It does not matter how long ago it was resolved.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/reopen`
   */
  reopen(id: string, options?: RequestOptions): Promise<Result<"conversations.reopen">>;
  /**
   * Wait for the contact
   *
   * The conversation is `pending` until they write, and nobody waits for an answer of yours. A resolved conversation is 409.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/wait`
   */
  wait(id: string, options?: RequestOptions): Promise<Result<"conversations.wait">>;
  /**
   * Snooze a conversation
   *
   * It opens by itself at the given time, to the minute, or earlier if the contact writes. A resolved conversation is 409.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/snooze`
   */
  snooze(
    id: string,
    body: Body<"conversations.snooze">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.snooze">>;
  /**
   * Take a conversation over from the assistant
   *
   * You become its assignee, and the assistant pauses in this conversation. If it is assigned to a colleague, the answer is 409 unless `force` is true.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/take-over`
   */
  takeOver(
    id: string,
    body?: Body<"conversations.takeOver">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.takeOver">>;
  /**
   * Give a conversation back to the assistant
   *
   * It then has no assignee.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/release`
   */
  release(id: string, options?: RequestOptions): Promise<Result<"conversations.release">>;
  /**
   * Assign a conversation to a member who works in its workspace
   *
   * You name the member by `memberId` or by `email`. This replaces the current assignee. It does not change who answers, the assistant or a human.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/assign`
   */
  assign(
    id: string,
    body?: Body<"conversations.assign">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.assign">>;
  /**
   * Remove the assignee of a conversation
   *
   * This does not change who answers, the assistant or a human.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/unassign`
   */
  unassign(id: string, options?: RequestOptions): Promise<Result<"conversations.unassign">>;
  /**
   * Mark a conversation as read
   *
   * Nothing in it is unread until the contact writes again.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/read`
   */
  markRead(id: string, options?: RequestOptions): Promise<Result<"conversations.markRead">>;
  /**
   * Mark a conversation as unread, to come back to it
   *
   * Its `unreadCount` is 1, if it was 0.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/unread`
   */
  markUnread(id: string, options?: RequestOptions): Promise<Result<"conversations.markUnread">>;
  /**
   * Add and remove labels of a conversation
   *
   * Others stay, also those that somebody else adds at the same time. To replace all of them, send `labels` with PATCH. More than 50 labels are 409.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/labels`
   */
  changeLabels(
    id: string,
    body?: Body<"conversations.changeLabels">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.changeLabels">>;
  /**
   * List who can be given a conversation
   *
   * You get the members who work in the workspace, by name, present or not.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/assignees`
   */
  listAssignees(
    workspaceId: string,
    query?: Query<"conversations.listAssignees">,
    options?: RequestOptions,
  ): List<Item<"conversations.listAssignees">, Result<"conversations.listAssignees">>;
  /**
   * Count the conversations of an inbox
   *
   * You get a count for each view, up to 1,000. Poll it like a list.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversation-counts`
   */
  count(query?: Query<"conversations.count">, options?: RequestOptions): Promise<Result<"conversations.count">>;
  /**
   * Cancel a reply that is held
   *
   * You get its text and files back, to go on with. The contact never sees the reply. It stays in the conversation as an internal message with the status `cancelled`, and the contact waits again. If it has left, or is leaving, the answer is 409.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/messages/{id}/cancel`
   */
  cancelReply(id: string, options?: RequestOptions): Promise<Result<"conversations.cancelReply">>;
  /**
   * Read your draft in a conversation
   *
   * You have one in each; nobody else can read it. If you have none, the body is empty and `updatedAt` is null.
   *
   * API key: none. Session: owners, admins and agents; agents in their workspaces.
   *
   * `GET /api/conversations/{id}/draft`
   */
  getDraft(id: string, options?: RequestOptions): Promise<Result<"conversations.getDraft">>;
  /**
   * Save your draft in a conversation
   *
   * It replaces the draft before. Give `ifUpdatedAt` so that two tabs do not overwrite each other. A reply or note with `draftUpdatedAt` removes the draft. A draft that nobody touches for 90 days is deleted.
   *
   * API key: none. Session: owners, admins and agents; agents in their workspaces.
   *
   * `PUT /api/conversations/{id}/draft`
   */
  saveDraft(
    id: string,
    body: Body<"conversations.saveDraft">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.saveDraft">>;
  /**
   * Delete your draft in a conversation
   *
   * If you have none, nothing happens.
   *
   * API key: none. Session: owners, admins and agents; agents in their workspaces.
   *
   * `DELETE /api/conversations/{id}/draft`
   */
  deleteDraft(id: string, options?: RequestOptions): Promise<Result<"conversations.deleteDraft">>;
  /**
   * Say that you look at a conversation or type in it
   *
   * You can also say that you have left it. It lasts 20 seconds, so say it again every 10. If you have a conversation open twice, the last request counts. Observers cannot be `typing` (403).
   *
   * API key: none. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `PUT /api/conversations/{id}/viewing`
   */
  setViewing(
    id: string,
    body: Body<"conversations.setViewing">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.setViewing">>;
  /**
   * List who else looks at a conversation
   *
   * You get the other members who look at it or type in it, by name.
   *
   * API key: none. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations/{id}/viewers`
   */
  listViewers(
    id: string,
    query?: Query<"conversations.listViewers">,
    options?: RequestOptions,
  ): List<Item<"conversations.listViewers">, Result<"conversations.listViewers">>;
  /**
   * List who takes part besides the contact
   *
   * A reply goes to all of them, unless it names others.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations/{id}/participants`
   */
  listParticipants(
    id: string,
    options?: RequestOptions,
  ): List<Item<"conversations.listParticipants">, Result<"conversations.listParticipants">>;
  /**
   * Add somebody to a conversation by mail
   *
   * There are at most 50.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/participants`
   */
  addParticipant(
    id: string,
    body: Body<"conversations.addParticipant">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.addParticipant">>;
  /**
   * Take somebody out of a conversation, or everybody
   *
   * Mails that others send do not bring them back.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `DELETE /api/conversations/{id}/participants`
   */
  removeParticipants(
    id: string,
    query?: Query<"conversations.removeParticipants">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.removeParticipants">>;
  /**
   * Forward a message to a third person by mail
   *
   * The conversation keeps a note of it, `messageId`. The contact sees neither that nor the answer.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/messages/{id}/forward`
   */
  forwardMessage(
    id: string,
    body: Body<"conversations.forwardMessage">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.forwardMessage">>;
  /**
   * Search conversations by what was written, and by whom
   *
   * The search covers their messages (notes included), subjects and contacts. Searching by contacts needs the scope `contacts:read` or a session. Matches in the subject or contact come first, then matches in one message, then conversations that have the words in different places. If little is found, words with one typo match too. Within each group, the most recent activity comes first. The search covers the 1,000 newest messages and the 200 newest subjects and contacts that match.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `POST /api/conversations/search`
   */
  search(
    body: Body<"conversations.search">,
    options?: RequestOptions,
  ): List<Item<"conversations.search">, Result<"conversations.search">>;
  /**
   * See what goes below a reply by mail
   *
   * It has your signature. Without a mailbox it is empty.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations/{id}/mail-frame`
   */
  mailFrame(
    id: string,
    query?: Query<"conversations.mailFrame">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.mailFrame">>;
  /**
   * Read a mail as it was formatted
   *
   * `htmlAvailable` says which messages have one; for others the answer is 404.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/messages/{id}/html`
   */
  mailHtml(
    id: string,
    query?: Query<"conversations.mailHtml">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.mailHtml">>;
  /**
   * Read the mail itself, as it came
   *
   * It has a URL that downloads the file for 5 minutes. 404 if all of it is in the message.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/messages/{id}/original`
   */
  mailOriginal(id: string, options?: RequestOptions): Promise<Result<"conversations.mailOriginal">>;
  /**
   * Read the invitation that came with a message
   *
   * It is the message's first calendar file; without one the answer is 404.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/messages/{id}/invitation`
   */
  invitation(id: string, options?: RequestOptions): Promise<Result<"conversations.invitation">>;
  /**
   * Answer an invitation
   *
   * The organizer gets the answer from the mailbox, and their calendar understands it. The conversation keeps a note of it, `messageId`. The same answer again changes nothing.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/messages/{id}/invitation`
   */
  answerInvitation(
    id: string,
    body: Body<"conversations.answerInvitation">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.answerInvitation">>;
  /**
   * List what the assistant did in a conversation
   *
   * The newest comes first: for each message of the contact that it handled, what it found, what it decided and what it sent.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations/{id}/agent-activity`
   */
  listAgentActivity(
    id: string,
    query?: Query<"conversations.listAgentActivity">,
    options?: RequestOptions,
  ): List<Item<"conversations.listAgentActivity">, Result<"conversations.listAgentActivity">>;
  /**
   * Read what you could answer
   *
   * You get the approved entries of the workspace that fit what the contact wrote since the last reply, at most three. Nothing is sent. A key needs `kb:read` too. Reply with the entry in `citations`, and the outcome of its suggestion is recorded with the reply.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations/{id}/suggestions`
   */
  getSuggestions(
    id: string,
    query?: Query<"conversations.getSuggestions">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.getSuggestions">>;
  /**
   * Record what was made of a suggestion
   *
   * A reply that cites the entry has recorded it already. `used` and `edited` count an answer in the entry's `usage`. The first outcome stays: another one is 409.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/suggestions/{id}/outcome`
   */
  recordSuggestionOutcome(
    id: string,
    body: Body<"conversations.recordSuggestionOutcome">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.recordSuggestionOutcome">>;
  /**
   * Rewrite a text for a reply
   *
   * The language model sees this text and nothing of the conversation. Links that do not stand in it are removed. Nothing is sent or kept.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/rewrite`
   */
  rewriteText(
    id: string,
    body: Body<"conversations.rewriteText">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.rewriteText">>;
  /**
   * Summarise the messages of a conversation
   *
   * Each sentence of the language model names a message and quotes it. For colleagues: notes are read too. Nothing is kept.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/summary`
   */
  summariseMessages(
    id: string,
    body?: Body<"conversations.summariseMessages">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.summariseMessages">>;
  /**
   * Translate a message
   *
   * The language model translates it for whoever reads it. The message stays as it is, and nothing is kept.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/messages/{id}/translation`
   */
  translateMessage(
    id: string,
    body: Body<"conversations.translateMessage">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.translateMessage">>;
  /**
   * Read what a screen shows of a conversation
   *
   * You get it in one request. Each part is what its own operation answers: the newest 50 messages, newest first; the first 10 cases of the conversation, and the first 10 cases and conversations of the contact; the contact's first 10 bookings from a week ago on. Observers have no drafts (403 if they ask for one).
   *
   * API key: none. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations/{id}/overview`
   */
  getOverview(
    id: string,
    query?: Query<"conversations.getOverview">,
    options?: RequestOptions,
  ): Promise<Result<"conversations.getOverview">>;
  /**
   * Send a message again that was not delivered
   *
   * Its `deliveryStatus` is `failed`, and stays so until it is sent. It gets the full number of attempts. If it is already waiting to be sent, nothing changes.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/messages/{id}/retry`
   */
  retryMessage(id: string, options?: RequestOptions): Promise<Result<"conversations.retryMessage">>;
}

export interface BulkActionsMethods {
  /**
   * Change many conversations
   *
   * It concerns those that match the filter now, up to 10,000; if more match, the answer is 409, and if none do, 404. They are changed in the background, one by one, as if you called the operation of each: with the access that you have then.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/bulk-actions`
   */
  create(body: Body<"bulkActions.create">, options?: RequestOptions): Promise<Result<"bulkActions.create">>;
  /**
   * Read how far a bulk action is
   *
   * You see your own; callers that reach the whole tenant see all. They are kept for 30 days.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/bulk-actions/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"bulkActions.get">>;
}

export interface LabelsMethods {
  /**
   * List the labels, by name
   *
   * Conversations can have other labels too, which nobody has defined.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/labels`
   */
  list(query?: Query<"labels.list">, options?: RequestOptions): List<Item<"labels.list">, Result<"labels.list">>;
  /**
   * Define a label
   *
   * It is offered to everyone in the tenant. If one has the name, the answer is 409.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/labels`
   */
  create(body: Body<"labels.create">, options?: RequestOptions): Promise<Result<"labels.create">>;
  /**
   * Change the colour of a label
   *
   * API key: none. Session: owners and admins.
   *
   * `PATCH /api/labels/{id}`
   */
  update(id: string, body: Body<"labels.update">, options?: RequestOptions): Promise<Result<"labels.update">>;
  /**
   * Delete a label
   *
   * It is no longer offered. Conversations that have it keep its name, and are still listed by it.
   *
   * API key: none. Session: owners and admins.
   *
   * `DELETE /api/labels/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"labels.delete">>;
}

export interface CannedRepliesMethods {
  /**
   * List canned replies, by shortcut
   *
   * You get those for all workspaces and those of your workspaces.
   *
   * API key: none. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/canned-replies`
   */
  list(
    query?: Query<"cannedReplies.list">,
    options?: RequestOptions,
  ): List<Item<"cannedReplies.list">, Result<"cannedReplies.list">>;
  /**
   * Create a canned reply
   *
   * Agents make them for their workspaces, owners and admins also for all workspaces. A side has at most 1,000.
   *
   * API key: none. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/canned-replies`
   */
  create(body: Body<"cannedReplies.create">, options?: RequestOptions): Promise<Result<"cannedReplies.create">>;
  /**
   * Change a canned reply
   *
   * Owners and admins change all. An agent changes those that they made for a workspace of theirs.
   *
   * API key: none. Session: owners, admins and agents; agents in their workspaces.
   *
   * `PATCH /api/canned-replies/{id}`
   */
  update(
    id: string,
    body: Body<"cannedReplies.update">,
    options?: RequestOptions,
  ): Promise<Result<"cannedReplies.update">>;
  /**
   * Delete a canned reply
   *
   * Owners and admins delete all. An agent deletes those that they made for a workspace of theirs.
   *
   * API key: none. Session: owners, admins and agents; agents in their workspaces.
   *
   * `DELETE /api/canned-replies/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"cannedReplies.delete">>;
  /**
   * Fill in a canned reply for a conversation
   *
   * The variables get the values that they have there. Put the text into the composer; nothing is sent.
   *
   * API key: none. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/canned-replies/{id}/render`
   */
  render(
    id: string,
    body: Body<"cannedReplies.render">,
    options?: RequestOptions,
  ): Promise<Result<"cannedReplies.render">>;
}

export interface ViewsMethods {
  /**
   * List saved views
   *
   * Shared ones come first, then your own.
   *
   * API key: none. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/views`
   */
  list(query?: Query<"views.list">, options?: RequestOptions): List<Item<"views.list">, Result<"views.list">>;
  /**
   * Save a view
   *
   * It is a filter of the conversation list with a name. You have at most 50 of your own. Owners and admins share views with everybody, at most 100.
   *
   * API key: none. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `POST /api/views`
   */
  create(body: Body<"views.create">, options?: RequestOptions): Promise<Result<"views.create">>;
  /**
   * Change a view
   *
   * It is one of your own, or, if you are an owner or admin, a shared one.
   *
   * API key: none. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `PATCH /api/views/{id}`
   */
  update(id: string, body: Body<"views.update">, options?: RequestOptions): Promise<Result<"views.update">>;
  /**
   * Delete a view
   *
   * It is one of your own, or, if you are an owner or admin, a shared one.
   *
   * API key: none. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `DELETE /api/views/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"views.delete">>;
}

export interface AttentionItemsMethods {
  /**
   * List what needs a person, newest first
   *
   * The same cause in one conversation stays one item while that item is open.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/attention-items`
   */
  list(
    query?: Query<"attentionItems.list">,
    options?: RequestOptions,
  ): List<Item<"attentionItems.list">, Result<"attentionItems.list">>;
  /**
   * Read one attention item
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/attention-items/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"attentionItems.get">>;
  /**
   * Resolve an attention item
   *
   * Resolving it again changes nothing. If its cause comes up again, a new item is raised.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/attention-items/{id}/resolve`
   */
  resolve(id: string, options?: RequestOptions): Promise<Result<"attentionItems.resolve">>;
}

export interface IdentityEventsMethods {
  /**
   * Read every identity event of a conversation, oldest first
   *
   * Each is one step of proving who the caller is.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations/{conversationId}/identity-events`
   */
  list(conversationId: string, options?: RequestOptions): Promise<Result<"identityEvents.list">>;
}

export interface IdentitySettingsMethods {
  /**
   * Read how the workspace proves who is calling
   *
   * These are caps, lifetimes and allowed factors.
   *
   * API key: none. Session: owners and admins.
   *
   * `GET /api/workspaces/{workspaceId}/identity-settings`
   */
  get(workspaceId: string, options?: RequestOptions): Promise<Result<"identitySettings.get">>;
  /**
   * Replace how the workspace proves who is calling
   *
   * Fields that you omit get their default.
   *
   * API key: none. Session: owners and admins.
   *
   * `PUT /api/workspaces/{workspaceId}/identity-settings`
   */
  replace(
    workspaceId: string,
    body: Body<"identitySettings.replace">,
    options?: RequestOptions,
  ): Promise<Result<"identitySettings.replace">>;
}

export interface RetentionSettingsMethods {
  /**
   * Read how long the workspace keeps identity events
   *
   * API key: none. Session: owners and admins.
   *
   * `GET /api/workspaces/{workspaceId}/retention-settings`
   */
  get(workspaceId: string, options?: RequestOptions): Promise<Result<"retentionSettings.get">>;
  /**
   * Replace how long the workspace keeps identity events
   *
   * A field that you omit gets its default. The next daily run deletes events that are now too old, for good.
   *
   * API key: none. Session: owners and admins.
   *
   * `PUT /api/workspaces/{workspaceId}/retention-settings`
   */
  replace(
    workspaceId: string,
    body: Body<"retentionSettings.replace">,
    options?: RequestOptions,
  ): Promise<Result<"retentionSettings.replace">>;
}

export interface VerificationSourcesMethods {
  /**
   * Read where the right answers to questions come from
   *
   * API key: none. Session: owners and admins.
   *
   * `GET /api/workspaces/{workspaceId}/verification-sources`
   */
  get(workspaceId: string, options?: RequestOptions): Promise<Result<"verificationSources.get">>;
  /**
   * Replace all verification sources
   *
   * A source without `credentials` keeps those stored under its name.
   *
   * API key: none. Session: owners and admins.
   *
   * `PUT /api/workspaces/{workspaceId}/verification-sources`
   */
  replace(
    workspaceId: string,
    body: Body<"verificationSources.replace">,
    options?: RequestOptions,
  ): Promise<Result<"verificationSources.replace">>;
}

export interface EidSchemesMethods {
  /**
   * Read the eID schemes that the workspace accepts
   *
   * API key: none. Session: owners and admins.
   *
   * `GET /api/workspaces/{workspaceId}/eid-schemes`
   */
  get(workspaceId: string, options?: RequestOptions): Promise<Result<"eidSchemes.get">>;
  /**
   * Replace all eID schemes
   *
   * A scheme without `clientSecret` keeps the one stored under its name. Approvals that wait for a scheme that you remove, or give another issuer, end as expired.
   *
   * API key: none. Session: owners and admins.
   *
   * `PUT /api/workspaces/{workspaceId}/eid-schemes`
   */
  replace(
    workspaceId: string,
    body: Body<"eidSchemes.replace">,
    options?: RequestOptions,
  ): Promise<Result<"eidSchemes.replace">>;
}

export interface VerificationMethods {
  /**
   * Get questions to put to the caller
   *
   * They come from the workspace's sources. A person of whom nothing is on file is asked the same ones. Returns 409 while verification is locked, or if no source is attached.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/verification/questions`
   */
  askQuestions(
    id: string,
    body?: Body<"verification.askQuestions">,
    options?: RequestOptions,
  ): Promise<Result<"verification.askQuestions">>;
  /**
   * Give the caller's answer to one question
   *
   * Each question can be answered once. Returns 409, and compares nothing, once a cap on wrong answers is reached.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/verification/answers`
   */
  submitAnswer(
    id: string,
    body: Body<"verification.submitAnswer">,
    options?: RequestOptions,
  ): Promise<Result<"verification.submitAnswer">>;
  /**
   * Require an assurance level of a conversation
   *
   * Do this before an action that needs it. Returns 409 with what is missing if the conversation does not have the level.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/verification/require`
   */
  require(
    id: string,
    body: Body<"verification.require">,
    options?: RequestOptions,
  ): Promise<Result<"verification.require">>;
  /**
   * Forgive the wrong answers that lock verification
   *
   * They are those of this conversation, its contact and its caller ID.
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/conversations/{id}/verification/unlock`
   */
  unlock(id: string, options?: RequestOptions): Promise<Result<"verification.unlock">>;
  /**
   * Read the assurance level of a conversation
   *
   * You get the factors behind it, and which locks apply.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations/{id}/assurance`
   */
  getAssurance(id: string, options?: RequestOptions): Promise<Result<"verification.getAssurance">>;
  /**
   * Send the contact a link by email or SMS
   *
   * Pressing the button behind it proves that the address is theirs. It raises the level if the contact was created with the address, or has had it for `addressCoolOffHours`. This works while questions are locked too. A new link replaces the conversation's earlier one. At most 5 links and codes are sent to one contact in 10 minutes; then 429.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/verification/magic-links`
   */
  sendMagicLink(
    id: string,
    body: Body<"verification.sendMagicLink">,
    options?: RequestOptions,
  ): Promise<Result<"verification.sendMagicLink">>;
  /**
   * Send the contact a code of six digits by email or SMS
   *
   * This works while questions are locked too. A new code replaces the conversation's earlier one of the same channel. At most 5 links and codes are sent to one contact in 10 minutes, and 20 codes in 24 hours; then 429.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/verification/codes`
   */
  sendCode(
    id: string,
    body: Body<"verification.sendCode">,
    options?: RequestOptions,
  ): Promise<Result<"verification.sendCode">>;
  /**
   * Check the code that the person received
   *
   * A right one proves that the address is theirs. It raises the level if the contact was created with the address, or has had it for `addressCoolOffHours`. A code can be tried five times; then 409.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/verification/codes/verify`
   */
  verifyCode(
    id: string,
    body: Body<"verification.verifyCode">,
    options?: RequestOptions,
  ): Promise<Result<"verification.verifyCode">>;
  /**
   * Ask the contact for an approval with an eID
   *
   * The contact gets a prompt in their app, or a link in a mail. The result appears in the identity events and at `assurance`. The first approval reaches `high-assurance` only if what the eID says of the person is on file, by the scheme's `binding`. Otherwise it raises no level until a member confirms it. Returns 409 if the scheme does not accept the request, 503 if it cannot be reached.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/conversations/{id}/verification/eid-requests`
   */
  requestEid(
    id: string,
    body: Body<"verification.requestEid">,
    options?: RequestOptions,
  ): Promise<Result<"verification.requestEid">>;
  /**
   * Confirm that the contact is who approved
   *
   * This binds the eID to the contact. Returns 409 unless another proof has identified the caller and still counts, and the approval waits for a confirmation (see `assurance`).
   *
   * API key: none. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/eid-requests/{id}/confirm`
   */
  confirmEid(id: string, options?: RequestOptions): Promise<Result<"verification.confirmEid">>;
  /**
   * Unbind the eIDs of a contact
   *
   * This is for all schemes. Factors by eID in its conversations end, and their levels fall. The identity events stay. The next approval is a first one again. Returns 409 if the contact was merged into another one.
   *
   * API key: none. Session: owners and admins.
   *
   * `DELETE /api/contacts/{id}/eid-binding`
   */
  unbindEid(id: string, options?: RequestOptions): Promise<Result<"verification.unbindEid">>;
}

export interface VerificationPagesMethods {
  /**
   * Show the page behind a magic link
   *
   * It says who asks, and has one button. Opening it does not use the link up.
   *
   * `GET /api/public/verifications/{token}`
   */
  show(token: string, options?: RequestOptions): Promise<Result<"verificationPages.show">>;
  /**
   * Redeem a magic link, once
   *
   * This is the button of the page. With `requireLinkCode`, the body has the two digits that the conversation shows, as `code`, in a form or as JSON. Otherwise the body is ignored.
   *
   * `POST /api/public/verifications/{token}`
   */
  confirm(token: string, options?: RequestOptions): Promise<Result<"verificationPages.confirm">>;
}

export interface EidPagesMethods {
  /**
   * Show the page that an eID link leads to
   *
   * It has one button. Opening it does not use the link up.
   *
   * `GET /api/public/eid/start/{token}`
   */
  show(token: string, options?: RequestOptions): Promise<Result<"eidPages.show">>;
  /**
   * Go to the provider of the eID
   *
   * This is the button of the page.
   *
   * `POST /api/public/eid/start/{token}`
   */
  begin(token: string, options?: RequestOptions): Promise<Result<"eidPages.begin">>;
  /**
   * Come back from the provider of the eID
   *
   * Its answer counts once, in the browser that went there.
   *
   * `GET /api/public/eid/callback`
   */
  complete(query?: Query<"eidPages.complete">, options?: RequestOptions): Promise<Result<"eidPages.complete">>;
}

export interface KbEntriesMethods {
  /**
   * List the knowledge base entries of a workspace, newest first
   *
   * API key: scope `kb:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/kb-entries`
   */
  list(
    workspaceId: string,
    query?: Query<"kbEntries.list">,
    options?: RequestOptions,
  ): List<Item<"kbEntries.list">, Result<"kbEntries.list">>;
  /**
   * Create an entry, approved or pending
   *
   * The answer lists likely duplicates and contradictions.
   *
   * API key: scope `kb:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/workspaces/{workspaceId}/kb-entries`
   */
  create(
    workspaceId: string,
    body: Body<"kbEntries.create">,
    options?: RequestOptions,
  ): Promise<Result<"kbEntries.create">>;
  /**
   * List the entries that wait for approval, oldest first
   *
   * API key: scope `kb:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/kb-entries/pending`
   */
  listPending(
    workspaceId: string,
    query?: Query<"kbEntries.listPending">,
    options?: RequestOptions,
  ): List<Item<"kbEntries.listPending">, Result<"kbEntries.listPending">>;
  /**
   * Find approved entries that answer a question
   *
   * The wording does not matter. The best match comes first. The search shows changes immediately and leaves out expired entries.
   *
   * API key: scope `kb:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/kb-entries/search`
   */
  search(
    workspaceId: string,
    query?: Query<"kbEntries.search">,
    options?: RequestOptions,
  ): List<Item<"kbEntries.search">, Result<"kbEntries.search">>;
  /**
   * Import entries line by line
   *
   * Valid lines are imported. The answer lists the invalid lines, and likely duplicates and contradictions.
   *
   * API key: scope `kb:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/workspaces/{workspaceId}/kb-entries/import`
   */
  import(
    workspaceId: string,
    body: Body<"kbEntries.import">,
    options?: RequestOptions,
  ): Promise<Result<"kbEntries.import">>;
  /**
   * Export entries in the import format, a thousand at a time
   *
   * API key: scope `kb:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `GET /api/workspaces/{workspaceId}/kb-entries/export`
   */
  export(
    workspaceId: string,
    query?: Query<"kbEntries.export">,
    options?: RequestOptions,
  ): List<Item<"kbEntries.export">, Result<"kbEntries.export">>;
  /**
   * Read one entry
   *
   * API key: scope `kb:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/kb-entries/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"kbEntries.get">>;
  /**
   * Edit an entry before it is approved
   *
   * The edit becomes its next version. A reviewed entry cannot be edited: 409.
   *
   * API key: scope `kb:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `PATCH /api/kb-entries/{id}`
   */
  update(id: string, body: Body<"kbEntries.update">, options?: RequestOptions): Promise<Result<"kbEntries.update">>;
  /**
   * Delete an entry in any state, with its versions
   *
   * API key: scope `kb:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `DELETE /api/kb-entries/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"kbEntries.delete">>;
  /**
   * List the versions of an entry, newest first
   *
   * Each has its author and reason.
   *
   * API key: scope `kb:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/kb-entries/{id}/versions`
   */
  listVersions(
    id: string,
    query?: Query<"kbEntries.listVersions">,
    options?: RequestOptions,
  ): List<Item<"kbEntries.listVersions">, Result<"kbEntries.listVersions">>;
  /**
   * List entries for nearly the same question
   *
   * Approved and pending entries are compared. They are likely duplicates and contradictions, the most similar first.
   *
   * API key: scope `kb:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/kb-entries/{id}/similar`
   */
  listSimilar(
    id: string,
    query?: Query<"kbEntries.listSimilar">,
    options?: RequestOptions,
  ): List<Item<"kbEntries.listSimilar">, Result<"kbEntries.listSimilar">>;
  /**
   * Archive an approved entry
   *
   * It is kept, but searches no longer find it.
   *
   * API key: scope `kb:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/kb-entries/{id}/archive`
   */
  archive(id: string, options?: RequestOptions): Promise<Result<"kbEntries.archive">>;
  /**
   * Approve a pending entry
   *
   * If several requests come at the same time, one succeeds. An entry that is no longer pending is 409 and does not change.
   *
   * API key: scope `kb:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/kb-entries/{id}/approve`
   */
  approve(id: string, body?: Body<"kbEntries.approve">, options?: RequestOptions): Promise<Result<"kbEntries.approve">>;
  /**
   * Reject a pending entry
   *
   * A reason is optional.
   *
   * API key: scope `kb:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/kb-entries/{id}/reject`
   */
  reject(id: string, body?: Body<"kbEntries.reject">, options?: RequestOptions): Promise<Result<"kbEntries.reject">>;
  /**
   * Preview what an entry changes
   *
   * The questions of the last 30 days are asked again with and without the entry, as the assistant would. Nothing changes. An entry that is rejected or archived is 409.
   *
   * API key: scope `kb:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/kb-entries/{id}/impact`
   */
  getImpact(id: string, options?: RequestOptions): Promise<Result<"kbEntries.getImpact">>;
  /**
   * List what the knowledge base lacks
   *
   * These are the questions of the last 30 days that the assistant handed over because no entry answers them, grouped, the most frequent first. Once an approved entry answers a question, it is left out.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/kb-gaps`
   */
  listGaps(workspaceId: string, options?: RequestOptions): Promise<Result<"kbEntries.listGaps">>;
}

export interface SourcesMethods {
  /**
   * List the sources of a workspace, newest first
   *
   * A workspace has at most 100.
   *
   * API key: scope `kb:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/sources`
   */
  list(workspaceId: string, options?: RequestOptions): List<Item<"sources.list">, Result<"sources.list">>;
  /**
   * Add a source
   *
   * It is read soon. What it says is proposed as pending entries with `readFrom`; nothing is in use before somebody approves it.
   *
   * API key: scope `kb:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/workspaces/{workspaceId}/sources`
   */
  create(
    workspaceId: string,
    body: Body<"sources.create">,
    options?: RequestOptions,
  ): Promise<Result<"sources.create">>;
  /**
   * Read one source
   *
   * API key: scope `kb:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/sources/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"sources.get">>;
  /**
   * Change the schedule of a source, or its file
   *
   * To read another address, add another source.
   *
   * API key: scope `kb:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `PATCH /api/sources/{id}`
   */
  update(id: string, body: Body<"sources.update">, options?: RequestOptions): Promise<Result<"sources.update">>;
  /**
   * Delete a source, with its proposals that wait
   *
   * Entries that were approved stay.
   *
   * API key: scope `kb:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `DELETE /api/sources/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"sources.delete">>;
  /**
   * Read a source again, soon
   *
   * What changed there is proposed as an edit, and what is gone as an end. A source that waits or is being read is 409.
   *
   * API key: scope `kb:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/sources/{id}/read`
   */
  read(id: string, options?: RequestOptions): Promise<Result<"sources.read">>;
}

export interface PolicyEntriesMethods {
  /**
   * List the policies of a workspace, newest first
   *
   * API key: scope `policy:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/policy-entries`
   */
  list(
    workspaceId: string,
    query?: Query<"policyEntries.list">,
    options?: RequestOptions,
  ): List<Item<"policyEntries.list">, Result<"policyEntries.list">>;
  /**
   * Create a policy, approved or pending
   *
   * The answer lists likely duplicates and contradictions.
   *
   * API key: scope `policy:write`. Session: owners and admins.
   *
   * `POST /api/workspaces/{workspaceId}/policy-entries`
   */
  create(
    workspaceId: string,
    body: Body<"policyEntries.create">,
    options?: RequestOptions,
  ): Promise<Result<"policyEntries.create">>;
  /**
   * List the policies that wait for approval, oldest first
   *
   * API key: scope `policy:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/policy-entries/pending`
   */
  listPending(
    workspaceId: string,
    query?: Query<"policyEntries.listPending">,
    options?: RequestOptions,
  ): List<Item<"policyEntries.listPending">, Result<"policyEntries.listPending">>;
  /**
   * Find approved policies by meaning
   *
   * The wording does not matter. The best match comes first. The search covers the titles and each line of the rules. It shows changes immediately and leaves out expired policies.
   *
   * API key: scope `policy:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/policy-entries/search`
   */
  search(
    workspaceId: string,
    query?: Query<"policyEntries.search">,
    options?: RequestOptions,
  ): List<Item<"policyEntries.search">, Result<"policyEntries.search">>;
  /**
   * Evaluate which rules apply to a tool in this context
   *
   * You get what the approved and valid rules require, and why. The applying rule with the highest priority decides. Among equal priorities the strictest decides: deny, escalate, require_approval, allow. If no rule applies, the effect is `allow`. An evaluation changes nothing.
   *
   * API key: scope `policy:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `POST /api/workspaces/{workspaceId}/policy-entries/evaluate`
   */
  evaluate(
    workspaceId: string,
    body: Body<"policyEntries.evaluate">,
    options?: RequestOptions,
  ): Promise<Result<"policyEntries.evaluate">>;
  /**
   * Import policies line by line
   *
   * Valid lines are imported. The answer lists the invalid lines, and likely duplicates and contradictions.
   *
   * API key: scope `policy:write`. Session: owners and admins.
   *
   * `POST /api/workspaces/{workspaceId}/policy-entries/import`
   */
  import(
    workspaceId: string,
    body: Body<"policyEntries.import">,
    options?: RequestOptions,
  ): Promise<Result<"policyEntries.import">>;
  /**
   * Export policies in the import format, a thousand at a time
   *
   * API key: scope `policy:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.
   *
   * `GET /api/workspaces/{workspaceId}/policy-entries/export`
   */
  export(
    workspaceId: string,
    query?: Query<"policyEntries.export">,
    options?: RequestOptions,
  ): List<Item<"policyEntries.export">, Result<"policyEntries.export">>;
  /**
   * Read one policy
   *
   * API key: scope `policy:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/policy-entries/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"policyEntries.get">>;
  /**
   * Edit a policy before it is approved
   *
   * The edit becomes its next version. A reviewed policy cannot be edited: 409.
   *
   * API key: scope `policy:write`. Session: owners and admins.
   *
   * `PATCH /api/policy-entries/{id}`
   */
  update(
    id: string,
    body: Body<"policyEntries.update">,
    options?: RequestOptions,
  ): Promise<Result<"policyEntries.update">>;
  /**
   * Delete a policy in any state, with its versions
   *
   * API key: scope `policy:write`. Session: owners and admins.
   *
   * `DELETE /api/policy-entries/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"policyEntries.delete">>;
  /**
   * List the versions of a policy, newest first
   *
   * Each has its author and reason.
   *
   * API key: scope `policy:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/policy-entries/{id}/versions`
   */
  listVersions(
    id: string,
    query?: Query<"policyEntries.listVersions">,
    options?: RequestOptions,
  ): List<Item<"policyEntries.listVersions">, Result<"policyEntries.listVersions">>;
  /**
   * List policies with nearly the same title
   *
   * Approved and pending policies are compared. They are likely duplicates and contradictions, the most similar first.
   *
   * API key: scope `policy:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/policy-entries/{id}/similar`
   */
  listSimilar(
    id: string,
    query?: Query<"policyEntries.listSimilar">,
    options?: RequestOptions,
  ): List<Item<"policyEntries.listSimilar">, Result<"policyEntries.listSimilar">>;
  /**
   * Archive an approved policy
   *
   * It is kept, but searches no longer find it and evaluations no longer apply it.
   *
   * API key: scope `policy:write`. Session: owners and admins.
   *
   * `POST /api/policy-entries/{id}/archive`
   */
  archive(id: string, options?: RequestOptions): Promise<Result<"policyEntries.archive">>;
  /**
   * Approve a pending policy
   *
   * If several requests come at the same time, one succeeds. A policy that is no longer pending is 409 and does not change.
   *
   * API key: scope `policy:write`. Session: owners and admins.
   *
   * `POST /api/policy-entries/{id}/approve`
   */
  approve(
    id: string,
    body?: Body<"policyEntries.approve">,
    options?: RequestOptions,
  ): Promise<Result<"policyEntries.approve">>;
  /**
   * Reject a pending policy
   *
   * A reason is optional.
   *
   * API key: scope `policy:write`. Session: owners and admins.
   *
   * `POST /api/policy-entries/{id}/reject`
   */
  reject(
    id: string,
    body?: Body<"policyEntries.reject">,
    options?: RequestOptions,
  ): Promise<Result<"policyEntries.reject">>;
}

export interface AgentsMethods {
  /**
   * List the agents, platform agents first
   *
   * You see those of the workspaces that you have access to.
   *
   * API key: scope `agents:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/agents`
   */
  list(options?: RequestOptions): List<Item<"agents.list">, Result<"agents.list">>;
  /**
   * Create a custom agent
   *
   * API key: scope `agents:write`. Session: owners and admins.
   *
   * `POST /api/agents`
   */
  create(body: Body<"agents.create">, options?: RequestOptions): Promise<Result<"agents.create">>;
  /**
   * Read one agent
   *
   * API key: scope `agents:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/agents/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"agents.get">>;
  /**
   * Change or pause an agent
   *
   * Platform agents are read-only: 409. An agent that also works in a workspace that you have no access to is 409 too.
   *
   * API key: scope `agents:write`. Session: owners and admins.
   *
   * `PATCH /api/agents/{id}`
   */
  update(id: string, body: Body<"agents.update">, options?: RequestOptions): Promise<Result<"agents.update">>;
  /**
   * Delete a custom agent with its versions
   *
   * API key: scope `agents:write`. Session: owners and admins.
   *
   * `DELETE /api/agents/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"agents.delete">>;
  /**
   * List the versions of an agent's instructions
   *
   * The newest comes first. Each has its author and reason.
   *
   * API key: scope `agents:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/agents/{id}/instructions/versions`
   */
  listInstructionVersions(
    id: string,
    query?: Query<"agents.listInstructionVersions">,
    options?: RequestOptions,
  ): List<Item<"agents.listInstructionVersions">, Result<"agents.listInstructionVersions">>;
  /**
   * Write the next version of an agent's instructions
   *
   * If the instructions are the same, nothing changes.
   *
   * API key: scope `agents:write`. Session: owners and admins.
   *
   * `PUT /api/agents/{id}/instructions`
   */
  setInstructions(
    id: string,
    body: Body<"agents.setInstructions">,
    options?: RequestOptions,
  ): Promise<Result<"agents.setInstructions">>;
}

export interface ChannelWebhooksMethods {
  /**
   * Receive a webhook from a channel's provider
   *
   * It is a message, a call, or the delivery status of a message that you sent. SMS and voice channels expect Twilio's format, signed in `X-Twilio-Signature`, and answer with TwiML. The body is a form in which each field comes once, or JSON whose hash is in the signed URL (`bodySHA256`). A repeated webhook changes nothing. An unknown channel answers like a wrong signature: 401.
   *
   * `POST /api/webhooks/channels/{channelId}`
   */
  receive(
    channelId: string,
    body: Body<"channelWebhooks.receive">,
    options?: RequestOptions,
  ): Promise<Result<"channelWebhooks.receive">>;
  /**
   * Receive a mail from a channel's provider
   *
   * It comes in the format of the provider that `settings.inbound` names: JSON of Postmark with `RawEmail`, a form of Mailgun with `body-mime`, or a message of Amazon SNS. The answer is 200 once the mail is stored; a repeat stores nothing. An unknown channel answers like a wrong credential: 401.
   *
   * `POST /api/webhooks/mail/{channelId}/mime`
   */
  receiveMail(
    channelId: string,
    body: Body<"channelWebhooks.receiveMail">,
    options?: RequestOptions,
  ): Promise<Result<"channelWebhooks.receiveMail">>;
}

export interface WebchatMethods {
  /**
   * Open a session and read the settings of the widget
   *
   * If you send a token of the session in `Authorization: Bearer …`, the session continues with a new token; an expired token is accepted for 30 days. The previous token stops working once the new one is used. Sending an older token ends the session. With `identity` the session belongs to a signed visitor, who sees the same thread on every device; it lasts a day.
   *
   * `POST /api/public/webchat/{publicKey}/sessions`
   */
  openSession(
    publicKey: string,
    body?: Body<"webchat.openSession">,
    options?: RequestOptions,
  ): Promise<Result<"webchat.openSession">>;
  /**
   * Send a message as the visitor
   *
   * The first message creates the contact and the conversation. Sending the same `clientMessageId` again returns the message with status 200. At most 20 messages a minute.
   *
   * `POST /api/public/webchat/{publicKey}/messages`
   */
  sendMessage(
    publicKey: string,
    body: Body<"webchat.sendMessage">,
    options?: RequestOptions,
  ): Promise<Result<"webchat.sendMessage">>;
  /**
   * List the messages from and to the visitor, newest first
   *
   * They are those of the thread that the session continues. If the chat is switched off, the answer is 409.
   *
   * `GET /api/public/webchat/{publicKey}/messages`
   */
  listMessages(
    publicKey: string,
    query?: Query<"webchat.listMessages">,
    options?: RequestOptions,
  ): List<Item<"webchat.listMessages">, Result<"webchat.listMessages">>;
  /**
   * Say that the visitor is typing, or has stopped
   *
   * Your team sees it for 10 seconds, so send it again every 5 while it lasts. Nothing is stored. At most 30 times a minute.
   *
   * `POST /api/public/webchat/{publicKey}/typing`
   */
  setTyping(
    publicKey: string,
    body: Body<"webchat.setTyping">,
    options?: RequestOptions,
  ): Promise<Result<"webchat.setTyping">>;
  /**
   * Upload a file as the visitor
   *
   * Name it in `attachmentIds` of a message within 24 hours.
   *
   * `POST /api/public/webchat/{publicKey}/attachments`
   */
  uploadAttachment(
    publicKey: string,
    body: Body<"webchat.uploadAttachment">,
    options?: RequestOptions,
  ): Promise<Result<"webchat.uploadAttachment">>;
}

export interface KbWidgetsMethods {
  /**
   * List the search widgets of a workspace, oldest first
   *
   * API key: scope `kb:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/kb-widgets`
   */
  list(workspaceId: string, options?: RequestOptions): List<Item<"kbWidgets.list">, Result<"kbWidgets.list">>;
  /**
   * Create a search widget
   *
   * Anyone on its pages can search the approved entries of the workspace.
   *
   * API key: scope `kb:write`. Session: owners and admins.
   *
   * `POST /api/workspaces/{workspaceId}/kb-widgets`
   */
  create(
    workspaceId: string,
    body: Body<"kbWidgets.create">,
    options?: RequestOptions,
  ): Promise<Result<"kbWidgets.create">>;
  /**
   * Change, disable or enable a search widget
   *
   * API key: scope `kb:write`. Session: owners and admins.
   *
   * `PATCH /api/kb-widgets/{id}`
   */
  update(id: string, body: Body<"kbWidgets.update">, options?: RequestOptions): Promise<Result<"kbWidgets.update">>;
  /**
   * Delete a search widget
   *
   * Pages that still contain it show nothing in its place.
   *
   * API key: scope `kb:write`. Session: owners and admins.
   *
   * `DELETE /api/kb-widgets/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"kbWidgets.delete">>;
}

export interface ContactFormWidgetsMethods {
  /**
   * List the contact forms of a workspace, oldest first
   *
   * API key: scope `contacts:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/contact-form-widgets`
   */
  list(
    workspaceId: string,
    options?: RequestOptions,
  ): List<Item<"contactFormWidgets.list">, Result<"contactFormWidgets.list">>;
  /**
   * Create a contact form
   *
   * Its messages start conversations on the workspace's channel of type `contact_form`, which is created with the first form.
   *
   * API key: scope `contacts:write`. Session: owners and admins.
   *
   * `POST /api/workspaces/{workspaceId}/contact-form-widgets`
   */
  create(
    workspaceId: string,
    body: Body<"contactFormWidgets.create">,
    options?: RequestOptions,
  ): Promise<Result<"contactFormWidgets.create">>;
  /**
   * Change, disable or enable a contact form
   *
   * API key: scope `contacts:write`. Session: owners and admins.
   *
   * `PATCH /api/contact-form-widgets/{id}`
   */
  update(
    id: string,
    body: Body<"contactFormWidgets.update">,
    options?: RequestOptions,
  ): Promise<Result<"contactFormWidgets.update">>;
  /**
   * Delete a contact form
   *
   * Its messages are kept.
   *
   * API key: scope `contacts:write`. Session: owners and admins.
   *
   * `DELETE /api/contact-form-widgets/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"contactFormWidgets.delete">>;
}

export interface PublicWidgetsMethods {
  /**
   * Read the appearance of a search widget
   *
   * It is 404 while the widget is disabled or its workspace is archived.
   *
   * `GET /api/public/kb-widgets/{publicKey}`
   */
  getKb(publicKey: string, options?: RequestOptions): Promise<Result<"publicWidgets.getKb">>;
  /**
   * Find the approved entries that answer a question
   *
   * They are in the widget's language. At most 60 requests a minute per client address: 429.
   *
   * `GET /api/public/kb-widgets/{publicKey}/search`
   */
  searchKb(
    publicKey: string,
    query?: Query<"publicWidgets.searchKb">,
    options?: RequestOptions,
  ): Promise<Result<"publicWidgets.searchKb">>;
  /**
   * Read the appearance of a contact form
   *
   * You also get a token that proves when the form was started.
   *
   * `GET /api/public/contact-form-widgets/{publicKey}`
   */
  getContactForm(publicKey: string, options?: RequestOptions): Promise<Result<"publicWidgets.getContactForm">>;
  /**
   * Send a contact form
   *
   * It always starts a new conversation, even if the email address is known, because the sender has not proven that the address is theirs. Likely spam is accepted and labelled `suspected-spam`. At most 10 per client address in 10 minutes: 429.
   *
   * `POST /api/public/contact-form-widgets/{publicKey}/submissions`
   */
  submitContactForm(
    publicKey: string,
    body: Body<"publicWidgets.submitContactForm">,
    options?: RequestOptions,
  ): Promise<Result<"publicWidgets.submitContactForm">>;
  /**
   * Load the script of a widget
   *
   * A page of any origin can load it, for instance `webchat.js`.
   *
   * `GET /widgets/{file}`
   */
  getScript(file: string, options?: RequestOptions): Promise<Result<"publicWidgets.getScript">>;
}

export interface CalendarConnectionsMethods {
  /**
   * List the connected calendar accounts, oldest first
   *
   * API key: scope `calendar:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/calendar/connections`
   */
  list(
    query?: Query<"calendarConnections.list">,
    options?: RequestOptions,
  ): List<Item<"calendarConnections.list">, Result<"calendarConnections.list">>;
  /**
   * Connect an account on a CalDAV server
   *
   * Its calendars are discovered in the background, right after this; `lastSyncedAt` or `lastError` shows the result. The test side calls no server. A workspace has at most 50 connections: 409.
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/calendar/connections`
   */
  create(
    body: Body<"calendarConnections.create">,
    options?: RequestOptions,
  ): Promise<Result<"calendarConnections.create">>;
  /**
   * Read one connection
   *
   * Its credentials are never shown.
   *
   * API key: scope `calendar:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/calendar/connections/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"calendarConnections.get">>;
  /**
   * Change a connection, such as its password or address
   *
   * It is tried right away, even if it had expired.
   *
   * API key: scope `calendar:write`. Session: owners and admins.
   *
   * `PATCH /api/calendar/connections/{id}`
   */
  update(
    id: string,
    body: Body<"calendarConnections.update">,
    options?: RequestOptions,
  ): Promise<Result<"calendarConnections.update">>;
  /**
   * Disconnect an account
   *
   * Its credentials are deleted. Bookings and their events in the calendar stay, but are no longer synced.
   *
   * API key: scope `calendar:write`. Session: owners and admins.
   *
   * `DELETE /api/calendar/connections/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"calendarConnections.delete">>;
  /**
   * List the calendars of an account, the primary one first
   *
   * API key: scope `calendar:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/calendar/connections/{id}/calendars`
   */
  listCalendars(
    id: string,
    options?: RequestOptions,
  ): List<Item<"calendarConnections.listCalendars">, Result<"calendarConnections.listCalendars">>;
}

export interface BookingsMethods {
  /**
   * List bookings, ordered by their start
   *
   * API key: scope `calendar:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/calendar/bookings`
   */
  list(query?: Query<"bookings.list">, options?: RequestOptions): List<Item<"bookings.list">, Result<"bookings.list">>;
  /**
   * Book a time
   *
   * It is taken at once and written to the calendar in the background; `syncStatus` shows when that is done. Returns 409 if the time is busy, unless `force` is true.
   *
   * API key: scope `calendar:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/calendar/bookings`
   */
  create(body: Body<"bookings.create">, options?: RequestOptions): Promise<Result<"bookings.create">>;
  /**
   * Read one booking
   *
   * API key: scope `calendar:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/calendar/bookings/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"bookings.get">>;
  /**
   * Change a booking
   *
   * Other fields that were changed in the calendar in the meantime keep those changes.
   *
   * API key: scope `calendar:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `PATCH /api/calendar/bookings/{id}`
   */
  update(id: string, body: Body<"bookings.update">, options?: RequestOptions): Promise<Result<"bookings.update">>;
  /**
   * Read when calendars are busy
   *
   * Bookings and other people's events count. The texts of those events are not stored.
   *
   * API key: scope `calendar:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/calendar/free-busy`
   */
  getFreeBusy(query?: Query<"bookings.getFreeBusy">, options?: RequestOptions): Promise<Result<"bookings.getFreeBusy">>;
}

export interface CsatConfigMethods {
  /**
   * Read the survey configuration of a workspace
   *
   * It says whether, when and what the survey asks contacts after a conversation.
   *
   * API key: scope `quality:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/csat-config`
   */
  get(workspaceId: string, options?: RequestOptions): Promise<Result<"csatConfig.get">>;
  /**
   * Replace the survey configuration of a workspace
   *
   * Fields that are left out get their defaults.
   *
   * API key: scope `quality:write`. Session: owners and admins.
   *
   * `PUT /api/workspaces/{workspaceId}/csat-config`
   */
  replace(
    workspaceId: string,
    body: Body<"csatConfig.replace">,
    options?: RequestOptions,
  ): Promise<Result<"csatConfig.replace">>;
}

export interface CsatMethods {
  /**
   * Count the surveys and answers of a period
   *
   * Days are in UTC. Erased answers stay counted.
   *
   * API key: scope `quality:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/quality/csat`
   */
  getStatistics(query?: Query<"csat.getStatistics">, options?: RequestOptions): Promise<Result<"csat.getStatistics">>;
  /**
   * List the answers with their comments, newest first
   *
   * API key: scope `quality:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/quality/csat/ratings`
   */
  listRatings(
    query?: Query<"csat.listRatings">,
    options?: RequestOptions,
  ): List<Item<"csat.listRatings">, Result<"csat.listRatings">>;
}

export interface CsatPagesMethods {
  /**
   * Show a survey
   *
   * Opening it stores nothing. `score` preselects an answer; values that the scale does not have are ignored.
   *
   * `GET /api/public/csat/{token}`
   */
  show(token: string, query?: Query<"csatPages.show">, options?: RequestOptions): Promise<Result<"csatPages.show">>;
  /**
   * Answer a survey with a form
   *
   * The form has `score` and optionally `comment`. Only the first answer counts. A comment can be added within a day.
   *
   * `POST /api/public/csat/{token}`
   */
  submit(token: string, body: Body<"csatPages.submit">, options?: RequestOptions): Promise<Result<"csatPages.submit">>;
}

export interface QualityScoresMethods {
  /**
   * List how good agents, KB entries, channels and tools are
   *
   * A score is the share of good outcomes, with its confidence interval.
   *
   * API key: scope `quality:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/quality/scores`
   */
  list(
    query?: Query<"qualityScores.list">,
    options?: RequestOptions,
  ): List<Item<"qualityScores.list">, Result<"qualityScores.list">>;
}

export interface CircuitBreakersMethods {
  /**
   * List the circuit breakers, newest first
   *
   * API key: scope `quality:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/quality/circuit-breakers`
   */
  list(
    query?: Query<"circuitBreakers.list">,
    options?: RequestOptions,
  ): List<Item<"circuitBreakers.list">, Result<"circuitBreakers.list">>;
  /**
   * Resolve a circuit breaker
   *
   * What it stopped continues, and its attention item is resolved. The outcomes that tripped it never trip it again. An entry that was sent back to review stays there. A resolved breaker does not change.
   *
   * API key: scope `quality:write`. Session: owners and admins.
   *
   * `POST /api/quality/circuit-breakers/{id}/resolve`
   */
  resolve(
    id: string,
    body?: Body<"circuitBreakers.resolve">,
    options?: RequestOptions,
  ): Promise<Result<"circuitBreakers.resolve">>;
}

export interface BreakerSettingsMethods {
  /**
   * Read the circuit breaker settings of a workspace
   *
   * They say when circuit breakers trip, and what they do then.
   *
   * API key: scope `quality:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/breaker-settings`
   */
  get(workspaceId: string, options?: RequestOptions): Promise<Result<"breakerSettings.get">>;
  /**
   * Replace a workspace's circuit breaker settings
   *
   * Metrics that are left out get their defaults. Tripped breakers do not change.
   *
   * API key: scope `quality:write`. Session: owners and admins.
   *
   * `PUT /api/workspaces/{workspaceId}/breaker-settings`
   */
  replace(
    workspaceId: string,
    body: Body<"breakerSettings.replace">,
    options?: RequestOptions,
  ): Promise<Result<"breakerSettings.replace">>;
}

export interface ReportsMethods {
  /**
   * List the rows behind a report, newest first
   *
   * With `Accept: text/csv` you get all of them as a file, at most 100,000.
   *
   * API key: scope `quality:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/reports/conversations`
   */
  listConversations(
    query?: Query<"reports.listConversations">,
    options?: RequestOptions,
  ): List<Item<"reports.listConversations">, Result<"reports.listConversations">>;
  /**
   * Read a report
   *
   * Its figures are those of the period, of each interval and of each group, each beside those of the period before. docs/reports.md defines them.
   *
   * API key: scope `quality:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/reports/{name}`
   */
  get(name: string, query?: Query<"reports.get">, options?: RequestOptions): Promise<Result<"reports.get">>;
}

export interface AssistantSettingsMethods {
  /**
   * Read when the assistant answers in a workspace
   *
   * Three thresholds say when it answers, asks back or hands over.
   *
   * API key: scope `agents:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/assistant`
   */
  get(workspaceId: string, options?: RequestOptions): Promise<Result<"assistantSettings.get">>;
  /**
   * Replace when the assistant answers in a workspace
   *
   * Thresholds that are left out get their defaults.
   *
   * API key: scope `agents:write`. Session: owners and admins.
   *
   * `PUT /api/workspaces/{workspaceId}/assistant`
   */
  replace(
    workspaceId: string,
    body: Body<"assistantSettings.replace">,
    options?: RequestOptions,
  ): Promise<Result<"assistantSettings.replace">>;
  /**
   * Preview thresholds with the last 200 questions
   *
   * You see what they would have decided, and which questions they decide otherwise than the present ones, as without a language model. Nothing changes.
   *
   * API key: scope `agents:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `POST /api/workspaces/{workspaceId}/assistant/preview`
   */
  preview(
    workspaceId: string,
    body?: Body<"assistantSettings.preview">,
    options?: RequestOptions,
  ): Promise<Result<"assistantSettings.preview">>;
}

export interface ProceduresMethods {
  /**
   * List the procedures of a workspace, by name
   *
   * API key: scope `agents:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/procedures`
   */
  list(
    workspaceId: string,
    query?: Query<"procedures.list">,
    options?: RequestOptions,
  ): List<Item<"procedures.list">, Result<"procedures.list">>;
  /**
   * Create a procedure
   *
   * The tools and the entries that it names must exist in the workspace. A workspace has at most 100.
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/workspaces/{workspaceId}/procedures`
   */
  create(
    workspaceId: string,
    body: Body<"procedures.create">,
    options?: RequestOptions,
  ): Promise<Result<"procedures.create">>;
  /**
   * Read one procedure
   *
   * API key: scope `agents:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/procedures/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"procedures.get">>;
  /**
   * Change a procedure
   *
   * Conversations that are in it go on with the steps that they began with.
   *
   * API key: none. Session: owners and admins.
   *
   * `PATCH /api/procedures/{id}`
   */
  update(id: string, body: Body<"procedures.update">, options?: RequestOptions): Promise<Result<"procedures.update">>;
  /**
   * Delete a procedure
   *
   * Conversations that are in it leave it.
   *
   * API key: none. Session: owners and admins.
   *
   * `DELETE /api/procedures/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"procedures.delete">>;
  /**
   * Try a procedure
   *
   * No tool is called, and nothing is sent or kept: you say what the tools answer.
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/procedures/{id}/try`
   */
  try(id: string, body: Body<"procedures.try">, options?: RequestOptions): Promise<Result<"procedures.try">>;
}

export interface AssistantTestsMethods {
  /**
   * List the assistant's tests, by name
   *
   * A workspace has at most 100.
   *
   * API key: scope `agents:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/assistant-tests`
   */
  list(workspaceId: string, options?: RequestOptions): List<Item<"assistantTests.list">, Result<"assistantTests.list">>;
  /**
   * Create a test, or save a conversation as one
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/workspaces/{workspaceId}/assistant-tests`
   */
  create(
    workspaceId: string,
    body: Body<"assistantTests.create">,
    options?: RequestOptions,
  ): Promise<Result<"assistantTests.create">>;
  /**
   * Run tests, against what is in use or a draft
   *
   * They are played soon: read the run until it is `done`. Nothing is sent, no tool is called, and no language model is asked. At most 10 runs of a workspace wait at once (409).
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/workspaces/{workspaceId}/assistant-tests/run`
   */
  run(
    workspaceId: string,
    body?: Body<"assistantTests.run">,
    options?: RequestOptions,
  ): Promise<Result<"assistantTests.run">>;
  /**
   * Read a run
   *
   * The newest 50 are kept, for 30 days.
   *
   * API key: scope `agents:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/assistant-tests/runs/{id}`
   */
  getRun(id: string, options?: RequestOptions): Promise<Result<"assistantTests.getRun">>;
  /**
   * List the conversations that a rehearsal changes
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/assistant-tests/runs/{id}/conversations`
   */
  listChanged(
    id: string,
    query?: Query<"assistantTests.listChanged">,
    options?: RequestOptions,
  ): List<Item<"assistantTests.listChanged">, Result<"assistantTests.listChanged">>;
  /**
   * Read one test
   *
   * API key: scope `agents:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/assistant-tests/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"assistantTests.get">>;
  /**
   * Change a test
   *
   * Its last result is forgotten.
   *
   * API key: none. Session: owners and admins.
   *
   * `PATCH /api/assistant-tests/{id}`
   */
  update(
    id: string,
    body: Body<"assistantTests.update">,
    options?: RequestOptions,
  ): Promise<Result<"assistantTests.update">>;
  /**
   * Delete a test
   *
   * API key: none. Session: owners and admins.
   *
   * `DELETE /api/assistant-tests/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"assistantTests.delete">>;
  /**
   * Rehearse a draft
   *
   * The tests and the conversations of the last 30 days are played soon, as a run of tests is: read the run until it is `done`.
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/workspaces/{workspaceId}/assistant-rehearsal`
   */
  rehearse(
    workspaceId: string,
    body: Body<"assistantTests.rehearse">,
    options?: RequestOptions,
  ): Promise<Result<"assistantTests.rehearse">>;
}

export interface CasesMethods {
  /**
   * List cases, newest first
   *
   * With `q`, only those that have the words, or the number.
   *
   * API key: scope `cases:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/cases`
   */
  list(query?: Query<"cases.list">, options?: RequestOptions): List<Item<"cases.list">, Result<"cases.list">>;
  /**
   * Open a case
   *
   * It gets the workspace's next number.
   *
   * API key: none. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/cases`
   */
  create(body: Body<"cases.create">, options?: RequestOptions): Promise<Result<"cases.create">>;
  /**
   * Read one case
   *
   * API key: scope `cases:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/cases/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"cases.get">>;
  /**
   * Change a case
   *
   * Each value that changes becomes an event. A value that stays the same does not.
   *
   * API key: none. Session: owners, admins and agents; agents in their workspaces.
   *
   * `PATCH /api/cases/{id}`
   */
  update(id: string, body: Body<"cases.update">, options?: RequestOptions): Promise<Result<"cases.update">>;
  /**
   * List what happened to a case, oldest first
   *
   * API key: scope `cases:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/cases/{id}/events`
   */
  listEvents(
    id: string,
    query?: Query<"cases.listEvents">,
    options?: RequestOptions,
  ): List<Item<"cases.listEvents">, Result<"cases.listEvents">>;
}

export interface CaseTypesMethods {
  /**
   * List the case types, by key
   *
   * API key: scope `cases:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/case-types`
   */
  list(options?: RequestOptions): List<Item<"caseTypes.list">, Result<"caseTypes.list">>;
  /**
   * Create a case type with its fields
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/case-types`
   */
  create(body: Body<"caseTypes.create">, options?: RequestOptions): Promise<Result<"caseTypes.create">>;
  /**
   * Change a case type
   *
   * API key: none. Session: owners and admins.
   *
   * `PATCH /api/case-types/{id}`
   */
  update(id: string, body: Body<"caseTypes.update">, options?: RequestOptions): Promise<Result<"caseTypes.update">>;
}

export interface ConsumptionMethods {
  /**
   * Count messages and tokens by day (UTC) and by workspace
   *
   * Each message counts on the day when it was received or sent, and still counts after it was erased or deleted. Tokens are those of the assistant's language model.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents, observers and billing users; agents and observers in their workspaces.
   *
   * `GET /api/consumption`
   */
  get(query?: Query<"consumption.get">, options?: RequestOptions): Promise<Result<"consumption.get">>;
  /**
   * Count the messages and tokens of one conversation, by day
   *
   * Days are in UTC.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations/{id}/consumption`
   */
  getForConversation(id: string, options?: RequestOptions): Promise<Result<"consumption.getForConversation">>;
}

export interface ChangesMethods {
  /**
   * Read what changed, oldest first
   *
   * Each row is shown only to callers who can read the resource now, so a key needs a scope that reads, and sees the resources of its scopes. Keep the `cursor` of each answer and give it as `after` of the next request: you miss nothing and get nothing twice. Rows are kept for 7 days unless the server is set up otherwise; an older cursor is 410, and then you read the resources again.
   *
   * API key: any scope that ends in `:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/changes`
   */
  list(query?: Query<"changes.list">, options?: RequestOptions): Promise<Result<"changes.list">>;
}

export interface WebhookEndpointsMethods {
  /**
   * List the endpoints of this side (live or test), newest first
   *
   * Webhooks answer 403 until the tenant turns on `webhooksPreview`.
   *
   * API key: none. Session: owners and admins.
   *
   * `GET /api/webhook-endpoints`
   */
  list(options?: RequestOptions): List<Item<"webhookEndpoints.list">, Result<"webhookEndpoints.list">>;
  /**
   * Create an endpoint
   *
   * It gets what happens from now on. The secret that signs is in this answer and is never shown again.
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/webhook-endpoints`
   */
  create(body: Body<"webhookEndpoints.create">, options?: RequestOptions): Promise<Result<"webhookEndpoints.create">>;
  /**
   * Get an endpoint
   *
   * API key: none. Session: owners and admins.
   *
   * `GET /api/webhook-endpoints/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"webhookEndpoints.get">>;
  /**
   * Change an endpoint
   *
   * What waits for it goes to the new URL; while it is disabled, what waits fails.
   *
   * API key: none. Session: owners and admins.
   *
   * `PATCH /api/webhook-endpoints/{id}`
   */
  update(
    id: string,
    body: Body<"webhookEndpoints.update">,
    options?: RequestOptions,
  ): Promise<Result<"webhookEndpoints.update">>;
  /**
   * Delete an endpoint with its deliveries
   *
   * What waits for it is not sent.
   *
   * API key: none. Session: owners and admins.
   *
   * `DELETE /api/webhook-endpoints/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"webhookEndpoints.delete">>;
  /**
   * Send a test event to an active endpoint
   *
   * The event is `webhook.test`, signed and delivered as all events are.
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/webhook-endpoints/{id}/test`
   */
  test(id: string, options?: RequestOptions): Promise<Result<"webhookEndpoints.test">>;
  /**
   * Make a new secret
   *
   * For 24 hours the old one signs as well, so that you can change it at the receiver.
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/webhook-endpoints/{id}/rotate-secret`
   */
  rotateSecret(id: string, options?: RequestOptions): Promise<Result<"webhookEndpoints.rotateSecret">>;
  /**
   * List the deliveries to an endpoint, newest first
   *
   * Each says what was sent and what became of it. Deliveries are kept for 30 days.
   *
   * API key: none. Session: owners and admins.
   *
   * `GET /api/webhook-endpoints/{id}/deliveries`
   */
  listDeliveries(
    id: string,
    query?: Query<"webhookEndpoints.listDeliveries">,
    options?: RequestOptions,
  ): List<Item<"webhookEndpoints.listDeliveries">, Result<"webhookEndpoints.listDeliveries">>;
  /**
   * Send again everything that failed since a time
   *
   * The oldest comes first, up to 500 deliveries at once.
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/webhook-endpoints/{id}/redeliver`
   */
  redeliver(
    id: string,
    body: Body<"webhookEndpoints.redeliver">,
    options?: RequestOptions,
  ): Promise<Result<"webhookEndpoints.redeliver">>;
}

export interface WebhookDeliveriesMethods {
  /**
   * Send a delivery again
   *
   * It is the same event with the same `id` and `idempotencyKey`, up to three attempts. If it is waiting already, nothing changes.
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/webhook-deliveries/{id}/redeliver`
   */
  redeliver(id: string, options?: RequestOptions): Promise<Result<"webhookDeliveries.redeliver">>;
}

export interface CapturedMessagesMethods {
  /**
   * List what the test side would have sent, newest first
   *
   * On the live side, which really sends, this is 404.
   *
   * API key: none. Session: owners and admins.
   *
   * `GET /api/captured-messages`
   */
  list(
    query?: Query<"capturedMessages.list">,
    options?: RequestOptions,
  ): List<Item<"capturedMessages.list">, Result<"capturedMessages.list">>;
}

export interface OutboxMethods {
  /**
   * List outgoing messages, newest first
   *
   * By default only those that were given up. The texts are not shown.
   *
   * API key: none. Session: owners and admins.
   *
   * `GET /api/outbox`
   */
  list(query?: Query<"outbox.list">, options?: RequestOptions): List<Item<"outbox.list">, Result<"outbox.list">>;
  /**
   * Send a message again that was given up
   *
   * It gets the full number of attempts. If it is already waiting to be sent, nothing changes.
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/outbox/{id}/retry`
   */
  retry(id: string, options?: RequestOptions): Promise<Result<"outbox.retry">>;
}

export interface AuthProviderMethods {
  /**
   * Receive an event from the authentication provider
   *
   * `organization.created` creates the tenant with its live and test side, a default brand and workspace on each, and invites the owner. It is signed as in Standard Webhooks. A duplicate gets the same answer. Events of other types are acknowledged and ignored.
   *
   * `POST /api/webhooks/auth-provider`
   */
  receive(body: Body<"authProvider.receive">, options?: RequestOptions): Promise<Result<"authProvider.receive">>;
}

export interface ErasureRequestsMethods {
  /**
   * Read an erasure again, with its certificate
   *
   * API key: scope `contacts:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/erasure-requests/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"erasureRequests.get">>;
}

export interface ToolsMethods {
  /**
   * List the tools of a workspace, by name
   *
   * An agent uses those that it lists in `tools`.
   *
   * API key: scope `agents:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/workspaces/{workspaceId}/tools`
   */
  list(
    workspaceId: string,
    query?: Query<"tools.list">,
    options?: RequestOptions,
  ): List<Item<"tools.list">, Result<"tools.list">>;
  /**
   * Create a tool
   *
   * Parley calls it with the arguments, and says for which contact and conversation. A workspace has at most 200.
   *
   * API key: none. Session: owners and admins.
   *
   * `POST /api/workspaces/{workspaceId}/tools`
   */
  create(workspaceId: string, body: Body<"tools.create">, options?: RequestOptions): Promise<Result<"tools.create">>;
  /**
   * Change a tool
   *
   * Calls that wait for an approval have to be looked at again.
   *
   * API key: none. Session: owners and admins.
   *
   * `PATCH /api/tools/{id}`
   */
  update(id: string, body: Body<"tools.update">, options?: RequestOptions): Promise<Result<"tools.update">>;
  /**
   * Delete a tool
   *
   * Calls that wait for an approval are not made any more.
   *
   * API key: none. Session: owners and admins.
   *
   * `DELETE /api/tools/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<Result<"tools.delete">>;
}

export interface PendingActionsMethods {
  /**
   * List pending actions, newest first
   *
   * Each is something that an agent wants to do and a person has to approve.
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/pending-actions`
   */
  list(
    query?: Query<"pendingActions.list">,
    options?: RequestOptions,
  ): List<Item<"pendingActions.list">, Result<"pendingActions.list">>;
  /**
   * Read one pending action
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/pending-actions/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Result<"pendingActions.get">>;
  /**
   * Approve a pending action, which is then carried out once
   *
   * Send the `argumentsHash` that you have seen. The policies and the contact's assurance level must still allow it. Who brought in what it rests on cannot approve it: 409.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/pending-actions/{id}/approve`
   */
  approve(
    id: string,
    body: Body<"pendingActions.approve">,
    options?: RequestOptions,
  ): Promise<Result<"pendingActions.approve">>;
  /**
   * Reject a pending action
   *
   * The contact is told, and people handle the conversation.
   *
   * API key: scope `conversations:write`. Session: owners, admins and agents; agents in their workspaces.
   *
   * `POST /api/pending-actions/{id}/reject`
   */
  reject(
    id: string,
    body?: Body<"pendingActions.reject">,
    options?: RequestOptions,
  ): Promise<Result<"pendingActions.reject">>;
  /**
   * List the pending actions of a conversation, newest first
   *
   * API key: scope `conversations:read`. Session: owners, admins, agents and observers; the last two in their workspaces.
   *
   * `GET /api/conversations/{id}/pending-actions`
   */
  listOfConversation(
    id: string,
    query?: Query<"pendingActions.listOfConversation">,
    options?: RequestOptions,
  ): List<Item<"pendingActions.listOfConversation">, Result<"pendingActions.listOfConversation">>;
}

/** The methods of `Parley`, by group. */
export interface Resources {
  readonly health: HealthMethods;
  readonly auth: AuthMethods;
  readonly me: MeMethods;
  readonly members: MembersMethods;
  readonly apiKeys: ApiKeysMethods;
  readonly securityLog: SecurityLogMethods;
  readonly auditLog: AuditLogMethods;
  readonly tenant: TenantMethods;
  readonly workspaces: WorkspacesMethods;
  readonly channels: ChannelsMethods;
  readonly brands: BrandsMethods;
  readonly logos: LogosMethods;
  readonly contacts: ContactsMethods;
  readonly accounts: AccountsMethods;
  readonly attachments: AttachmentsMethods;
  readonly conversations: ConversationsMethods;
  readonly bulkActions: BulkActionsMethods;
  readonly labels: LabelsMethods;
  readonly cannedReplies: CannedRepliesMethods;
  readonly views: ViewsMethods;
  readonly attentionItems: AttentionItemsMethods;
  readonly identityEvents: IdentityEventsMethods;
  readonly identitySettings: IdentitySettingsMethods;
  readonly retentionSettings: RetentionSettingsMethods;
  readonly verificationSources: VerificationSourcesMethods;
  readonly eidSchemes: EidSchemesMethods;
  readonly verification: VerificationMethods;
  readonly verificationPages: VerificationPagesMethods;
  readonly eidPages: EidPagesMethods;
  readonly kbEntries: KbEntriesMethods;
  readonly sources: SourcesMethods;
  readonly policyEntries: PolicyEntriesMethods;
  readonly agents: AgentsMethods;
  readonly channelWebhooks: ChannelWebhooksMethods;
  readonly webchat: WebchatMethods;
  readonly kbWidgets: KbWidgetsMethods;
  readonly contactFormWidgets: ContactFormWidgetsMethods;
  readonly publicWidgets: PublicWidgetsMethods;
  readonly calendarConnections: CalendarConnectionsMethods;
  readonly bookings: BookingsMethods;
  readonly csatConfig: CsatConfigMethods;
  readonly csat: CsatMethods;
  readonly csatPages: CsatPagesMethods;
  readonly qualityScores: QualityScoresMethods;
  readonly circuitBreakers: CircuitBreakersMethods;
  readonly breakerSettings: BreakerSettingsMethods;
  readonly reports: ReportsMethods;
  readonly assistantSettings: AssistantSettingsMethods;
  readonly procedures: ProceduresMethods;
  readonly assistantTests: AssistantTestsMethods;
  readonly cases: CasesMethods;
  readonly caseTypes: CaseTypesMethods;
  readonly consumption: ConsumptionMethods;
  readonly changes: ChangesMethods;
  readonly webhookEndpoints: WebhookEndpointsMethods;
  readonly webhookDeliveries: WebhookDeliveriesMethods;
  readonly capturedMessages: CapturedMessagesMethods;
  readonly outbox: OutboxMethods;
  readonly authProvider: AuthProviderMethods;
  readonly erasureRequests: ErasureRequestsMethods;
  readonly tools: ToolsMethods;
  readonly pendingActions: PendingActionsMethods;
}
