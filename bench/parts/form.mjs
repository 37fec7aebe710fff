import { randomUUID } from "node:crypto";
import { httpLoad, post } from "../load.mjs";
import { apiOf, makeTenant } from "../tenant.mjs";

const CONNECTIONS = 8;
const FORMS = 50;
const PEOPLE = 20_000;

/** A message of a contact form, whose sender nothing proves, against the same message with a contact of your own over the API. */
export default {
  name: "form",
  what: "message of a contact form, whose sender is looked up by an unproven address",
  against: "the same over the API, with an id of your own for the contact",
  floor: 0.5,
  goal: 0.7,
  async prepare({ startServer, url }) {
    // Each message is from another client address: a form takes ten from one.
    process.env.TRUSTED_PROXIES = "127.0.0.1";
    this.server = await startServer();
    const { key, email, password, workspaceId } = makeTenant(url, "Forms");
    const api = apiOf(this.server.port);
    const { body: session } = await api("POST", "/api/auth/login", undefined, { email, password });
    this.forms = [];
    for (let n = 0; n < FORMS; n++)
      this.forms.push(
        (
          await api("POST", `/api/workspaces/${workspaceId}/contact-form-widgets`, session.accessToken, {
            name: `Form ${n}`,
          })
        ).body.publicKey,
      );
    Object.assign(this, { key, workspaceId });
  },
  close() {
    this.server.process.kill();
  },
  ours(seconds) {
    return this.load(seconds, (n) =>
      post(
        `/api/public/contact-form-widgets/${this.forms[n % FORMS]}/submissions`,
        "",
        { name: `Person ${n}`, email: `person-${n}@example.com`, message: messageOf() },
        { "X-Forwarded-For": `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` },
      ).replace("Authorization: Bearer \r\n", ""),
    );
  },
  baseline(seconds) {
    return this.load(seconds, (n) =>
      post("/api/conversations", this.key, {
        workspaceId: this.workspaceId,
        contact: { externalId: `person-${n}`, name: `Person ${n}` },
        message: { body: messageOf() },
      }),
    );
  },
  load(seconds, request) {
    const from = Math.floor(Math.random() * PEOPLE);
    const requests = Array.from({ length: seconds * 1_500 }, (_, n) => request((from + n) % PEOPLE));
    return httpLoad({ port: this.server.port, connections: CONNECTIONS, seconds, requests, statuses: [201] });
  },
};

/** A text that comes again and again would be labelled. */
const messageOf = () => `Where is my parcel ${randomUUID()}?`;
