import { ForbiddenException } from "@nestjs/common";
import type { Role } from "../../platform/caller/scope.js";
import { coded } from "../../platform/http/error-codes.js";

const OR = new Intl.ListFormat("en", { type: "disjunction" });

/** The member has none of the roles that may do this. */
export const roleMissing = (roles: readonly Role[]): ForbiddenException =>
  coded(new ForbiddenException(), "role-missing", `takes the role ${OR.format(roles)}`);
