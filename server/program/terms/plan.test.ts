import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertAmount, toProportion } from '#contract/money.ts'
import { layersAfter } from './plan.ts'
import { fromPpm, toPpm } from './rates.ts'

// Every figure here was calculated by hand.

const line = (count: number, idle: number[] = []) =>
  Array.from({ length: count }, (_, layer) => ({ partnerId: `partner ${layer}`, earns: !idle.includes(layer) }))

/** A sale of nothing but its amount. */
const saleOf = (amount: number) => ({
  ...{ amount, grossAmount: amount, accountAmount: amount, saleDate: '2026-07-01', lines: null },
  ...{ country: null, partnerCode: false, metadata: {}, customerPlace: null, customerSince: null },
})

/** Returns the layers of a sale that lost nothing. */
function layersFrom(base: number, layerRates: number[], partners = line(layerRates.length)) {
  const credit = { source: null, ratesPpm: toPpm({ layerRates }), line: partners }
  return layersAfter(saleOf(base), credit, null, { refunds: [], lost: 0 })
}

/** Returns the earnings by layer; zero if it earns nothing. */
function earned(base: number, layerRates: number[], partners = line(layerRates.length)) {
  const amounts = layerRates.map(() => 0)
  for (const { layer, earned } of layersFrom(base, layerRates, partners)) amounts[layer] = earned
  return amounts
}

const splits: [base: number, rates: number[], amounts: number[], why: string][] = [
  [33_33, [10, 5, 2.5], [3_33, 1_67, 83], '333.3, 166.65 and 83.325'],
  [100_00, [10, 5, 2.5], [10_00, 5_00, 2_50], 'no remainder'],
  [5, [10], [1], '0.5 is a tie and goes up'],
  [4, [10], [0], '0.4 goes down'],
  [15, [10], [2], '1.5 is a tie and goes up'],
  [25, [10], [3], '2.5 is a tie and goes up, not to the even number'],
  [1, [50], [1], '0.5 of the smallest unit'],
  [1, [49.9999], [0], 'just below the tie'],
  [199, [0.5], [1], '0.995'],
  [99, [0.5], [0], '0.495'],
  [1_000_000, [0.0001], [1], 'the smallest rate there is'],
  [499_999, [0.0001], [0], '0.499999'],
  [500_000, [0.0001], [1], '0.5'],
  [33_33, [7.5, 2.5, 0.0001], [2_50, 83, 0], '249.975, 83.325 and 0.003333'],
  [1_000_00, [33.3333, 33.3333, 33.3334], [333_33, 333_33, 333_33], '33333.3, 33333.3 and 33333.4'],
  [1_000_000_000_000, [33.3333], [333_333_000_000], 'beyond 32 bits'],
  [999_999_999_999, [0.0001], [1_000_000], '999999.999999'],
  [999_999_999_999, [100], [999_999_999_999], 'all of a large sale, to the cent'],
  [1, [50, 50], [1, 0], 'both layers would round up: the deeper one gets what is left'],
  [3, [50, 50], [2, 1], '1.5 and 1.5: two for the referrer, what is left above them'],
  [5, [30, 30, 30, 10], [2, 2, 1, 0], '1.5, 1.5, 1.5 and 0.5: five are there'],
  [1, [10], [0], 'nothing to share'],
  [50_00, [0, 10], [0, 5_00], 'a layer of zero earns nothing and the next is not moved'],
  [50_00, [100], [50_00], 'all of it'],
  [101, [12.5], [13], 'yen have no smaller unit: 12.625'],
  [99, [12.5], [12], 'yen: 12.375'],
]

for (const [base, rates, amounts, why] of splits)
  test(`${rates.join(' / ')} % of ${base}: ${why}`, () => assert.deepEqual(earned(base, rates), amounts))

test('a chain shorter than the list leaves the rest unpaid', () => {
  assert.deepEqual(earned(100_00, [10, 5, 2.5], line(2)), [10_00, 5_00, 0])
  assert.deepEqual(earned(100_00, [10], line(1)), [10_00])
})

test('the share of an ancestor who may not earn is not paid and does not move up', () => {
  assert.deepEqual(earned(100_00, [10, 5, 2.5], line(3, [1])), [10_00, 0, 2_50])
})

test('a share that one layer cannot take is left for the next', () => {
  assert.deepEqual(earned(3, [50, 0, 50], line(3)), [2, 0, 1])
  assert.deepEqual(earned(3, [50, 50, 0], line(3, [0])), [0, 2, 0])
})

test('a layer of a single part has its rate', () => {
  const [first] = layersFrom(33_33, [7.5])
  assert.deepEqual(first, {
    ...{ partnerId: 'partner 0', layer: 0, ratePpm: 75_000, flatAmount: null, rule: null, earned: 2_50, kept: 2_50 },
  })
})

test('a rate of four decimals is stored without loss', () => {
  const layerRates = [0.0001, 7.5, 33.3333, 99.9999, 12.3457, 0.07, 100]
  assert.deepEqual(toPpm({ layerRates }), [1, 75_000, 333_333, 999_999, 123_457, 700, 1_000_000])
  assert.deepEqual(fromPpm(toPpm({ layerRates })), { layerRates })
})

const refunded: [entry: number, lost: number, gross: number, reversed: number, why: string][] = [
  [3_33, 11_11, 33_33, 1_11, 'a third of 333'],
  [1_67, 11_11, 33_33, 56, 'a third of 167: 55.67'],
  [1_67, 22_22, 33_33, 1_11, 'two thirds of 167: 111.33, so the second third takes 55'],
  [1_67, 33_33, 33_33, 1_67, 'all three thirds: the last takes the 56 that are left'],
  [1, 1, 2, 1, 'half of one goes up'],
  [1, 1, 3, 0, 'a third of one goes down'],
  [1, 2, 3, 1, 'two thirds of one go up'],
  [5, 1_00, 1_19, 4, '4.2: by the gross amount, tax included'],
  [10_00, 59_50, 1_19_00, 5_00, 'half of the gross is half of the commission'],
  [7, 0, 100, 0, 'nothing lost'],
]

for (const [entry, lost, gross, reversed, why] of refunded)
  test(`${lost} of ${gross} lost takes ${reversed} of ${entry}: ${why}`, () =>
    assert.equal(toProportion(entry, lost, gross), reversed))

const exchanged: [amount: number, from: string, to: string, rate: number, result: number, why: string][] = [
  [10_00, 'eur', 'usd', 1.0837, 10_84, '10.837 dollars'],
  [10_00, 'usd', 'jpy', 151.235, 1512, '1512.35 yen'],
  [1_00, 'usd', 'jpy', 150.5, 151, '150.5 yen is a tie and goes up'],
  [151, 'jpy', 'usd', 0.0066, 1_00, '0.9966 dollars'],
  [1_234, 'kwd', 'usd', 3.25, 4_01, '1.234 dinars of three digits are 4.0105 dollars'],
  [1, 'jpy', 'usd', 0.0049, 0, 'half a cent is not there'],
  [1, 'jpy', 'usd', 0.005, 1, 'half a cent goes up'],
  [1_000_000_000_000, 'usd', 'eur', 0.92, 920_000_000_000, 'large and exact'],
  [10_000_000, 'usd', 'eur', 1e-7, 1, 'a rate written with an exponent'],
]

for (const [amount, from, to, rate, result, why] of exchanged)
  test(`${amount} ${from} at ${rate} are ${result} ${to}: ${why}`, () =>
    assert.equal(convertAmount(amount, from, to, rate), result))
