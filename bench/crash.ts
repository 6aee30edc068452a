import { parseArgs } from 'node:util';
import { postgresPrograms } from '../tests/support/postgres-cluster.ts';
import { killServices } from './faults/kill-services.ts';
import { killsOnPostgres, killsOnSqlite } from './faults/kills-on-stores.ts';

/**
 * `make crash`: KILLS SIGKILLs at random moments while sessions, history, answers and pushed bytes are written, on each
 * store, and a fiftieth as many of the whole service; what was acknowledged is recorded outside the process. On
 * PostgreSQL each twentieth time the server is shut down at once instead. `--kills N`, `--services N`, `--store NAME`.
 * Fails where something acknowledged is lost, or a store is damaged.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    services: { type: 'string' },
    store: { type: 'string' },
  },
});
const kills = Number(values.kills);
const services = Number(values.services ?? Math.ceil(kills / 50));
const programs = postgresPrograms();
if (programs === null) console.log('PostgreSQL cannot be installed here: SQLite alone');

const writers = {
  sqlite: () => killsOnSqlite(kills, Math.random),
  ...(programs === null ? {} : { postgres: () => killsOnPostgres(programs, kills, Math.random) }),
};
for (const [name, run] of Object.entries(writers)) {
  if (values.store !== undefined && values.store !== name) continue;
  const result = await run();
  const { early, acknowledged, lost, corrupt, openMs } = result;
  const server = 'disasters' in result ? `, the server shut down at once ${result.disasters} times` : '';
  console.log(
    `${name}: ${result.kills} kills (${early} before the store was open${server}), ${acknowledged} acknowledged, ` +
      `${lost.length} lost, ${corrupt.length} faults of the store; open again after ${times(openMs)}`,
  );
  report([...lost, ...corrupt]);
  if (services === 0) continue;
  const killed = await killServices(name === 'postgres' ? programs : null, services, Math.random);
  console.log(
    `${name}: ${services} kills of the service, ${killed.acknowledged} answers with a session, ${killed.lost.length} lost; ` +
      `listening after ${times(killed.startMs)}`,
  );
  report(killed.lost);
}

function times(sorted: readonly number[]): string {
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(0);
  return `${at(0.5)} ms (half), ${at(0.99)} ms (99 %), ${at(1)} ms (longest)`;
}

function report(faults: readonly string[]): void {
  for (const fault of faults.slice(0, 10)) console.log(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
