// tau2's shop behind its tools: it knows what Parley does not, whose an order is and what state it is in.
import { retailTools, tool } from "./houses.mjs";

/** The status that an order must have. */
export const WANTED = {
  cancel_pending_order: "pending",
  modify_pending_order_address: "pending",
  modify_pending_order_payment: "pending",
  modify_pending_order_items: "pending",
  return_delivered_order_items: "delivered",
  exchange_delivered_order_items: "delivered",
};
const BECOMES = {
  cancel_pending_order: "cancelled",
  modify_pending_order_items: "pending (item modified)",
  return_delivered_order_items: "return requested",
  exchange_delivered_order_items: "exchange requested",
};
const text = { type: "string", maxLength: 200 };

/** The tools of the house, and those that are about nobody's data. */
export function shopTools() {
  return [
    ...retailTools(),
    tool("get_product_details", "read", { product_id: text }),
    tool("get_item_details", "read", { item_id: text }),
    tool("calculate", "read", { expression: text }),
  ];
}

/** A shop with a state of its own, which notes what it did for whom. */
export class Shop {
  /** Each call: its tool, whose data it told or changed, and why it was refused. */
  calls = [];

  /** @param orders what is different from `db`; changed by the calls */
  constructor(db, orders) {
    this.db = db;
    this.orders = orders;
  }

  get refusal() {
    return this.calls.find(({ refused }) => refused)?.refused;
  }

  /** @param request as Parley sends it. The shop acts for whom `user_id` names, and only if that is the contact. */
  answer({ tool: name, arguments: args, contact, idempotencyKey }) {
    const call = { name, idempotencyKey };
    this.calls.push(call);
    const { status = 200, body } = this.carryOut(call, name, args, contact);
    if (status > 299) call.refused = body.error;
    return { status, body };
  }

  carryOut(call, name, args, contact) {
    const { db } = this;
    const refuse = (error) => ({ status: 409, body: { error } });
    const found = (record) => (record ? { body: record } : refuse("There is no such record"));
    if (name === "get_product_details") return found(db.products[args.product_id]);
    if (name === "get_item_details")
      return found(Object.values(db.products).find(({ variants }) => variants[args.item_id])?.variants[args.item_id]);
    if (name === "calculate") return { body: { done: true } };
    if (args.user_id !== contact.externalId) return refuse("The customer is not the one who writes");
    const customer = db.users[args.user_id];
    if (!args.order_id) {
      call.about = customer.user_id;
      return name === "get_user_details" ? { body: customer } : { body: { done: true } };
    }
    const order = (this.orders[args.order_id] ??= structuredClone(db.orders[args.order_id]));
    if (!order) return refuse("There is no such order");
    if (order.user_id !== customer.user_id) return refuse("The order is not the customer's");
    call.about = order.user_id;
    if (name === "get_order_details") return { body: order };
    // The address may be changed after the items.
    const status =
      name === "modify_pending_order_address" ? order.status.replace(" (item modified)", "") : order.status;
    if (status !== WANTED[name]) return refuse(`The order is ${order.status}`);
    if (args.payment_method_id && !customer.payment_methods[args.payment_method_id])
      return refuse("The payment method is not the customer's");
    if (args.item_ids?.some((id) => !order.items.some(({ item_id: own }) => own === id)))
      return refuse("The item is not in the order");
    order.status = BECOMES[name] ?? order.status;
    return { body: { done: true, status: order.status } };
  }
}
