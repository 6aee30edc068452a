#!/usr/bin/env node
// Only this file may run under an older Node.js: it checks the version before anything newer is loaded.
const needed = 24;
const running = process.versions.node;

if (Number.parseInt(running, 10) < needed) {
  process.stderr.write(`attribution-adapter needs Node.js ${needed} or newer; this is ${running}\n`);
  process.exit(2);
}

const { runCommandLine } = await import('./cli/run.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));

export {};
