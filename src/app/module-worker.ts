// The entry of the thread that serves a provider module.
import { workerData } from 'node:worker_threads';
import { serveModule } from '../providers/module/serve-module.ts';
import type { ThreadStart } from '../providers/module/thread-messages.ts';
import { systemClock } from '../telemetry/system-clock.ts';

// Not waited for: where a module never loads, the thread ends of itself.
void serveModule(workerData as ThreadStart, systemClock);
