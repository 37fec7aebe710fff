import type { ClientBase, ClientConfig } from "pg";
import { withClient } from "../../platform/database/checked-connection.js";
import type { Connections } from "../../platform/database/connections.js";

/** Why an organisation cannot move, or not now. For operators. */
export class MovingRefused extends Error {}

/** A server with a connection as the owner of its tables. */
export interface End {
  name: string;
  client: ClientBase;
  owner: ClientConfig;
}

/** Connects to servers, control first, as the owners of their tables. */
export function withEnds<T>(
  servers: readonly Pick<Connections, "name" | "owner">[],
  work: (ends: readonly End[]) => Promise<T>,
): Promise<T> {
  const connect = (left: typeof servers, ends: readonly End[]): Promise<T> => {
    const [next, ...rest] = left;
    if (!next) return work(ends);
    const { name, owner } = next;
    return withClient(owner, (client) => connect(rest, [...ends, { name, owner, client }]));
  };
  return connect(servers, []);
}

/** @throws MovingRefused */
export function named(ends: readonly End[], name: string): End {
  const found = ends.find((end) => end.name === name);
  if (!found) throw new MovingRefused(`There is no server "${name}": ${ends.map((end) => end.name).join(", ")}`);
  return found;
}
