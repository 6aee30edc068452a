import type { Random } from '../random.ts';
import type { KernelLine } from '../stage.ts';
import { bootStamp, cStamp, isoMicros, syslogStamp } from './stamps.ts';

/** One way to keep a kernel log: how a line is written, and what the file is called. */
export interface KernelForm {
  readonly name: string;
  /** Whether only the kernel's own lines are in it. */
  readonly kernelOnly: boolean;
  fileOf(node: string): string;
  line(entry: KernelLine, at: number, bootAt: number): string;
}

/** `dmesg` puts the further lines of a message under its first; relays of syslog write what stands for a line feed. */
const indented = (text: string): string => text.replaceAll('\n', `\n${' '.repeat(15)}`);
const escaped = (text: string): string => text.replaceAll('\n', '#012');

const own = (extension: string) => (node: string) => `kernel/${node}.${extension}`;
const tagged = (entry: KernelLine): string =>
  entry.unit === 'kernel' || entry.unit === 'mmfs'
    ? `${entry.unit}:`
    : `${entry.unit}[${812 + (entry.unit.length % 7) * 97}]:`;

const dmesgHuman: KernelForm = {
  name: 'dmesg -T',
  kernelOnly: true,
  fileOf: own('log'),
  line: (entry, at) => `[${cStamp(at)}] ${indented(entry.text)}`,
};
const dmesgIso: KernelForm = {
  name: 'dmesg --time-format iso',
  kernelOnly: true,
  fileOf: own('dmesg'),
  line: (entry, at) => `${isoMicros(at).replace('.', ',')}+00:00 ${indented(entry.text)}`,
};
const dmesgRaw: KernelForm = {
  name: 'dmesg',
  kernelOnly: true,
  fileOf: own('dmesg'),
  line: (entry, at, bootAt) => `[${bootStamp(at, bootAt)}] ${indented(entry.text)}`,
};
const dmesgCaller: KernelForm = {
  name: 'dmesg with callers',
  kernelOnly: true,
  fileOf: own('dmesg'),
  line: (entry, at, bootAt) =>
    `[${bootStamp(at, bootAt)}] [ T${1900 + (entry.order % 90)}] ${indented(entry.text)}`,
};
const syslog: KernelForm = {
  name: 'syslog',
  kernelOnly: false,
  fileOf: own('log'),
  line: (entry, at) => `${syslogStamp(at)} ${entry.machine.name} ${tagged(entry)} ${escaped(entry.text)}`,
};
const syslogWithBoot: KernelForm = {
  name: 'syslog with seconds since boot',
  kernelOnly: false,
  fileOf: own('syslog'),
  line: (entry, at, bootAt) =>
    `${syslogStamp(at)} ${entry.machine.name} ${tagged(entry)} ${entry.unit === 'kernel' ? `[${bootStamp(at, bootAt)}] ` : ''}${escaped(entry.text)}`,
};
const rsyslog: KernelForm = {
  name: 'rsyslog',
  kernelOnly: false,
  fileOf: own('log'),
  line: (entry, at) => `${isoMicros(at)}+00:00 ${entry.machine.name} ${tagged(entry)} ${escaped(entry.text)}`,
};
const syslog5424: KernelForm = {
  name: 'syslog 5424',
  kernelOnly: false,
  fileOf: own('log'),
  line: (entry, at) =>
    `<4>1 ${isoMicros(at)}Z ${entry.machine.name} ${entry.unit} - - - ${escaped(entry.text)}`,
};
const journal: KernelForm = {
  name: 'journald',
  kernelOnly: false,
  fileOf: own('json'),
  line: (entry, at, bootAt) =>
    JSON.stringify({
      __REALTIME_TIMESTAMP: String(Math.floor(at * 1000)),
      __MONOTONIC_TIMESTAMP: String(Math.floor((at - bootAt) * 1000)),
      _BOOT_ID: `b${Math.floor(bootAt / 1000)
        .toString(16)
        .padStart(31, '0')}`,
      _HOSTNAME: entry.machine.name,
      _TRANSPORT: entry.unit === 'kernel' ? 'kernel' : 'syslog',
      SYSLOG_IDENTIFIER: entry.unit,
      PRIORITY: '4',
      MESSAGE: entry.text,
    }),
};
const central: KernelForm = { ...rsyslog, name: 'central rsyslog', fileOf: () => 'kernel/all.log' };

const usual = [dmesgHuman, dmesgIso, syslog, syslogWithBoot, rsyslog, syslog5424, journal];

/** How a cluster keeps its kernel logs: one form everywhere. Raw rings tell no date. */
export function kernelFormOf(
  random: Random,
  needs: { readonly dates: boolean; readonly daemons: boolean },
  nodes: number,
): KernelForm {
  if (random.chance(nodes > 512 ? 0.5 : 0.05)) return central;
  if (!needs.dates && !needs.daemons && random.chance(0.12)) return random.pick([dmesgRaw, dmesgCaller]);
  return random.pick(usual.filter(form => !needs.daemons || !form.kernelOnly));
}
