import { Global, Module } from "@nestjs/common";
import { Config } from "../config/config.js";
import { NoTracing, Tracing } from "./tracing.js";

@Global()
@Module({
  providers: [
    {
      provide: Tracing,
      inject: [Config],
      useFactory: async (config: Config): Promise<Tracing> => {
        if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return new NoTracing();
        const { OpenTelemetry } = await import("./open-telemetry.js");
        return new OpenTelemetry(config, process.env.npm_package_version ?? "0.1.0");
      },
    },
  ],
  exports: [Tracing],
})
export class TracingModule {}
