// A customer by a script who notices when something else begins than they want, and reads what they agree to.
import { Customer, listIn, QUESTIONS } from "./customer.mjs";

/** What each request is asked, how it is put before a yes, and how it ends. */
const OF = {
  cancel_pending_order: [["order_", "reason"], /I cancel the order/, /is cancelled/, /can be cancelled/],
  modify_pending_order_address: [
    ["order_", "address1", "second", "address2", "city", "state", "country", "zip"],
    /I send the order/,
    /goes to the new address/,
    /can be changed/,
  ],
  modify_pending_order_payment: [["order_", "payment"], /is paid with/, /is paid with .* now/, /can be changed/],
  modify_pending_order_items: [
    ["order_", "items", "new", "payment"],
    /cannot be cancelled afterwards/,
    /are changed/,
    /can be changed/,
  ],
  return_delivered_order_items: [["order_", "items", "payment"], /you return/, /return .* is requested/, /be returned/],
  exchange_delivered_order_items: [
    ["order_", "items", "new", "payment"],
    /only once\. In the order/,
    /exchange is requested/,
    /be exchanged/,
  ],
  modify_user_address: [
    ["address1", "second", "address2", "city", "state", "country", "zip"],
    /Your address is/,
    /address is changed/,
    /nothing/,
  ],
};
const DONE_BY_MODEL = /What you asked for has been done/;

export class Wanting extends Customer {
  /** How often something else had begun, and how often what was put before the yes was not what they want. */
  turned = 0;
  corrected = 0;
  isToldDone = false;

  /**
   * @param words what they begin with, and what they say if something else begins
   * @param inOwnWords says in words that no pattern reads what a question asks for: `(question, value)` gives the words
   */
  constructor(db, shop, { words, inOwnWords, ...request }) {
    super(db, shop, request);
    Object.assign(this, { words, inOwnWords });
  }

  open() {
    return this.words;
  }

  answer(text) {
    const [asked, puts, ends, forbids] = OF[this.call.name];
    if (DONE_BY_MODEL.test(text) || ends.test(text)) {
      this.isToldDone = !/Shall I go ahead\?|shall I go ahead\?/.test(text);
      if (this.isToldDone) return undefined;
    }
    if (/I have stopped/.test(text)) return this.leaving ? ((this.leaving = false), super.open()) : undefined;
    if (/Do you mean “/.test(text)) return "Yes.";
    const key = QUESTIONS.find(({ asks }) => asks.test(text))?.key;
    if (key === "confirm" && puts.test(text) && this.habit !== "refuses") return this.weigh(text);
    const isMine =
      key === undefined
        ? forbids.test(text) && text.includes(this.call.args.order_id)
        : [...asked, "zipCode", "confirm", "else"].includes(key);
    if (key === "else" && this.fixing) return this.fixing;
    const isOther =
      !isMine ||
      (key === "confirm" && !puts.test(text)) ||
      /would you like to return/.test(text) !== (key === "items" && this.call.name.startsWith("return"));
    if (isOther && !/passing this on to a colleague|told my colleagues/.test(text)) return this.turn(key);
    const said = super.answer(text);
    return said === undefined || key === undefined ? said : this.worded(key, text, said);
  }

  turn(key) {
    if (++this.turned > 2) {
      this.gaveUp = true;
      return undefined;
    }
    this.asked.clear();
    if (key === "confirm" || key === "else") {
      this.leaving = true;
      return "Never mind.";
    }
    return key === undefined ? super.open() : `No. ${super.open()}`;
  }

  /** What stands before a yes has to be what they want. */
  weigh(text) {
    const wrong = this.wrongIn(text);
    if (!wrong) return super.confirm();
    if (++this.corrected > 3) {
      this.gaveUp = true;
      return undefined;
    }
    this.asked.clear();
    this.fixing = `The ${wrong}.`;
    return "No.";
  }

  /** @returns the name of what is wrong */
  wrongIn(text) {
    const { args, name } = this.call;
    const has = (part) => text.includes(part);
    if (args.order_id && !has(args.order_id)) return "order id";
    if (args.reason && !has({ "no longer needed": "no longer need", "ordered by mistake": "by mistake" }[args.reason]))
      return "reason";
    if (args.payment_method_id && !has(args.payment_method_id)) return "payment";
    const line = ["address1", "city", "state", "country", "zip", "address2"].find(
      (key) => args[key] && !has(args[key]),
    );
    if (line) return line;
    if (!args.item_ids) return undefined;
    const wanted = args.item_ids.map((id) => this.order.items.find(({ item_id: own }) => own === id));
    const [things, versions = ""] = name.startsWith("return") ? [text] : text.split(" by ");
    const named = this.order.items.reduce(
      (sum, { name: own }, n, all) =>
        all.findIndex((one) => one.name === own) === n ? sum + things.split(`${own} (`).length - 1 : sum,
      0,
    );
    if (
      named !== wanted.length ||
      !wanted.every((item) => item && Object.values(item.options).every((part) => things.includes(part)))
    )
      return "items";
    const news = args.new_item_ids ?? [];
    const isNew = (id) => {
      const { options } = Object.values(this.db.products).find(({ variants }) => variants[id]).variants[id];
      return Object.values(options).every((part) => versions.includes(part));
    };
    return news.every(isNew) && versions.split(" dollars").length - 1 === news.length ? undefined : "new items";
  }

  /** The first choice from a list is made in words that no pattern reads. */
  worded(key, text, said) {
    if (this.spoken || !["reason", "items", "payment"].includes(key)) return said;
    const list = listIn(text);
    const value = this.numbersOf(key, list);
    if (!value) return said;
    this.spoken = true;
    return this.inOwnWords(value);
  }

  numbersOf(key, list) {
    const { args } = this.call;
    if (key === "reason") return String(1 + ["no longer needed", "ordered by mistake"].indexOf(args.reason));
    if (key === "payment") {
      const at = list.findIndex((line) => line.includes(`(${args.payment_method_id})`));
      return at < 0 ? undefined : String(at + 1);
    }
    const used = [];
    for (const id of args.item_ids) {
      const item = this.order.items.find((one) => one.item_id === id);
      const at = list.findIndex(
        (line, n) =>
          item &&
          !used.includes(n) &&
          line.startsWith(`${item.name} (`) &&
          Object.values(item.options).every((part) => line.includes(part)),
      );
      if (at < 0) return undefined;
      used.push(at);
    }
    return used.map((n) => n + 1).join(" and ");
  }
}
