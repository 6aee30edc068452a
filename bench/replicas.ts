import { parseArgs } from 'node:util';
import { postgresPrograms } from '../tests/support/postgres-cluster.ts';
import { pairsOnPostgres, pairsOnSqlite } from './faults/pairs-on-stores.ts';

/**
 * `make replicas`: fast and slow about PAIRS failed jobs, of which each has two slow calls at once; on PostgreSQL by two
 * replicas behind a TCP balancer, one of which is killed in the middle and comes back, on SQLite by one process that is
 * killed and comes back. `--pairs N`, `--at-once N`. Fails where an answer is wrong, lost or without its session.
 */
const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '1000' }, 'at-once': { type: 'string', default: '8' } },
});
const size = { pairs: Number(values.pairs), atOnce: Number(values['at-once']) };
const programs = postgresPrograms();
if (programs === null) console.log('PostgreSQL cannot be installed here: SQLite alone');
const stores = [
  ...(programs === null
    ? []
    : [{ name: 'PostgreSQL, two replicas', run: () => pairsOnPostgres(programs, size) }]),
  { name: 'SQLite, one process', run: () => pairsOnSqlite(size) },
];
for (const { name, run } of stores) {
  const began = performance.now();
  const { pairs, crossed, repeated, wrong, lost } = await run();
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `${name}: ${pairs.length} pairs of fast and two slow in ${seconds} s, ${crossed} crossed replicas, ` +
      `${repeated} calls repeated, ${wrong.length} wrong, ${lost.length} lost`,
  );
  for (const line of [...wrong, ...lost].slice(0, 10)) console.log(`  ${line}`);
  if (wrong.length + lost.length > 0 || pairs.length !== size.pairs) process.exitCode = 1;
}
