import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { isPackedText, packHere } from './packed-text.ts';
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
  const prepared = new Map<string, Prepared>();

  function prepare(sql: string): Prepared {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    const fresh = { statement, givesRows: statement.columns().length > 0 };
    prepared.set(sql, fresh);
    return fresh;
  }

  function execute({ sql, values }: Statement): StatementResult {
    const { statement, givesRows } = prepare(sql);
    const bound: SQLInputValue[] = values.map(value => (isPackedText(value) ? packHere(value) : value));
    if (givesRows) return { rows: statement.all(...bound).map(toRow), changes: 0 };
    return { rows: [], changes: Number(statement.run(...bound).changes) };
  }

  /** Prepared like any other: many a unit costs no more than its savepoint. */
  function mark(sql: 'SAVEPOINT unit' | 'RELEASE unit' | 'ROLLBACK TO unit'): void {
    prepare(sql).statement.run();
  }

  function runUnit(unit: Unit): UnitOutcome {
    mark('SAVEPOINT unit');
    try {
      const results = unit.map(execute);
      mark('RELEASE unit');
      return { ok: true, results };
    } catch (error) {
      if (!database.isTransaction) throw error;
      mark('ROLLBACK TO unit');
      mark('RELEASE unit');
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

interface Prepared {
  readonly statement: StatementSync;
  readonly givesRows: boolean;
}

function toRow(row: Record<string, SqlValue>): Row {
  return { ...row };
}
