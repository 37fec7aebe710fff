import type { MigrationInterface, QueryRunner } from "typeorm";

/** A filtered list walks an index of its own, for each kind of reach. */
export class FilteredLists1763700002000 implements MigrationInterface {
  name = "FilteredLists1763700002000";

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER INDEX "conversation_recent_of_contact" RENAME TO "conversation_recent_of_contact_anywhere"`,
    );
    await queryRunner.query(
      `ALTER INDEX "conversation_recent_of_assignee" RENAME TO "conversation_recent_of_assignee_anywhere"`,
    );
    await queryRunner.query(
      `CREATE INDEX "conversation_recent_of_contact" ON "conversation" ("tenant_id", "workspace_id", "contact_id", "last_activity_at", "id") `,
    );
    await queryRunner.query(
      `CREATE INDEX "conversation_recent_of_assignee" ON "conversation" ("tenant_id", "workspace_id", "assignee_id", "last_activity_at", "id") WHERE assignee_id is not null`,
    );
    await queryRunner.query(
      `CREATE INDEX "conversation_recent_by_status_anywhere" ON "conversation" ("tenant_id", "status", "last_activity_at", "id") `,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "conversation_recent_by_status_anywhere"`);
    await queryRunner.query(`DROP INDEX "conversation_recent_of_assignee"`);
    await queryRunner.query(`DROP INDEX "conversation_recent_of_contact"`);
    await queryRunner.query(
      `ALTER INDEX "conversation_recent_of_assignee_anywhere" RENAME TO "conversation_recent_of_assignee"`,
    );
    await queryRunner.query(
      `ALTER INDEX "conversation_recent_of_contact_anywhere" RENAME TO "conversation_recent_of_contact"`,
    );
  }
}
