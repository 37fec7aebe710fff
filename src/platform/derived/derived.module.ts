import { Module } from "@nestjs/common";
import { RepairJob } from "./repair.job.js";

@Module({ providers: [RepairJob] })
export class DerivedModule {}
