// A customer by a script: they want one change, and answer what they are asked.

export const OPENINGS = {
  cancel_pending_order: "I want to cancel my order.",
  modify_pending_order_address: "I need to change the shipping address.",
  modify_pending_order_payment: "I would like to change the payment method.",
  modify_pending_order_items: "I want to change items in my order.",
  return_delivered_order_items: "I would like to return something.",
  exchange_delivered_order_items: "I want to exchange something.",
  modify_user_address: "Please update my default address.",
  tell_order: "I want to know the status of my order.",
  tell_me: "Which payment methods do I have?",
  tell_version: "What is the price of another version?",
};
/** The same in words that begin no procedure. */
export const IN_OTHER_WORDS = {
  cancel_pending_order: "Please stop a purchase of mine before it goes out.",
  modify_pending_order_address: "My parcel has to go somewhere else.",
  modify_pending_order_payment: "I picked the wrong card for a purchase.",
  modify_pending_order_items: "I picked the wrong kind of a thing that has not been sent yet.",
  return_delivered_order_items: "Some of it does not suit me, and I want my money back.",
  exchange_delivered_order_items: "What came does not suit me: I want the same in another size or color.",
  modify_user_address: "I live somewhere else now.",
};
/** How it ends, by what the assistant writes. */
const ENDS =
  /I have stopped|Only \w+ orders can be|The order \S+ is cancelled|goes to the new address|is paid with .* now|are changed|is requested|address is changed|It has: |Your payment methods are |That one costs /;
const REASONS = {
  "no longer needed": "I do not need it any more.",
  "ordered by mistake": "It was ordered by mistake.",
};
const WHY = "What do you need it for?";
const ASIDE = "How long does a refund take?";

export class Customer {
  gaveUp = false;
  handedOver = false;
  /** How often each question was asked. */
  asked = new Map();
  /** How many of each kind were replaced. */
  replaced = new Map();
  /** What they do besides, once. */
  done = false;

  /** @param habit what they do besides answering */
  constructor(db, shop, { userId, call, habit }) {
    Object.assign(this, { db, shop, userId, call, habit });
    this.user = db.users[userId];
    const id = call.args.order_id;
    this.order = id && (shop.orders[id] ?? db.orders[id]);
    const item = this.order?.items.find(({ item_id: own }) => own === call.args.item_id);
    this.wanted = item && db.products[item.product_id].variants[call.args.new_item_id];
  }

  open() {
    const opening = OPENINGS[this.call.name];
    return this.habit === "at once" && this.order ? `${opening.slice(0, -1)} ${this.call.args.order_id}.` : opening;
  }

  /** @returns what they write next; undefined if they have nothing to say any more */
  answer(text) {
    if (/passing this on to a colleague|told my colleagues/.test(text)) {
      this.handedOver = true;
      return undefined;
    }
    if (ENDS.test(text)) {
      this.told = this.knows(text);
      // What they asked for first was another order.
      return this.call.name === "tell_order" && !this.told && !this.done ? this.anew() : undefined;
    }
    const question = QUESTIONS.find(({ asks }) => asks.test(text));
    if (!question) {
      this.gaveUp = true;
      return undefined;
    }
    const { key } = question;
    const label = key === "new" ? text : key;
    const times = (this.asked.get(label) ?? 0) + 1;
    this.asked.set(label, times);
    // Whoever is asked the same four times gives up.
    if (times > 4 || (key === "order_" && times > 2 && /I do not find/.test(text))) {
      this.gaveUp = true;
      return undefined;
    }
    return this.besides(key) ?? this[key](text, times);
  }

  /** Whether it is what they wanted to know. */
  knows(text) {
    const { name, args } = this.call;
    if (name === "tell_order")
      return [args.order_id, this.order.status, ...this.order.items.map((item) => item.name)].every((part) =>
        text.includes(part),
      );
    if (name === "tell_me")
      return [
        this.user.address.address1,
        ...Object.values(this.user.payment_methods).map(({ source }) => source),
      ].every((part) => text.includes(part));
    return name === "tell_version" && text.includes(String(this.wanted.price));
  }
  anew() {
    this.done = true;
    return `${this.open().slice(0, -1)} ${this.call.args.order_id}.`;
  }

  /** Whether they did what they do besides: not all have something to correct, for one. */
  get didBesides() {
    return this.done || ["plain", "at once", "refuses"].includes(this.habit);
  }

  besides(key) {
    // Who is asked nothing else says it where they are asked for a proof.
    if (this.done || (key === "zipCode" && this.call.name !== "tell_me")) return undefined;
    const once = (value) => {
      this.done = true;
      return value;
    };
    switch (this.habit) {
      case "asks why":
        return key === "confirm" ? undefined : once(WHY);
      case "asks aside":
        return once(ASIDE);
      case "unclear":
        return key === "confirm" ? undefined : once("Well, let me think about it");
      case "stops":
        return key === "confirm" || this.call.name.startsWith("tell_") ? once("Never mind.") : undefined;
      case "refuses":
        return key === "confirm" || key === "else" ? "No." : undefined;
      case "says no first":
        if (key === "confirm") return "No.";
        return key === "else" ? once(this.order ? "the order id" : "the zip") : undefined;
      case "corrects": {
        if (key === "order_" && !this.wrong) return (this.wrong = this.otherOrder());
        // An order that does not fit is told so: then they begin anew.
        if (this.order && this.wrong && this.wrong !== this.call.args.order_id && key !== "order_")
          return once(`No, I meant ${this.call.args.order_id}.`);
        if (!this.order) return this.correctZip(key, once);
        return undefined;
      }
      default:
        return undefined;
    }
  }

  /** Who is asked for no order gives another zip code first, of the address or as a proof. */
  correctZip(key, once) {
    if (!this.wrong && (key === "zip" || key === "zipCode")) return (this.wrong = "11111");
    if (this.wrong && key === "zipCode") return once(this.zipCode());
    return this.wrong && key === "confirm" ? once(`No, I meant ${this.zip()}.`) : undefined;
  }

  /** Another one of theirs in a state that fits, so that it is asked on. */
  otherOrder() {
    const { order_id: own } = this.call.args;
    const stateOf = (id) => (this.shop.orders[id] ?? this.db.orders[id]).status;
    const fits = this.user.orders.find((id) => id !== own && stateOf(id) === this.order.status);
    return fits ?? own;
  }

  zipCode() {
    return this.user.address.zip;
  }
  order_() {
    return this.call.args.order_id ?? "I have none";
  }
  reason() {
    return REASONS[this.call.args.reason];
  }
  items(text, times) {
    const list = listIn(text);
    const wanted = this.call.args.item_ids.map((id) => this.order.items.find((item) => item.item_id === id));
    const names = wanted.map((item) => item?.name);
    const areClear = names.every((name) => list.filter((line) => line.startsWith(`${name} (`)).length === 1);
    // People call things by their names, and choose by number where a name is not enough.
    if (times === 1 && areClear)
      return names.length > 1 ? `The ${names.slice(0, -1).join(", the ")} and the ${names.at(-1)}` : `The ${names[0]}`;
    // Of two of a kind, each has a number.
    const used = [];
    for (const item of wanted)
      used.push(
        list.findIndex(
          (line, n) => item && !used.includes(n) && line.startsWith(`${item.name} (`) && hasAll(line, item.options),
        ),
      );
    const numbers = used.map((n) => n + 1);
    return numbers.every((n) => n > 0) ? numbers.join(" and ") : "All of them";
  }
  new(text) {
    const { item_ids: old, new_item_ids: wanted } = this.call.args;
    const [asked] = text.split("\n").filter((line) => line.includes("instead of this one"));
    const fits = old.flatMap((id, n) => {
      const item = this.order.items.find((one) => one.item_id === id);
      return item && asked.includes(`${item.name} (`) && hasAll(asked, item.options) ? [n] : [];
    });
    // The same question again is about the next of a kind, unless the answer was not understood.
    const again = /did not understand/.test(text);
    const key = `${asked} of ${fits.length}`;
    if (!again) this.replaced.set(key, (this.replaced.get(key) ?? -1) + 1);
    const at = fits[Math.min(this.replaced.get(key) ?? 0, fits.length - 1)] ?? -1;
    if (at < 0) return "I do not know.";
    const product = Object.values(this.db.products).find(({ variants }) => variants[wanted[at]]);
    const { options } = product.variants[wanted[at]];
    if (!again) return Object.values(options).join(", ");
    return String(1 + listIn(text).findIndex((line) => hasAll(line.replace(/: [\d.]+ dollars$/, ""), options)));
  }
  thing(text) {
    const wanted = this.order.items.find((item) => item.item_id === this.call.args.item_id);
    return String(
      1 + listIn(text).findIndex((line) => line.startsWith(`${wanted.name} (`) && hasAll(line, wanted.options)),
    );
  }
  version(text) {
    const { options } = this.wanted;
    return String(1 + listIn(text).findIndex((line) => hasAll(line.replace(/: [\d.]+ dollars$/, ""), options)));
  }
  payment(_, times) {
    const id = this.call.args.payment_method_id;
    const { source, last_four: digits } = this.user.payment_methods[id] ?? {};
    if (times > 1 || !source) return id;
    return source === "credit_card" ? `My credit card ending in ${digits}` : `To my ${source.replace("_", " ")}`;
  }
  address1() {
    return this.call.args.address1;
  }
  second() {
    return this.call.args.address2 ? "yes" : "no";
  }
  address2() {
    return this.call.args.address2;
  }
  city() {
    return this.call.args.city;
  }
  state() {
    return this.call.args.state;
  }
  country() {
    return this.call.args.country;
  }
  zip() {
    return this.call.args.zip;
  }
  confirm() {
    return "Yes, please go ahead.";
  }
  else() {
    return "Never mind.";
  }
}

/** The lines of a numbered list, without their numbers. */
export const listIn = (text) => [...text.matchAll(/^\d+\. (.*)$/gm)].map(([, line]) => line);
/** Whether it is about these: in any order, because a database may have changed it. */
const hasAll = (line, options) => {
  const [, listed = line] = /\((.*)\)/.exec(line) ?? [];
  const parts = listed.split(", ");
  return (
    Object.values(options).every((value) => parts.includes(value)) && parts.length === Object.values(options).length
  );
};

/** What is asked, by what the assistant writes; the last question of a message counts. */
export const QUESTIONS = [
  { key: "zipCode", asks: /What is your zip code\?/ },
  { key: "confirm", asks: /[Ss]hall I go ahead\?/ },
  { key: "else", asks: /What should be different\?/ },
  { key: "reason", asks: /Why shall it be cancelled\?/ },
  { key: "items", asks: /Which items (?:are it|would you like to return)\?/ },
  { key: "thing", asks: /Which item is it\?/ },
  { key: "version", asks: /Which one would you like to know more about\?/ },
  { key: "new", asks: /instead of this one/ },
  { key: "payment", asks: /Where shall the refund go\?|difference in price be settled\?|How would you like to pay/ },
  { key: "address1", asks: /What is the street and number\?/ },
  { key: "second", asks: /Is there a second line/ },
  { key: "address2", asks: /What is the second line\?/ },
  { key: "city", asks: /Which city\?/ },
  { key: "state", asks: /Which state\?/ },
  { key: "country", asks: /Which country\?/ },
  { key: "zip", asks: /What is the zip code\?/ },
  { key: "order_", asks: /Which order is it about\?/ },
];
