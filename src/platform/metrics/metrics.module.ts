import { Global, Module } from "@nestjs/common";
import { Metrics } from "./metrics.js";
import { MetricsEndpoint } from "./metrics-endpoint.js";

@Global()
@Module({ providers: [Metrics, MetricsEndpoint], exports: [Metrics, MetricsEndpoint] })
export class MetricsModule {}
