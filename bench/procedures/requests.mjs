/** The procedure that carries out each call, and three that only tell something. */
export const PROCEDURE = {
  cancel_pending_order: "Cancel a pending order",
  modify_pending_order_address: "Change the address of a pending order",
  modify_pending_order_payment: "Change the payment of a pending order",
  modify_pending_order_items: "Change items of a pending order",
  return_delivered_order_items: "Return items of a delivered order",
  exchange_delivered_order_items: "Exchange items of a delivered order",
  modify_user_address: "Change my address",
  tell_order: "Tell the state of an order",
  tell_me: "Tell what is stored about me",
  tell_version: "Tell what an item costs in another version",
};

/** So many of each. */
const MOST = 25;

/**
 * Requests of the tasks' customers that are no gold changes: what they look up, as they would ask for it, and other ways to pay, of
 * which the tasks have one. Each once.
 */
export function othersOf(db, tasks) {
  const found = new Map();
  for (const { userId, calls } of tasks) {
    for (const { name, args } of calls) add({ userId, call: tellingOf(db, userId, name, args) });
    add({ userId, call: paymentOf(db, userId) });
  }
  function add(one) {
    if (one.call) found.set(JSON.stringify(one), one);
  }
  const names = ["tell_order", "tell_me", "tell_version", "modify_pending_order_payment"];
  return names.flatMap((wanted) => [...found.values()].filter(({ call }) => call.name === wanted).slice(0, MOST));
}

/** A gift card might not cover it. */
function paymentOf(db, userId) {
  const { orders, payment_methods: methods } = db.users[userId];
  const order = orders.map((id) => db.orders[id]).find(({ status }) => status === "pending");
  const payment = Object.values(methods).find(
    ({ id, source }) => source !== "gift_card" && id !== order?.payment_history[0].payment_method_id,
  );
  return (
    order &&
    payment && {
      name: "modify_pending_order_payment",
      args: { order_id: order.order_id, payment_method_id: payment.id },
    }
  );
}

function tellingOf(db, userId, name, args) {
  if (name === "get_user_details") return { name: "tell_me", args: {} };
  const mine = db.users[userId].orders;
  if (name === "get_order_details" && mine.includes(args.order_id))
    return { name: "tell_order", args: { order_id: args.order_id } };
  if (name !== "get_product_details") return undefined;
  for (const order_id of mine)
    for (const { product_id, item_id } of db.orders[order_id].items) {
      const [other] = Object.values(db.products[args.product_id]?.variants ?? {}).filter(({ available }) => available);
      if (product_id === args.product_id && other)
        return { name: "tell_version", args: { order_id, item_id, new_item_id: other.item_id } };
    }
  return undefined;
}
