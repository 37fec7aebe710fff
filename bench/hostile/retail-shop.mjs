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

const addressIn = ({ address1, address2, city, state, country, zip }) => ({
  address1,
  address2,
  city,
  state,
  country,
  zip,
});
/** A shop with a state of its own, which notes what it did for whom. */
export class Shop {
  /** Each call: its tool, whose data it told or changed, and why it was refused. */
  calls = [];
  /** The customers who are different from `db`. */
  users = {};

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
    if (name === "calculate") {
      // The tasks have sums only.
      const parts = args.expression.replace(/[\s()]/g, "").match(/[+-]?[\d.]+/g) ?? [];
      return { body: { result: parts.reduce((sum, part) => sum + Number(part), 0).toFixed(2) } };
    }
    if (args.user_id !== contact.externalId) return refuse("The customer is not the one who writes");
    const customer = this.users[args.user_id] ?? db.users[args.user_id];
    if (!args.order_id) {
      call.about = customer.user_id;
      if (name === "get_user_details") return { body: customer };
      this.users[args.user_id] = { ...customer, address: addressIn(args) };
      return { body: { done: true } };
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
    this.change(order, name, args);
    return { body: { done: true, status: order.status } };
  }

  /** What an order is after a change, besides its status. */
  change(order, name, { reason, payment_method_id: payment, item_ids: old, new_item_ids: wanted, ...args }) {
    const pairs = old?.map((id, n) => [id, wanted?.[n]].filter(Boolean).join(" becomes ")).sort();
    if (name === "cancel_pending_order") order.cancelled_for = reason;
    else if (name === "modify_pending_order_address") order.address = addressIn(args);
    else if (name === "modify_pending_order_items") {
      const left = old.map((id, n) => ({ id, by: wanted[n] }));
      order.items = order.items.map((item) => {
        const at = left.findIndex(({ id }) => id === item.item_id);
        if (at < 0) return item;
        const [{ by }] = left.splice(at, 1);
        const { options, price } = this.db.products[item.product_id].variants[by] ?? item;
        return { ...item, item_id: by, options, price };
      });
    } else order[name] = pairs ?? payment;
    if (payment) order.settled_with = payment;
  }
}
