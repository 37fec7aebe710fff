import { Global, Module } from "@nestjs/common";
import { Afterwards } from "./afterwards.js";
import { JobRunner } from "./job-runner.js";

@Global()
@Module({ providers: [JobRunner, Afterwards], exports: [JobRunner, Afterwards] })
export class JobsModule {}
