import { Check, Column, Entity, PrimaryColumn, Unique } from "typeorm";
import { Now, Text } from "./columns.js";

/**
 * - `open`: nothing is under way.
 * - `copying`: its rows are copied to `other`. It is served as before.
 * - `draining`: its jobs begin nothing new.
 * - `moving`: its requests wait.
 * - `purging`: it lives on `server`; `other`, where it lived before, still has its rows.
 */
export type HomeState = "open" | "copying" | "draining" | "moving" | "purging";

/** The server on which an organisation lives, with both of its sides. Without a row it lives on control. */
@Entity("home")
@Unique("home_test", ["testId"])
@Check("home_state", "state in ('open', 'copying', 'draining', 'moving', 'purging')")
@Check("home_other", "(state = 'open') = (other is null) and other is distinct from server")
export class HomeEntity {
  @PrimaryColumn({ type: "uuid", primaryKeyConstraintName: "home_pkey" }) organisationId: string;
  /** The id of its test side. The organisation's is that of its live side. */
  @Column({ type: "uuid" }) testId: string;
  @Text() server: string;
  @Text({ default: "open" }) state: HomeState;
  @Text({ nullable: true }) other: string | null;
  /** Since when it has this state. */
  @Now() since: Date;
}

/** What only one organisation on all servers may have, such as a proven email, by its hash. Only the row on control counts. */
@Entity("reservation")
export class ReservationEntity {
  @PrimaryColumn({ type: "bytea", primaryKeyConstraintName: "reservation_pkey" }) hash: Buffer;
  /** The organisation. Not named as elsewhere: the row does not move with it. */
  @Column({ type: "uuid" }) holder: string;
  @Now() reservedAt: Date;
}
