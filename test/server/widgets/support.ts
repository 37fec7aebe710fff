import type { Client } from "../../support/client.js";

/** A client that sends requests as a page of this origin, from this IP address. */
export interface Visit {
  origin?: string;
  ip?: string;
}
const headersOf = ({ origin, ip }: Visit): Record<string, string> => ({
  ...(origin !== undefined && { origin }),
  ...(ip !== undefined && { "x-forwarded-for": ip }),
});

export const newForm = async (owner: Client, workspaceId: string, body: object = {}) =>
  (await owner.post(`/api/workspaces/${workspaceId}/contact-form-widgets`, { name: "Form", ...body }, 201)).body;
export const newSearch = async (owner: Client, workspaceId: string, body: object = {}) =>
  (await owner.post(`/api/workspaces/${workspaceId}/kb-widgets`, { name: "Search", ...body }, 201)).body;

export const lookAt = (client: Client, { publicKey }: { publicKey: string }, visit: Visit = {}) =>
  client.get(`/api/public/contact-form-widgets/${publicKey}`, undefined, { headers: headersOf(visit) });
export const send = (client: Client, { publicKey }: { publicKey: string }, body: object, visit: Visit = {}) =>
  client.post(
    `/api/public/contact-form-widgets/${publicKey}/submissions`,
    { name: "Ada", email: "ada@example.com", message: "Where is my parcel?", ...body },
    undefined,
    { headers: headersOf(visit) },
  );
export const ask = (client: Client, { publicKey }: { publicKey: string }, q: string, visit: Visit = {}) =>
  client.get(`/api/public/kb-widgets/${publicKey}/search?q=${encodeURIComponent(q)}`, undefined, {
    headers: headersOf(visit),
  });
