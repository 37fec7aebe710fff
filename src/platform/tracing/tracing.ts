export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** The ids of a trace and of the span in it that is current. */
export interface SpanIds {
  traceId: string;
  spanId: string;
}

/**
 * Shows where the time of a request or of work in the background goes. No attribute holds what somebody wrote, an address, a name or
 * a path: ids and the names of our own things alone.
 */
export abstract class Tracing {
  /** Whether anybody looks at traces. Otherwise nothing of OpenTelemetry is loaded. */
  readonly enabled: boolean = false;

  /** Does `work` in a span below the current one, or in a new trace. */
  abstract span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;

  /** The same, but only below a current one: what runs every second is no trace of its own. */
  abstract step<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;

  /** Does `work` in a span of a request. @param parent what the caller sent as `traceparent` */
  abstract request(parent: string | undefined, method: string, work: () => void): RequestSpan | undefined;

  /** The current span. Log lines name it. */
  abstract current(): SpanIds | undefined;
}

/** Ends when the request is answered. */
export interface RequestSpan {
  end(route: string, status: number): void;
}

/** Traces are off. */
export class NoTracing extends Tracing {
  span<T>(_name: string, _attributes: Attributes, work: () => Promise<T>): Promise<T> {
    return work();
  }

  step<T>(_name: string, _attributes: Attributes, work: () => Promise<T>): Promise<T> {
    return work();
  }

  request(_parent: string | undefined, _method: string, work: () => void): undefined {
    work();
  }

  current(): undefined {
    return undefined;
  }
}
