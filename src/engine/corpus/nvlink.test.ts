import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeNvlink, type NvlinkRow } from './nvlink.ts';

function row(code: string, fields: Partial<NvlinkRow>): NvlinkRow {
  return {
    code,
    title: code,
    symptom: code,
    category: 'accelerator_fabric',
    blames: 'nobody',
    role: 'root',
    strength: 'S4',
    status: 'test',
    inhibits: [],
    caution: null,
    xid: '149',
    units: ['NETIR_LINK_EVT', 'NETIR_LINK_DOWN'],
    intrInfoV1: '------000001----------0111000110',
    intrInfoV2: '------000001-------------0010001',
    errorStatus: 0,
    severity: 'Link Fatal',
    ...fields,
  };
}

// 0x001001c6: sub-reason 1 in bits 25..20, unit 0b01110 in bits 9..5 (older drivers).
const older = '0x001001c6';
// 0x00100011: the same sub-reason, unit 0b0010001 in bits 6..0 (newer drivers).
const newer = '0x00100011';
const rows = [
  row('down-1', {}),
  row('down-2', {
    intrInfoV1: '------000010----------0111000110',
    intrInfoV2: '------000010-------------0010001',
  }),
  row('ber-1', { units: ['NETIR_BER_EVENT'], errorStatus: 1, intrInfoV1: null, intrInfoV2: '-'.repeat(32) }),
  row('ber-2', {
    units: ['NETIR_BER_EVENT'],
    errorStatus: 2,
    intrInfoV1: null,
    intrInfoV2: '-'.repeat(32),
    strength: 'S3',
  }),
];
const line = { xid: '149', unit: 'NETIR_LINK_EVT', intr_info: older, error_status: '0x00000000' };
const codeOf = (captures: Readonly<Record<string, string>>) => decodeNvlink(rows, captures)?.row.code ?? null;

test("either driver's bits select the row, under either name of the unit", () => {
  assert.equal(codeOf(line), 'down-1');
  assert.equal(codeOf({ ...line, intr_info: newer, unit: 'netir_link_down' }), 'down-1');
  assert.equal(codeOf({ ...line, intr_info: '0x002001c6' }), 'down-2');
});

test('bits that do not count are ignored, others must agree', () => {
  assert.equal(codeOf({ ...line, intr_info: '0xfc1ffdc6' }), 'down-1');
  assert.equal(codeOf({ ...line, intr_info: '0x001001c7' }), null);
});

test('another Xid, unit or error status selects nothing', () => {
  assert.equal(codeOf({ ...line, xid: '148' }), null);
  assert.equal(codeOf({ ...line, unit: 'NETIR' }), null);
  assert.equal(codeOf({ ...line, error_status: '0x00000001' }), null);
  assert.equal(codeOf({ ...line, error_status: 'none' }), null);
  assert.equal(codeOf({ xid: '149' }), null);
});

test('of several errors at once the strongest evidence is taken', () => {
  const ber = { ...line, unit: 'NETIR_BER_EVENT' };
  assert.equal(codeOf({ ...ber, error_status: '0x1' }), 'ber-1');
  assert.equal(codeOf({ ...ber, error_status: '0x3' }), 'ber-2');
  assert.equal(codeOf({ ...ber, error_status: '0x4' }), null);
});

test('the first two registers stand for the words of the same meaning', () => {
  assert.equal(
    codeOf({ xid: '149', unit: 'NETIR_LINK_EVT', registers: `${older} 0x00000000 0x0 0x0` }),
    'down-1',
  );
});

test('a severity word that contradicts the table is told, not believed', () => {
  assert.equal(decodeNvlink(rows, { ...line, severity: 'Fatal' })?.conflict, null);
  assert.match(decodeNvlink(rows, { ...line, severity: 'Nonfatal' })?.conflict ?? '', /line says Nonfatal/);
});
