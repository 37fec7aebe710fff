import { Column, Entity, PrimaryColumn } from "typeorm";
import { Time } from "../platform/database/columns.js";

/** The last run of a scheduled job, on any node. */
@Entity("job_run")
export class JobRunEntity {
  @PrimaryColumn({ type: "text" }) name: string;
  @Time() startedAt: Date;
  @Time() finishedAt: Date;
  @Column({ type: "jsonb" }) result: object;
}
