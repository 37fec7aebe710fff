import {
  context,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { OnApplicationShutdown } from "@nestjs/common";
import type { Config } from "../config/config.js";
import { type Attributes, type RequestSpan, type SpanIds, Tracing } from "./tracing.js";

/** How long the last spans of a process may take to leave. */
const FLUSH_MS = 3_000;

/** Sends traces by OTLP over HTTP. */
export class OpenTelemetry extends Tracing implements OnApplicationShutdown {
  override readonly enabled = true;
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;
  private readonly propagator = new W3CTraceContextPropagator();

  constructor({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: service }: Config, version: string) {
    super();
    // One for the process. It stays, and costs nothing where no span is current.
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
    // The sampler and the headers come from the variables of OpenTelemetry itself.
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ "service.name": service, "service.version": version }),
      spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: 2 * FLUSH_MS })],
    });
    this.tracer = this.provider.getTracer("parley", version);
  }

  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    const span = this.tracer.startSpan(name, { attributes });
    return context.with(trace.setSpan(context.active(), span), () => settled(span, work));
  }

  step<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    return trace.getSpan(context.active()) ? this.span(name, attributes, work) : work();
  }

  request(parent: string | undefined, method: string, work: () => void): RequestSpan {
    const around = this.contextOf(parent);
    const span = this.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: { [METHOD]: method } }, around);
    context.with(trace.setSpan(around, span), work);
    return {
      end: (route, status) => {
        span.updateName(`${method} ${route}`).setAttributes({ "http.route": route, [STATUS]: status });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  current(): SpanIds | undefined {
    const { traceId, spanId } = trace.getSpan(context.active())?.spanContext() ?? {};
    return traceId !== undefined && spanId !== undefined ? { traceId, spanId } : undefined;
  }

  async onApplicationShutdown(): Promise<void> {
    // Whoever takes the spans may be away.
    const late = AbortSignal.timeout(FLUSH_MS);
    await Promise.race([
      this.provider.shutdown().catch(() => undefined),
      new Promise((resolve) => late.addEventListener("abort", resolve)),
    ]);
  }

  private contextOf(parent: string | undefined): Context {
    return parent === undefined
      ? ROOT_CONTEXT
      : this.propagator.extract(ROOT_CONTEXT, { traceparent: parent }, defaultTextMapGetter);
  }
}

const METHOD = "http.request.method";
const STATUS = "http.response.status_code";

async function settled<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Not its message, which may name what somebody wrote.
    const { name, code } = error as { name?: string; code?: unknown };
    span.setAttribute("error.type", typeof code === "string" ? code : (name ?? "Error"));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
