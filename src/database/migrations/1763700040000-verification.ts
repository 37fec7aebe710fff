import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolate } from './isolate.js';

/** Questions, attempts and factors of proving who is calling. */
export class Verification1763700040000 implements MigrationInterface {
  name = 'Verification1763700040000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "conversation" ADD "caller_id" text`);
    //TABLES
    for (const table of ['verification_question', 'verification_attempt', 'verification_factor']) await isolate(queryRunner, table);
    await queryRunner.query('grant select, insert, update, delete on assurance_due to parley_app');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['assurance_due', 'verification_factor', 'verification_attempt', 'verification_question']) await queryRunner.query(`DROP TABLE "${table}"`);
    await queryRunner.query(`ALTER TABLE "conversation" DROP COLUMN "caller_id"`);
  }
}
