#!/usr/bin/env node
// Only this file may run under an older Node.js: it checks the version before anything newer is loaded.
const needed = 24;
const running = process.versions.node;

if (Number.parseInt(running, 10) < needed) {
  process.stderr.write(`attribution-adapter needs Node.js ${needed} or newer; this is ${running}\n`);
  process.exit(2);
}

// Stripping types takes half of a short command's time. The folder belongs to the checkout: no other user writes there.
if (import.meta.filename.endsWith('.ts')) {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(`${import.meta.dirname}/../.cache/compile`);
}

const { runCommandLine } = await import('./cli/run.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));

export {};
