import type { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../core/storage-error.ts';
import type { Migration } from './migrations.ts';

/** Marks our files among SQLite files ("AtrA"), so that another program's file is refused instead of altered. */
const applicationId = 0x41747241;

/**
 * Brings the schema forward to the last migration, all steps in one transaction. Throws `newer` where a later
 * version of the program wrote the file: there is no way back, and guessing at an unknown schema could lose data.
 */
export function migrate(database: DatabaseSync, migrations: readonly Migration[], file: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    checkOwner(database, file);
    const version = pragma(database, 'user_version');
    if (version > migrations.length) {
      throw new StorageError(
        'newer',
        `state file ${file} has schema ${version}, this version knows ${migrations.length}: run the newer version again, or name another state folder`,
      );
    }
    for (const { sql } of migrations.slice(version)) database.exec(sql);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function checkOwner(database: DatabaseSync, file: string): void {
  if (pragma(database, 'application_id') === applicationId) return;
  const tables = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get();
  if (tables?.['tables'] !== 0) {
    throw new StorageError(
      'foreign',
      `state file ${file} belongs to another program: name another state folder`,
    );
  }
  database.exec(`PRAGMA application_id = ${applicationId}`);
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
  const value = database.prepare(`PRAGMA ${name}`).get()?.[name];
  return typeof value === 'number' ? value : 0;
}
