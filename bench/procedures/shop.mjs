// tau2's shop with the procedures of demo/procedures.json, and conversations with it.
import fs from "node:fs";
import path from "node:path";
import { retailPolicies } from "../hostile/houses.mjs";

const folder = process.env.PARLEY_SHOPS;
if (!folder) throw new Error("name the folder with tau2-retail in PARLEY_SHOPS: see bench/README.md");
const read = (name) => fs.readFileSync(path.join(folder, "tau2-retail", name), "utf8");
export const db = JSON.parse(read("db.json"));
export const rawTasks = JSON.parse(read("tasks.json"));
const demo = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, "../../demo/procedures.json"), "utf8"));
export const { procedures } = demo;
const REFUND = { question: "How long does a refund take?", answer: "A refund takes 5 to 7 business days." };

/** @param more tools besides those that the procedures call */
export async function openShop({ must, toolUrl, settle }, ours, more = []) {
  const { key, owner, brandId } = ours;
  const { id: workspaceId } = await must("POST", "/api/workspaces", key, { name: "Retail", brandId });
  const at = `/api/workspaces/${workspaceId}`;
  const url = toolUrl("/");
  const all = [...demo.tools, ...more];
  for (const tool of all) await must("POST", `${at}/tools`, owner, { ...tool, url });
  const shown = all.map((tool) => ({ ...tool, sample: () => ({}) }));
  for (const policy of retailPolicies(read("policy.md"), shown, []))
    await must("POST", `${at}/policy-entries`, key, policy);
  const questions = [{ key: "zip", prompt: "What is your zip code?", attribute: "zip" }];
  const sources = [{ name: "shop", type: "contact_attributes", questions }];
  await must("PUT", `${at}/verification-sources`, owner, { sources });
  // Each request is a conversation of its own, so one customer is asked more often here than anybody would be.
  await must("PUT", `${at}/identity-settings`, owner, { requiredCorrectAnswers: 1, maxWrongPerIdentity24h: 100 });
  await must("POST", `${at}/kb-entries`, key, { ...REFUND, language: "en" });
  const { id: agentId } = await must("POST", "/api/agents", key, {
    name: "Shop",
    role: "assistant",
    status: "active",
    workspaceIds: [workspaceId],
    instructions: "Help the customers of the shop.",
    tools: all.map(({ name }) => name),
  });
  for (const procedure of procedures)
    await must("POST", `${at}/procedures`, owner, { ...procedure, agentId, status: "active" });

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

  /**
   * A conversation of a customer. `say` writes a message, and gives what the assistant answered.
   * @param begun is told its id before anything is answered
   * @param settled does what others have to do; it is called until there is nothing left
   */
  async function talkOf(userId, begun, settled = () => Promise.resolve(false)) {
    const { id: contactId } = await contactOf(userId);
    const talk = { userId, said: [] };
    talk.say = async (body) => {
      talk.said.push(["customer", body]);
      if (talk.id) await must("POST", `/api/conversations/${talk.id}/messages`, key, { body });
      else {
        const message = { body };
        ({ id: talk.id } = await must("POST", "/api/conversations", key, { workspaceId, contactId, message }));
        begun(talk.id);
      }
      do await settle([talk.id]);
      while (await settled(talk.id));
      const { data } = await must("GET", `/api/conversations/${talk.id}/messages?limit=100&order=desc`, key);
      const messages = data.toSorted((a, b) => a.sequence - b.sequence);
      const last = messages.findLastIndex(({ direction }) => direction === "inbound");
      const told = messages.slice(last + 1).filter(({ direction }) => direction === "outbound");
      talk.said.push(...told.map((message) => ["shop", message.body]));
      return told.map((message) => message.body).join("\n");
    };
    talk.handlingMode = async () => (await must("GET", `/api/conversations/${talk.id}`, key)).handlingMode;
    return talk;
  }
  return talkOf;
}

/** Whether a call is that one; whose it is, Parley says. In which order items are named does not matter. */
export function same(one, other) {
  const flat = ({ user_id: _, item_ids: items, new_item_ids: wanted, ...args }) =>
    JSON.stringify([
      Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)),
      items?.map((id, n) => [id, wanted?.[n]].join()).sort(),
    ]);
  return one.name === other.name && flat(one.arguments ?? one.args) === flat(other.arguments ?? other.args);
}
