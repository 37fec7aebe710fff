import { once } from "node:events";
import net from "node:net";
import { makeTenant } from "./tenant.mjs";

/**
 * A way to a PostgreSQL server.
 * @param latencyMs of an answer, beside what the statement takes
 * @returns its `url`; `die` ends all connections and takes none until `revive`
 */
export async function wayTo(url, latencyMs = 0) {
  const { hostname, port } = new URL(url);
  const open = new Set();
  const relay = net.createServer({ noDelay: true }, (near) => {
    const far = net.connect({ port: Number(port), host: hostname, noDelay: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      open.add(from);
      from
        .on("error", () => undefined)
        .on("close", () => {
          open.delete(from);
          to.destroy();
        })
        .on("data", (bytes) => {
          if (latencyMs) setTimeout(() => to.writable && to.write(bytes), latencyMs / 2);
          else to.write(bytes);
        });
    }
  });
  const listen = async (at) => {
    relay.listen(at, "127.0.0.1");
    await once(relay, "listening");
    return String(relay.address().port);
  };
  const own = await listen(0);
  const close = () => {
    relay.close();
    for (const socket of open) socket.destroy();
  };
  return {
    url: Object.assign(new URL(url), { port: own }).href,
    close,
    die: close,
    revive: () => listen(Number(own)),
  };
}

/** Makes an organisation whose home is this server. */
export async function settle({ name, url, client }, control) {
  const tenant = makeTenant(url, name);
  if (name !== control.name) {
    const { rows } = await client.query("select id from tenant where environment = 'test' and organisation_id = $1", [
      tenant.tenantId,
    ]);
    await control.client.query("insert into home (organisation_id, test_id, server) values ($1, $2, $3)", [
      tenant.tenantId,
      rows[0].id,
      name,
    ]);
  }
  return tenant;
}

/** @returns the ids of so many new conversations */
export async function converse({ key, workspaceId }, api, count) {
  const conversations = [];
  for (let n = 0; n < count; n++) {
    const body = { workspaceId, contact: { name: `Contact ${n}` } };
    conversations.push((await api("POST", "/api/conversations", key, body)).body.id);
  }
  return conversations;
}
