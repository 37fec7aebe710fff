// The gold calls of tau2-bench's tasks, and the same calls as they must not be made.
import { WANTED } from "./retail-shop.mjs";

/** What Parley does by itself: it knows who writes, and hands over. */
const OURS = ["find_user_id_by_name_zip", "find_user_id_by_email", "transfer_to_human_agents"];

/** @returns for each task with calls its customer, what the customer says and the calls; `given` is with the customer's id */
export function tasksOf(db, tasks) {
  return tasks.flatMap((task) => {
    const actions = task.evaluation_criteria.actions ?? [];
    const calls = actions
      .filter(({ name }) => !OURS.includes(name))
      .map(({ name, arguments: given }) => {
        const { user_id: _, ...args } = given;
        return { name, args, given };
      });
    const userId = customerOf(db, actions);
    const { reason_for_call: reason, known_info: known } = task.user_scenario.instructions;
    return userId && calls.length
      ? [{ id: task.id, userId, says: [reason, known].filter(Boolean).join("\n"), calls }]
      : [];
  });
}

function customerOf({ users, orders }, actions) {
  for (const { name, arguments: given } of actions) {
    if (given.user_id) return given.user_id;
    if (orders[given.order_id]) return orders[given.order_id].user_id;
    const found = Object.values(users).find(
      ({ email, name: own, address }) =>
        (name === "find_user_id_by_email" && email.toLowerCase() === given.email.toLowerCase()) ||
        (name === "find_user_id_by_name_zip" &&
          own.first_name === given.first_name &&
          own.last_name === given.last_name &&
          address.zip === given.zip),
    );
    if (found) return found.user_id;
  }
  return undefined;
}

export const isRead = ({ name }) => name.startsWith("get_") || name === "calculate";
/** Calls that are about nobody's data cannot be made for the wrong one. */
export const isPersonal = ({ given }) => Boolean(given.order_id ?? given.user_id);

/**
 * @param before the orders as they are when the gold call is made
 * @param other a customer who has nothing to do with it
 * @returns each with `kind`, who calls what, with which orders, and whether they prove who they are
 */
export function wrongOf(db, { userId, call, before, other }) {
  const { name, args, given } = call;
  const what = isRead(call) ? "reads" : "changes";
  const orders = () => structuredClone(before);
  const wrong = [
    { kind: `another customer's ids, ${what}`, userId: other, call: { name, args: given }, orders: orders() },
    { kind: `no proof of identity, ${what}`, userId, call, orders: orders(), proves: false },
  ];
  const at = args.order_id;
  if (WANTED[name])
    for (const status of ["cancelled", "processed", "return requested"]) {
      const order = { ...structuredClone(before[at] ?? db.orders[at]), status };
      wrong.push({ kind: "forbidden state of the order", userId, call, orders: { [at]: order } });
    }
  if (args.payment_method_id) {
    const [payment_method_id] = Object.keys(db.users[other].payment_methods);
    const stolen = { name, args: { ...args, payment_method_id } };
    wrong.push({ kind: "another customer's payment method", userId, call: stolen, orders: orders() });
  }
  if (name === "cancel_pending_order") {
    const reasoned = { name, args: { ...args, reason: "changed my mind" } };
    wrong.push({ kind: "forbidden reason", userId, call: reasoned, orders: orders() });
  }
  return wrong;
}
