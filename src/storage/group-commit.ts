import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Row, SqlValue, Statement, StatementResult, Unit } from './statement.ts';

type UnitOutcome =
  | { readonly ok: true; readonly results: readonly StatementResult[] }
  | { readonly ok: false; readonly error: unknown };

export interface GroupCommit {
  /** Runs the units in order in one transaction. An outcome is `ok` only if the whole group reached the disk. */
  run(units: readonly Unit[]): readonly UnitOutcome[];
}

/**
 * One fsync pays for all units that waited while the previous one ran. A unit that fails is undone alone; where
 * SQLite gave up the whole transaction (disk full, I/O error), every unit of the group fails.
 */
export function groupCommit(database: DatabaseSync): GroupCommit {
  const prepared = new Map<string, StatementSync>();

  function prepare(sql: string): StatementSync {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    prepared.set(sql, statement);
    return statement;
  }

  function execute({ sql, values }: Statement): StatementResult {
    const statement = prepare(sql);
    const bound: SQLInputValue[] = [...values];
    if (statement.columns().length > 0) return { rows: statement.all(...bound).map(toRow), changes: 0 };
    return { rows: [], changes: Number(statement.run(...bound).changes) };
  }

  function runUnit(unit: Unit): UnitOutcome {
    database.exec('SAVEPOINT unit');
    try {
      const results = unit.map(execute);
      database.exec('RELEASE unit');
      return { ok: true, results };
    } catch (error) {
      if (!database.isTransaction) throw error;
      database.exec('ROLLBACK TO unit');
      database.exec('RELEASE unit');
      return { ok: false, error };
    }
  }

  return {
    run(units) {
      try {
        database.exec('BEGIN IMMEDIATE');
        const outcomes = units.map(runUnit);
        database.exec('COMMIT');
        return outcomes;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        return units.map(() => ({ ok: false, error }));
      }
    },
  };
}

function toRow(row: Record<string, SqlValue>): Row {
  return { ...row };
}
