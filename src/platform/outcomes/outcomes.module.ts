import { Module } from "@nestjs/common";
import { OutcomesService } from "./outcomes.service.js";

@Module({ providers: [OutcomesService], exports: [OutcomesService] })
export class OutcomesModule {}
