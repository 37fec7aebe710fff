import { Global, Module } from "@nestjs/common";
import { Afterwards } from "./afterwards.js";
import { ClockWatch } from "./clock-watch.js";
import { JobRunner } from "./job-runner.js";

@Global()
@Module({ providers: [JobRunner, Afterwards, ClockWatch], exports: [JobRunner, Afterwards] })
export class JobsModule {}
