// tau2's data from the folder in PARLEY_SHOPS, and a workspace for its customers.
import fs from "node:fs";
import path from "node:path";
import { retailPolicies } from "./houses.mjs";

const folder = process.env.PARLEY_SHOPS;
if (!folder) throw new Error("name the folder with tau2-retail in PARLEY_SHOPS: see bench/README.md");
const read = (name) => fs.readFileSync(path.join(folder, "tau2-retail", name), "utf8");
export const db = JSON.parse(read("db.json"));
export const rawTasks = JSON.parse(read("tasks.json"));

/**
 * A workspace with these tools, the policies about them, and an agent who may use them.
 * @param builtIn those of Parley's own tools that the agent may use
 * @param agent what is different about the agent
 */
export async function openRetail({ must, toolUrl }, { key, owner, brandId }, tools, { builtIn = [], ...agent } = {}) {
  const { id: workspaceId } = await must("POST", "/api/workspaces", key, { name: "Retail", brandId });
  const at = `/api/workspaces/${workspaceId}`;
  const url = toolUrl("/");
  for (const tool of tools) await must("POST", `${at}/tools`, owner, { ...tool, url });
  for (const policy of retailPolicies(read("policy.md"), tools, []))
    await must("POST", `${at}/policy-entries`, key, policy);
  const questions = [{ key: "zip", prompt: "What is your zip code?", attribute: "zip" }];
  const sources = [{ name: "shop", type: "contact_attributes", questions }];
  await must("PUT", `${at}/verification-sources`, owner, { sources });
  // Each request is a conversation of its own, so one customer is asked more often here than anybody would be.
  await must("PUT", `${at}/identity-settings`, owner, { requiredCorrectAnswers: 1, maxWrongPerIdentity24h: 100 });
  const { id: agentId } = await must("POST", "/api/agents", key, {
    name: "Shop",
    role: "assistant",
    status: "active",
    workspaceIds: [workspaceId],
    instructions: "Help the customers of the shop.",
    tools: [...tools.map(({ name }) => name), ...builtIn],
    ...agent,
  });

  const contacts = new Map();
  function contactOf(userId) {
    const { name, address } = db.users[userId];
    const contact = {
      name: `${name.first_name} ${name.last_name}`,
      externalId: userId,
      attributes: { zip: address.zip },
    };
    if (!contacts.has(userId)) contacts.set(userId, must("POST", "/api/contacts", key, contact));
    return contacts.get(userId);
  }
  return { workspaceId, agentId, contactOf };
}
