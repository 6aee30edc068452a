import { databaseSessionStore } from '../../src/sessions/database-store.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { fakeClock } from './fake-clock.ts';
import { rememberedLog } from './remembered-log.ts';
import { sampleAnswer, sampleSession } from './sample-session.ts';

/** Opens and updates sessions in the file given, eight at a time, and prints the id of each that is acknowledged, until it is killed. */
const [file = ''] = process.argv.slice(2);
const database = await openDatabase({ file });
const store = databaseSessionStore({ database, clock: fakeClock(), log: rememberedLog() });

async function write(writer: number): Promise<never> {
  for (let at = 0; ; at += 1) {
    const session = sampleSession(`s-${writer}-${at}`);
    await store.open(session);
    await store.update({ ...session, answers: [sampleAnswer('r1')] });
    process.stdout.write(`${session.id}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
