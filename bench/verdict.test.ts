import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toGrowth, toTrend } from './verdict.ts'

test('a cost is flat up to 1.3, then grows as a logarithm while each tenfold adds no more than the first had', () => {
  const shape = (first: number, last: number) => toGrowth([10, 1000], [first, last]).shape
  assert.equal(shape(100, 80), 'flat')
  assert.equal(shape(100, 130), 'flat')
  assert.equal(shape(100, 131), 'as a logarithm')
  // log 1,001 is 2.88 times log 11
  assert.equal(shape(100, 288), 'as a logarithm')
  assert.equal(shape(100, 289), 'more than a logarithm')
  assert.equal(toGrowth([1, 4], [10, 25]).shape, 'more than a logarithm')
})

const minutes = (count: number, value: (minute: number) => number) =>
  Array.from({ length: count }, (_, minute) => value(minute))
const wobble = (minute: number) => ((minute * 7919) % 11) - 5

test('a value that fluctuates around a mean is steady, however widely', () => {
  const { verdict, perHour, spread } = toTrend(minutes(60, (minute) => 100 + wobble(minute)))
  assert.equal(verdict, 'steady')
  assert.ok(Math.abs(perHour) < spread)
})

test('a value that gains a little each minute grows; one that rises only during warm-up does not', () => {
  const leaking = toTrend(minutes(60, (minute) => 100 + minute / 6 + wobble(minute) / 5))
  assert.equal(leaking.verdict, 'growing')
  assert.ok(Math.abs(leaking.perHour - 10) < leaking.spread)
  assert.ok(leaking.to > leaking.from + 5)
  assert.equal(toTrend(minutes(60, (minute) => (minute < 10 ? 50 + 5 * minute : 100))).verdict, 'steady')
  // statistically certain, but too small to notice
  assert.equal(toTrend(minutes(60, (minute) => 100 + minute / 60)).verdict, 'steady')
})

test('a few minutes are too short for a verdict', () => {
  const verdict = (values: number[]) => toTrend(values).verdict
  assert.equal(verdict(minutes(20, (minute) => 100 + 10 * minute)), 'too short to tell')
  assert.equal(verdict(minutes(24, (minute) => 100 + 10 * minute)), 'growing')
  assert.deepEqual([verdict([1, 100]), verdict([5])], ['too short to tell', 'too short to tell'])
})
