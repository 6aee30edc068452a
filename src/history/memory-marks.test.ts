import { markStoreSuite } from '../../tests/support/mark-store-suite.ts';
import { memoryMarks } from './memory-marks.ts';

markStoreSuite('marks in memory', async (clock, keptNanos) => ({
  store: memoryMarks({ clock }, keptNanos),
  close: async () => {},
}));
