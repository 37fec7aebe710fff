import { Module } from "@nestjs/common";
import { DiscoveryModule } from "@nestjs/core";
import { PassportModule } from "@nestjs/passport";
import { OutboxModule } from "../platform/outbox/outbox.module.js";
import { RouteAccess } from "./access/route-access.js";
import { BearerStrategy } from "./access/bearer.strategy.js";
import { KnownPolls } from "./access/known-polls.js";
import { ApiKeysController } from "./api-keys/api-keys.controller.js";
import { ApiKeysService } from "./api-keys/api-keys.service.js";
import { ApiKeyVerifier } from "./api-keys/api-key.verifier.js";
import { CurrentCallers } from "./current-callers.js";
import { Authenticator } from "./authenticator.js";
import { MembersController } from "./members/members.controller.js";
import { EmailProofService } from "./members/email-proof.service.js";
import { MemberLinksService } from "./members/member-links.service.js";
import { MembersService } from "./members/members.service.js";
import { ExternalIssuer } from "./sessions/external-issuer.js";
import { ExternalProvider } from "./sessions/external-provider.js";
import { ExternalSignInController } from "./sessions/external-sign-in.controller.js";
import { ExternalSignInService } from "./sessions/external-sign-in.service.js";
import { ExternalMembers } from "./sessions/external-members.js";
import { MeService } from "./sessions/me.service.js";
import { OwnSessionsController } from "./sessions/own-sessions.controller.js";
import { OwnSessionsService } from "./sessions/own-sessions.service.js";
import { ReauthenticationService } from "./sessions/reauthentication.service.js";
import { RefreshTokens } from "./sessions/refresh-tokens.js";
import { Passkeys } from "./second-factors/passkeys.js";
import { SecondFactorSignIn } from "./second-factors/second-factor-sign-in.js";
import { SecondFactorsController } from "./second-factors/second-factors.controller.js";
import { SecondFactorsService } from "./second-factors/second-factors.service.js";
import { Totp } from "./second-factors/totp.js";
import { SessionEnding } from "./sessions/session-ending.js";
import { NewDevices } from "./sessions/new-devices.js";
import { SessionOpener } from "./sessions/session-opener.js";
import { PasswordsController } from "./sessions/passwords.controller.js";
import { PasswordsService } from "./sessions/passwords.service.js";
import { SessionVerifier } from "./sessions/session.verifier.js";
import { SessionsController } from "./sessions/sessions.controller.js";
import { SessionsService } from "./sessions/sessions.service.js";
import { PreferencesController } from "./preferences/preferences.controller.js";
import { PreferencesService } from "./preferences/preferences.service.js";
import { SecurityLogController } from "./security-log/security-log.controller.js";
import { SecurityLogService } from "./security-log/security-log.service.js";
import { SignInLimits } from "./sessions/sign-in-limits.js";
import { SessionTokens } from "./sessions/session-tokens.js";

@Module({
  imports: [PassportModule, DiscoveryModule, OutboxModule],
  controllers: [
    SessionsController,
    ExternalSignInController,
    OwnSessionsController,
    SecondFactorsController,
    PasswordsController,
    MembersController,
    ApiKeysController,
    SecurityLogController,
    PreferencesController,
  ],
  providers: [
    RouteAccess,
    SecurityLogService,
    PreferencesService,
    BearerStrategy,
    KnownPolls,
    Authenticator,
    CurrentCallers,
    ApiKeyVerifier,
    ApiKeysService,
    MembersService,
    MemberLinksService,
    EmailProofService,
    PasswordsService,
    SessionTokens,
    SignInLimits,
    RefreshTokens,
    SessionOpener,
    NewDevices,
    SessionEnding,
    OwnSessionsService,
    SecondFactorSignIn,
    SecondFactorsService,
    Passkeys,
    Totp,
    ReauthenticationService,
    ExternalIssuer,
    ExternalMembers,
    ExternalProvider,
    ExternalSignInService,
    SessionVerifier,
    SessionsService,
    MeService,
  ],
  exports: [
    ApiKeysService,
    MembersService,
    PreferencesService,
    RouteAccess,
    BearerStrategy,
    KnownPolls,
    CurrentCallers,
    SecondFactorsService,
    SecurityLogService,
    SessionVerifier,
  ],
})
export class AuthModule {}
