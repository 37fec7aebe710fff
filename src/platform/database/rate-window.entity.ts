import { Entity, PrimaryColumn } from "typeorm";
import { Int, Time } from "./columns.js";

/** Requests that one client has been granted, over all nodes, in the window that began at `startedAt`. */
@Entity("rate_window")
export class RateWindowEntity {
  @PrimaryColumn({ type: "text" }) client: string;
  @Time() startedAt: Date;
  @Int() granted: number;
  /** How much of it the newest lease got: what a lease answers with, exact under races. */
  @Int() lastGrant: number;
}
