import { measureRequest, percentile, printRequest } from './large-requests/measure-request.ts';

/**
 * One request over a gigabyte of logs, while `/healthz` of the same process is probed: time of the answer, peak
 * resident memory, and percentiles of the probes. Fails above 512 MiB or above 50 ms at p99.
 */
const megabytes = Number(process.argv[2] ?? 1000);
const request = await measureRequest(megabytes * 1_000_000, 16);
printRequest('16 nodes', request);
const { isNodeNamed, peakMib, probesMs } = request;
// A short run sees little but the start of the process.
const slow = megabytes >= 1000 && (percentile(probesMs, 0.99) > 50 || probesMs.length < 200);
if (!isNodeNamed || peakMib > 512 || slow) process.exitCode = 1;
