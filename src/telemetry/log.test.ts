import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, type LogOptions } from './log.ts';

function written(level: LogOptions['level'], write: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  write(createLog({ level, stream: { write: line => lines.push(line) } }));
  return lines.map(line => JSON.parse(line) as Record<string, unknown>);
}

test('a line is one JSON object with level, time, fields and message', () => {
  const [line] = written('info', log => log.child({ request_id: 'r1' }).info({ phase: 'fast' }, 'answered'));
  assert.ok(line);
  assert.match(String(line['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(
    { ...line, time: '' },
    { level: 'info', time: '', request_id: 'r1', phase: 'fast', msg: 'answered' },
  );
});

test('lines below the level are not written', () => {
  const lines = written('warn', log => {
    log.debug({}, 'a');
    log.info({}, 'b');
    log.warn({}, 'c');
    log.error({}, 'd');
  });
  assert.deepEqual(
    lines.map(line => line['msg']),
    ['c', 'd'],
  );
});

test('secrets and user ids are withheld, in a child as well', () => {
  const fields = { token: 'hunter2', authorization: 'hunter2', user_id: 'user1', password: 'hunter2' };
  const lines = written('info', log => {
    log.info(fields, 'a');
    log.child(fields).info({}, 'b');
  });
  assert.equal(lines.length, 2);
  assert.doesNotMatch(JSON.stringify(lines), /hunter2|user1/);
});
