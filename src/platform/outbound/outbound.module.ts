import { Module } from "@nestjs/common";
import { Config } from "../config/config.js";
import { OutboundClient } from "./outbound.client.js";

@Module({
  providers: [
    {
      provide: OutboundClient,
      inject: [Config],
      useFactory: ({ OUTBOUND_ALLOW }: Config) => new OutboundClient(OUTBOUND_ALLOW),
    },
  ],
  exports: [OutboundClient],
})
export class OutboundModule {}
