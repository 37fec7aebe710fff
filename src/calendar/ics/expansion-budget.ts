/** A series may have an hourly rule: 2,352 times in the window of a sync. */
const MAX_TIMES = 5_000;
/** RFC 5545 wants one rule in an event. A VTIMEZONE may have two for each time that its country changed the law. */
const MAX_RULES = 100;

/** What the expansion of one iCalendar text may cost, over all of its events and zones. */
export class ExpansionBudget {
  private times = MAX_TIMES;
  private rules = MAX_RULES;

  /** @throws Error: the text has more times than a person's calendar */
  spendTimes(count: number): void {
    this.times -= count;
    if (this.times < 0) throw new Error("too many times");
  }

  /** @throws Error: the text has more rules than a person's calendar */
  spendRule(): void {
    if (--this.rules < 0) throw new Error("too many rules");
  }
}
