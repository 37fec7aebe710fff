import { Controller, HttpCode, Post, Req, UnauthorizedException } from "@nestjs/common";
import { ApiBody, ApiHeader } from "@nestjs/swagger";
import { Webhook } from "standardwebhooks";
import { Public } from "../../auth/access/access.js";
import { Config } from "../../platform/config/config.js";
import { Json } from "../../platform/http/json.js";
import { Answers, Fails } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import type { Request } from "../../platform/http/request.js";
import { checked } from "../../platform/http/validation.js";
import { AuthProviderEventDto, ProvisionedOrganisationDto } from "./auth-provider.dto.js";
import { ProvisioningService } from "./provisioning.service.js";

@Tag("Provisioning", ["authProvider"], {
  order: 300,
  description: "Events from an external sign-in provider, which create organisations and members.",
})
@Controller("api/webhooks")
export class AuthProviderController {
  constructor(
    private readonly provisioning: ProvisioningService,
    private readonly config: Config,
  ) {}

  /**
   * Receive an event from the authentication provider. `organization.created` creates the tenant with its live and
   * test side, a default brand and workspace on each, and invites the owner. It is signed as in Standard Webhooks. A
   * duplicate gets the same answer. Events of other types are acknowledged and ignored.
   */
  @Post("auth-provider")
  @HttpCode(200)
  @Public("the signature is the credential")
  @Answers(ProvisionedOrganisationDto)
  @Fails(401, 409)
  @ApiHeader({ name: "webhook-id", required: true })
  @ApiHeader({ name: "webhook-timestamp", required: true, description: "Unix seconds, at most 5 minutes off" })
  @ApiHeader({ name: "webhook-signature", required: true })
  @ApiBody({ type: AuthProviderEventDto })
  async receive(@Req() request: Request): Promise<Json<ProvisionedOrganisationDto>> {
    this.verify(request);
    const { type } = (request.body ?? {}) as { type?: unknown };
    if (typeof type === "string" && type !== "organization.created")
      return Json.of<ProvisionedOrganisationDto>({ ok: true });
    const { data } = checked(AuthProviderEventDto, request.body ?? {}, "ignore");
    const { tenantId } = await this.provisioning.provision(data.id, data.name, data.owner);
    return Json.of<ProvisionedOrganisationDto>({ ok: true, tenantId });
  }

  private verify({ rawBody, headers }: Request): void {
    const secret = this.config.AUTH_WEBHOOK_SECRET;
    if (!secret) throw new UnauthorizedException();
    try {
      new Webhook(secret).verify(rawBody!.toString(), headers as Record<string, string>);
    } catch {
      throw new UnauthorizedException();
    }
  }
}
