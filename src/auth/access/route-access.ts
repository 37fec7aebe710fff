import { Injectable, type OnApplicationBootstrap, RequestMethod } from "@nestjs/common";
import { METHOD_METADATA, PATH_METADATA } from "@nestjs/common/constants.js";
import { DiscoveryService, MetadataScanner, Reflector } from "@nestjs/core";
import { ACCESS, type Access, BEFORE_SECOND_FACTOR, RECENT_SIGN_IN } from "./access.js";

export interface Route {
  method: string;
  path: string;
  access?: Access;
  needsRecentSignIn: boolean;
  mayLackSecondFactor: boolean;
}

/** Knows the access that each route declares. Stops the start if a route declares none. */
@Injectable()
export class RouteAccess implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onApplicationBootstrap(): void {
    const open = this.routes()
      .filter(({ access }) => !access)
      .map(({ method, path }) => `${method} ${path}`);
    if (open.length) throw new Error(`Routes without an access declaration: ${open.join(", ")}`);
  }

  /** Every route of every controller. */
  routes(): Route[] {
    return this.discovery.getControllers().flatMap(({ instance, metatype }) => {
      const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
      const base = this.reflector.get<string>(PATH_METADATA, metatype!);
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name] as () => unknown;
        const path = this.reflector.get<string | string[] | undefined>(PATH_METADATA, handler);
        if (path === undefined) return [];
        const method = RequestMethod[this.reflector.get<RequestMethod>(METHOD_METADATA, handler)];
        return [path].flat().map((one) => ({
          method,
          path: join(base, one),
          access: this.reflector.get<Access | undefined>(ACCESS, handler),
          needsRecentSignIn: this.reflector.get<boolean | undefined>(RECENT_SIGN_IN, handler) ?? false,
          mayLackSecondFactor: this.reflector.get<boolean | undefined>(BEFORE_SECOND_FACTOR, handler) ?? false,
        }));
      });
    });
  }
}

const join = (...parts: string[]): string => `/${parts.join("/").split("/").filter(Boolean).join("/")}`;
