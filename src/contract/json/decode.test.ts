import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeJsonText, decodeLoosely } from './decode.ts';

const characters = fc.string({ unit: 'grapheme' });

test('UTF-8 is read whatever it holds', () => {
  fc.assert(
    fc.property(characters, text => assert.equal(decodeJsonText(Buffer.from(`[${text}]`)), `[${text}]`)),
  );
});

test('UTF-16 is told by its first characters, with and without a byte order mark', () => {
  fc.assert(
    fc.property(characters, text => {
      const little = Buffer.from(`[1${text}`, 'utf16le');
      const big = Buffer.from(little).swap16();
      for (const bytes of [little, big, Buffer.concat([Buffer.from([0xff, 0xfe]), little])]) {
        assert.equal(decodeJsonText(bytes), `[1${text}`);
      }
    }),
  );
});

test('encoded surrogates pass, as they do in Python', () => {
  assert.equal(decodeJsonText(Buffer.from([0x61, 0xed, 0xa0, 0x80, 0xc3, 0xa9])), 'a\ud800é');
  assert.equal(decodeJsonText(Buffer.from([0xed, 0xbf, 0xbf])), '\udfff');
  assert.equal(decodeJsonText(Buffer.from([0x22, 0x00, 0x00, 0xd8])), '"\ud800');
  assert.equal(decodeJsonText(Buffer.from([0x5b, 0, 0, 0, 0x00, 0xd8, 0, 0])), '[\ud800');
});

test('other invalid bytes give nothing', () => {
  for (const bytes of [
    [0xff],
    [0xed, 0xa0],
    [0xed, 0xa0, 0x80, 0xff],
    [0xc0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
  ]) {
    assert.equal(decodeJsonText(Buffer.from(bytes)), null);
  }
});

test('one, two and three bytes are told apart as Python tells them', () => {
  assert.equal(decodeJsonText(Buffer.from('1')), '1');
  assert.equal(decodeJsonText(Buffer.from([0x00, 0x31])), '1');
  assert.equal(decodeJsonText(Buffer.from([0x31, 0x00])), '1');
  assert.equal(decodeJsonText(Buffer.from([0x31, 0x00, 0x32])), '1\u00002');
});

test('for quoting, what is invalid is replaced', () => {
  assert.equal(decodeLoosely(Buffer.from([0x61, 0xff, 0x62])), 'a\ufffdb');
});
