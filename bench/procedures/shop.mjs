// tau2's shop with the procedures of demo/procedures.json, and conversations with it.
import fs from "node:fs";
import path from "node:path";
import { openRetail } from "../hostile/retail.mjs";

const demo = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, "../../demo/procedures.json"), "utf8"));
export const { procedures } = demo;
const REFUND = { question: "How long does a refund take?", answer: "A refund takes 5 to 7 business days." };

/** @param more tools besides those that the procedures call */
export async function openShop(installation, ours, more = []) {
  const { must, settle } = installation;
  const { key, owner } = ours;
  const { workspaceId, agentId, contactOf } = await openRetail(installation, ours, [...demo.tools, ...more]);
  const at = `/api/workspaces/${workspaceId}`;
  await must("POST", `${at}/kb-entries`, key, { ...REFUND, language: "en" });
  for (const procedure of procedures)
    await must("POST", `${at}/procedures`, owner, { ...procedure, agentId, status: "active" });

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
