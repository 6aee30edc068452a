import { join } from 'node:path';
import { providerSuite, suiteCase } from '../../../tests/support/provider-suite.ts';

providerSuite('rules provider', async () => ({ flags: {}, folders: [join(suiteCase, 'evidence')] }));
