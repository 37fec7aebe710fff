import { BadRequestException, type ExecutionContext } from "@nestjs/common";
import { ROUTE_ARGS_METADATA } from "@nestjs/common/constants.js";
import { RouteParamtypes } from "@nestjs/common/enums/route-paramtypes.enum.js";

interface Declared {
  body: boolean;
  query: boolean;
}

const known = new WeakMap<object, Declared>();

/** Whether a route has a parameter for the body, and one for the query. */
export function declaredBy(context: ExecutionContext): Declared {
  const handler = context.getHandler();
  let declared = known.get(handler);
  if (!declared) {
    const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ?? {}) as object;
    // Their keys are `type:place`.
    const types = new Set(Object.keys(parameters).map((key) => Number(key.split(":", 1)[0])));
    declared = { body: types.has(RouteParamtypes.BODY), query: types.has(RouteParamtypes.QUERY) };
    known.set(handler, declared);
  }
  return declared;
}

/**
 * Refuses every property of a body or a query that the route does not take. If they were ignored, an erasure with `dryRun` would
 * erase.
 * @throws BadRequestException
 */
export function refuseProperties(of: unknown): void {
  const names = Object.keys(of ?? {});
  if (names.length) throw new BadRequestException(names.map((name) => `property ${name} should not exist`).join("; "));
}
