import { Column, type ColumnOptions, PrimaryColumn } from "typeorm";

/** Part of the primary key `(tenant_id, id)` of every tenant table, and the first column of its other keys. */
export const TenantId = (): PropertyDecorator => PrimaryColumn({ type: "uuid" });
export const Id = (): PropertyDecorator => PrimaryColumn({ type: "uuid" });
export const Uuid = (options: ColumnOptions = {}): PropertyDecorator => Column({ type: "uuid", ...options });
export const Text = (options: ColumnOptions = {}): PropertyDecorator => Column({ type: "text", ...options });
export const Int = (options: ColumnOptions = {}): PropertyDecorator => Column({ type: "integer", ...options });
/** Millisecond precision, as in the API. So a cursor names the exact time of a row. */
export const Time = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: "timestamptz", precision: 3, ...options });
/** The database's clock at insertion. */
export const Now = (): PropertyDecorator => Time({ default: () => "now()" });
