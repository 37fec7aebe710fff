import { parseCookie, stringifySetCookie } from "cookie";
import type { Config } from "../config/config.js";
import type { Request } from "./request.js";

/**
 * A cookie that goes to this host alone, and that scripts cannot read. In production its name begins with `__Host-`:
 * browsers then take it over https only, from this host only, and for all paths. Without https it has its own path.
 */
export class HostCookie {
  private readonly name: string;
  private readonly attributes: { httpOnly: true; secure: boolean; path: string; sameSite: "strict" | "lax" };

  constructor(name: string, path: string, sameSite: "strict" | "lax", { NODE_ENV }: Config) {
    const secure = NODE_ENV === "production";
    this.name = secure ? `__Host-${name}` : name;
    this.attributes = { httpOnly: true, secure, path: secure ? "/" : path, sameSite };
  }

  read({ headers }: Request): string | undefined {
    return parseCookie(headers.cookie ?? "")[this.name];
  }

  /** @returns the value of `Set-Cookie` */
  write(value: string, maxAge: number): string {
    return stringifySetCookie({ name: this.name, value, maxAge, ...this.attributes });
  }
}
