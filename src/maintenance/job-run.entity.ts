import { Column, Entity, PrimaryColumn } from "typeorm";
import { Time } from "../platform/database/columns.js";

/** When a scheduled job last came to its end, on whichever node. */
@Entity("job_run")
export class JobRunEntity {
  @PrimaryColumn({ type: "text" }) name: string;
  @Time() startedAt: Date;
  @Time() finishedAt: Date;
  @Column({ type: "jsonb" }) result: object;
}
