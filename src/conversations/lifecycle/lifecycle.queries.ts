import { columnOf, identifier, joined, literal, type Parameter, type Sql, sql } from "../../platform/database/sql.js";
import {
  type Effect,
  LIFECYCLE,
  type LifecycleEvent,
  REOPEN_DAYS,
  type StateField,
  type Transition,
} from "./lifecycle.js";

/** SQL for each value that an event takes from its caller. */
type Given<Event extends LifecycleEvent> = {
  [
    Field in keyof Sets<Event> as Sets<Event>[Field] extends "given" | "given if empty"
      ? (typeof LIFECYCLE)[Event] extends { as: string }
        ? Exclude<Field, "resolution">
        : Field
      : never
  ]: Parameter | Sql;
};
type Sets<Event extends LifecycleEvent> = (typeof LIFECYCLE)[Event] extends { sets: infer S } ? S : object;
interface Case {
  event: LifecycleEvent;
  /** Whether it happens. Left out: it does. */
  if?: Parameter | Sql;
  given?: Partial<Record<StateField, Parameter | Sql>>;
}

const TYPES: Partial<Record<StateField, Sql>> = {
  assigneeId: sql`uuid`,
  resolvedBy: sql`uuid`,
  snoozedUntil: sql`timestamptz`,
  resolution: sql`text`,
};

/**
 * The assignments of an event to the conversation `c`.
 * @param at the time of the change
 * @param given the values that the event takes from its caller
 */
export const become = <Event extends LifecycleEvent>(event: Event, at: Sql, given: Given<Event>): Sql =>
  becomeAll([{ event, given: given }], at);

/**
 * The assignments of several events to the conversation `c`. Where two of them change one column, the first that happens does.
 * A column that none of them changes is not named: that would cost its triggers.
 */
export function becomeAll(cases: readonly Case[], at: Sql): Sql {
  const columns = new Map<string, { condition: Parameter | Sql | undefined; value: Sql }[]>();
  const put = (column: string, condition: Parameter | Sql | undefined, value: Sql): void => {
    columns.set(column, [...(columns.get(column) ?? []), { condition, value }]);
  };
  for (const { event, if: condition, given = {} } of cases) {
    const { to, handledBy, as, sets = {} }: Transition = LIFECYCLE[event];
    if (to) put("status", condition, literal(to));
    if (handledBy) put("handling_mode", condition, literal(handledBy));
    for (const [field, effect] of Object.entries(sets) as [StateField, Effect][])
      put(
        columnOf(field),
        condition,
        valueOf(field, effect, at, field === "resolution" && as ? literal(as) : given[field]),
      );
  }
  return joined(
    [...columns].map(([column, values]) => {
      const name = identifier(column);
      const last = values.find(({ condition }) => !condition);
      const whens = values.filter(({ condition }) => condition);
      if (whens.length === 0) return sql`${name} = ${last!.value}`;
      const branches = joined(
        whens.map(({ condition, value }) => sql`when ${condition!} then ${value}`),
        " ",
      );
      return sql`${name} = case ${branches} else ${last?.value ?? sql`c.${name}`} end`;
    }),
    ", ",
  );
}

function valueOf(field: StateField, effect: Effect, at: Sql, given: Parameter | Sql | undefined): Sql {
  const column = sql`c.${identifier(columnOf(field))}`;
  switch (effect) {
    case "none":
      return sql`null`;
    case "zero":
      return sql`0`;
    case "one if zero":
      return sql`greatest(${column}, 1)`;
    case "one more":
      return sql`${column} + 1`;
    case "now":
      return at;
    case "now if empty":
      return sql`coalesce(${column}, ${at})`;
    case "given":
      return typed(field, given);
    case "given if empty":
      return sql`coalesce(${column}, ${typed(field, given)})`;
  }
}

function typed(field: StateField, given: Parameter | Sql | undefined): Sql {
  const type = TYPES[field];
  if (given === undefined || !type) throw new Error(`${field} is not given`);
  return sql`${given}::${type}`;
}

const among = (statuses: readonly string[]): Sql => joined(statuses.map(literal), ", ");

/** Whether an event has something to do in the state of the conversation `t`, as far as its status and who handles it say. */
export function hasEffect(event: LifecycleEvent): Sql {
  const { done = [], byAssistant }: Transition = LIFECYCLE[event];
  if (byAssistant) return assistantMayAct("t");
  return done.length ? sql`t.status not in (${among(done)})` : sql`true`;
}

/** Whether an event is not refused in the status of the conversation `t`. */
export function isAllowed(event: LifecycleEvent): Sql {
  const { refused = [] }: Transition = LIFECYCLE[event];
  return refused.length ? sql`t.status not in (${among(refused)})` : sql`true`;
}

/** The assistant handles the conversation of this alias, and it is not resolved. */
export const assistantMayAct = (conversation: string): Sql => {
  const c = identifier(conversation);
  return sql`(${c}.handling_mode = 'assistant' and ${c}.status <> 'resolved')`;
};

/** The conversation of this alias was resolved so long ago that a message from the contact starts a new one. */
export const isClosed = (conversation: string): Sql => {
  const c = identifier(conversation);
  return sql`(${c}.status = 'resolved' and ${c}.resolved_at < now() - interval ${literal(`${REOPEN_DAYS} days`)})`;
};
