import { Injectable } from "@nestjs/common";
import type { Caller } from "../caller/caller.js";
import type { Tx } from "../database/transaction.js";

/** A class whose instances are published; the feature that publishes it declares it in its own folder. */
export type EventType<Event extends object> = abstract new (...args: never[]) => Event;

type Handler<Event extends object> = (tx: Tx, event: Event) => Promise<void>;
type Notification<Event extends object> = (event: Event, caller: Caller) => Promise<void> | void;

interface Subscriptions {
  handlers: Handler<object>[];
  notifications: Notification<object>[];
}

/**
 * How a feature learns what a feature below it does. The lower one publishes an event and does not know who handles it.
 * Subscribe in `onModuleInit`.
 */
@Injectable()
export class DomainEvents {
  private readonly subscriptions = new Map<EventType<object>, Subscriptions>();

  /**
   * Runs `handler` inside the transaction that publishes the event, before `publish` returns. Handlers run one after the
   * other in the order in which they were registered. An error rolls the transaction back.
   */
  handle<Event extends object>(type: EventType<Event>, handler: Handler<Event>): void {
    this.of(type).handlers.push(handler as Handler<object>);
  }

  /**
   * Runs `notification` after the commit, once an event, and before the transaction's caller gets its result. It never
   * runs for a transaction that was rolled back. An error is logged and nothing else. A process that dies after the
   * commit never runs it: what must not get lost belongs into `handle`.
   */
  afterCommit<Event extends object>(type: EventType<Event>, notification: Notification<Event>): void {
    this.of(type).notifications.push(notification as Notification<object>);
  }

  async publish(tx: Tx, event: object): Promise<void> {
    const subscriptions = this.subscriptions.get(event.constructor as EventType<object>);
    if (!subscriptions) return;
    for (const handler of subscriptions.handlers) await handler(tx, event);
    for (const notification of subscriptions.notifications) tx.afterCommit(() => notification(event, tx.caller));
  }

  private of(type: EventType<object>): Subscriptions {
    let subscriptions = this.subscriptions.get(type);
    if (!subscriptions) this.subscriptions.set(type, (subscriptions = { handlers: [], notifications: [] }));
    return subscriptions;
  }
}
