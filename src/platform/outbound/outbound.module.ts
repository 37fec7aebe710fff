import { Module } from "@nestjs/common";
import { Config } from "../config/config.js";
import { Tracing } from "../tracing/tracing.js";
import { OutboundClient } from "./outbound.client.js";

@Module({
  providers: [
    {
      provide: OutboundClient,
      inject: [Config, Tracing],
      useFactory: ({ OUTBOUND_ALLOW }: Config, tracing: Tracing) =>
        new OutboundClient(OUTBOUND_ALLOW, undefined, tracing),
    },
  ],
  exports: [OutboundClient],
})
export class OutboundModule {}
