import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortenScript } from './shorten.ts'

const CASES: [does: string, code: string, shorter: string][] = [
  ['loops over an array', 'for (let a of f()) g(a);', '(f()).map((a) => {g(a);});'],
  [
    'keeps a loop that ends early',
    'let f = (a) => {for (let b of a) if (b) return b;};',
    'let f = (a) => {for (let b of a) if (b) return b;};',
  ],
  [
    'keeps a loop that ends a turn early',
    'for (let a of f()) {if (a) continue; g(a);}',
    'for (let a of f()) {if (a) continue; g(a);}',
  ],
  [
    'loops although a function in the loop returns',
    'for (let a of f()) g(() => {return a;});',
    '(f()).map((a) => {g(() => {return a;});});',
  ],
  [
    'reuses a parameter that is needed no more',
    'let f = (a) => {let b = a.c;let c = b.a;return {c};};',
    'let f = (a) => {a = a.c;a = a.a;return {c: a};};',
  ],
  [
    'reuses nothing that is needed later, or that an inner function may read',
    'let f = (a, b) => {let c = a + b;let d = () => a;return g(b, c, d);};',
    'let f = (a, b, c, d) => {(c = a + b);(d = () => a);return g(b, c, d);};',
  ],
  [
    'reuses no name that is none of the function’s',
    'let f = (a = document) => {let b = a;return g(a, b);};',
    'let f = (a = document, b) => {(b = a);return g(a, b);};',
  ],
  [
    'declares what a pattern reads',
    'let f = () => {let [a, { b, c: d = 1 }] = g();return h(a, b, d);};',
    'let f = (a, b, d) => {([a, { b, c: d = 1 }] = g());return h(a, b, d);};',
  ],
  [
    'adds no parameter behind all the others',
    'let f = (...a) => {let b = a;return b;};',
    'let f = (...a) => {let b = a;return b;};',
  ],
  [
    'keeps a variable without a value, and two of one statement',
    'let f = (a) => {let b;let c = 1, d = a;return g(b, c, d);};',
    'let f = (a) => {let b;let c = 1, d = a;return g(b, c, d);};',
  ],
]

for (const [does, code, shorter] of CASES)
  test(`the build ${does}`, () => {
    assert.equal(shortenScript(code), shorter)
  })
