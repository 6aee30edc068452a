import { measureRequest, printRequest } from './large-requests/measure-request.ts';

/**
 * Memory does not grow with the evidence: peak resident memory over four gigabytes may lie 10 % above that over one, and
 * stays below 1 GiB for 1,024 nodes with 20 million lines. The argument is the percentage of all that which is taken.
 */
const share = Number(process.argv[2] ?? 100) / 100;
const one = await measureRequest(1e9 * share, 16);
printRequest('one gigabyte', one);
const four = await measureRequest(4e9 * share, 16);
printRequest('four gigabytes', four);
const growth = four.peakMib / one.peakMib - 1;
console.log(`four gigabytes need ${(growth * 100).toFixed(0)} % more memory than one`);
// Twenty million lines of these logs have about so many bytes.
const cluster = await measureRequest(2.35e9 * share, 1024);
printRequest('1,024 nodes', cluster);
const missed = [one, four, cluster].some(({ isNodeNamed }) => !isNodeNamed);
// A short run is too small to tell growth from the noise of a start.
if (missed || cluster.peakMib > 1024 || (share >= 1 && growth > 0.1)) process.exitCode = 1;
