import fc from 'fast-check'
import { ledgerServices } from './ledger.ts'
import { runSteps, type Start, type Step } from './ledger-commands.ts'
import type { ModelTest } from './model-test.ts'

const percent = (ppm: number) => `${Math.floor(ppm / 10_000)}.${String(ppm % 10_000).padStart(4, '0')}`

/** Rates whose sum is at most a hundred percent, with up to four decimals. */
const anyRates = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 5 }).map((wanted) => {
  let left = 1_000_000
  return wanted.map((ppm) => {
    const given = Math.min(ppm, left)
    left -= given
    return percent(given)
  })
})
const rates = fc.oneof(
  anyRates,
  fc.constantFrom<string[]>(
    ['10', '5', '2.5'],
    ['7.5', '2.5', '0.0001'],
    ['33.3333', '33.3333', '33.3334'],
    ['50', '50'],
    ['30', '30', '30', '10'],
    ['0', '12.5', '0', '7.25'],
    ['99.9999', '0.0001'],
    ['100'],
    ['20'],
  ),
)

/** Any account at the start of a history. */
export const anyStart: fc.Arbitrary<Start> = fc.integer({ min: 1, max: 5 }).chain((partners) =>
  fc.record({
    currency: fc.constantFrom('usd', 'usd', 'jpy'),
    foreign: fc.constantFrom('eur', 'kwd'),
    zone: fc.nat(2),
    payoutDelay: fc.constantFrom(0, 0, 0, 7, 30),
    selfReferralPolicy: fc.constantFrom('hold', 'hold', 'allow', 'flag', 'refuse'),
    recurringMonths: fc.constantFrom(null, 1),
    rates,
    blueprintRates: fc.option(rates, { nil: null }),
    partners: fc.tuple(
      ...Array.from({ length: partners }, (_, index) =>
        fc.record({
          // mostly one long chain
          parent:
            index === 0
              ? fc.constant(null)
              : fc.oneof({ arbitrary: fc.constant(index - 1), weight: 4 }, fc.option(fc.nat(index - 1), { nil: null })),
          active: fc.nat(5).map((roll) => roll > 0),
          rates: fc.option(rates, { nil: null, freq: 2 }),
        }),
      ),
    ),
    leads: fc.array(
      fc.record({
        partner: fc.oneof(
          { arbitrary: fc.constant(partners - 1), weight: 3 },
          fc.option(fc.nat(partners - 1), { nil: null, freq: 3 }),
        ),
        blueprint: fc.boolean(),
        emailOf: fc.option(fc.nat(partners - 1), { nil: null, freq: 2 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
)

const sale = fc.nat(5)
const partner = fc.nat(4)
const lead = fc.nat(2)
/** Twelfths of the payment: thirds, halves, all of it, and more than it. */
const part = fc.constantFrom(1, 3, 4, 4, 6, 8, 12, 12, 18)
const amount = fc.oneof(
  fc.integer({ min: 1, max: 99 }),
  fc.integer({ min: 1, max: 99_999 }),
  fc.constantFrom(0, 33_33, 1_000_000_000_000),
)

const steps: [weight: number, step: fc.Arbitrary<Step>][] = [
  [
    6,
    fc.record({
      do: fc.constant('sell' as const),
      lead: fc.option(lead, { nil: null, freq: 5 }),
      via: fc.constantFrom('manual', 'api', 'stripe', 'stripe'),
      net: amount,
      tax: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9_999 })),
      foreign: fc.nat(3).map((roll) => roll === 0),
      subscription: fc.option(fc.nat(1), { nil: null }),
      ago: fc.constantFrom(0, 1, 10, 40, 40),
      key: fc.nat(30),
    }),
  ],
  [
    6,
    fc.record({
      do: fc.constant('report' as const),
      sale,
      kind: fc.constant('refund' as const),
      id: fc.nat(2),
      part,
      status: fc.constantFrom('pending', 'pending', 'succeeded', 'succeeded', 'failed', 'canceled'),
    }),
  ],
  [
    4,
    fc.record({
      do: fc.constant('report' as const),
      sale,
      kind: fc.constant('dispute' as const),
      id: fc.nat(1),
      part,
      status: fc.constantFrom('pending', 'pending', 'succeeded', 'failed', 'canceled'),
    }),
  ],
  [2, fc.record({ do: fc.constant('refund' as const), sale, part: fc.option(part, { nil: null }) })],
  [3, fc.record({ do: fc.constantFrom('void' as const, 'restore' as const, 'release' as const), sale })],
  [
    1,
    fc.record({
      do: fc.constant('adjust' as const),
      partner,
      amount: fc.integer({ min: -5_000, max: 5_000 }).filter((value) => value !== 0),
    }),
  ],
  [3, fc.record({ do: fc.constant('pass' as const), days: fc.constantFrom(1, 1, 7, 7, 31) })],
  [
    1,
    fc.record({
      do: fc.constant('rate' as const),
      ago: fc.constantFrom(0, 1, 8, 12, 41),
      rate: fc.constantFrom('0.9137', '3.25', '151.235', '0.0066', '1'),
    }),
  ],
  [1, fc.record({ do: fc.constant('attribute' as const), sale, lead, earlier: fc.boolean() })],
  [1, fc.record({ do: fc.constant('reassign' as const), lead, partner, earlier: fc.boolean() })],
  [
    3,
    fc.record({
      do: fc.constant('change-rates' as const),
      of: fc.oneof({ arbitrary: partner, weight: 2 }, fc.constantFrom('group', 'link' as const, 'account' as const)),
      rates,
      takesAway: fc.nat(3).map((roll) => roll === 0),
      reach: fc.constantFrom('all-sales' as const, 'new-customers' as const),
    }),
  ],
  [
    1,
    fc.record({
      do: fc.constant('move' as const),
      partner,
      into: fc.boolean(),
      reach: fc.constantFrom('all-sales' as const, 'new-customers' as const),
    }),
  ],
  [1, fc.record({ do: fc.constant('suspend' as const), partner })],
  [1, fc.record({ do: fc.constant('gather' as const) })],
  [5, fc.record({ do: fc.constant('approve' as const), payout: fc.nat(4), leaves: fc.boolean() })],
  [2, fc.record({ do: fc.constantFrom('mark-paid' as const, 'cancel' as const), payout: fc.nat(4) })],
  [
    4,
    fc.record({
      do: fc.constant('transfer' as const),
      payout: fc.nat(4),
      state: fc.constantFrom('moving', 'moving', 'sent', 'sent', 'bounced', 'over'),
    }),
  ],
]
const one = fc.oneof(...steps.map(([weight, arbitrary]) => ({ weight, arbitrary })))
const [[, sell]] = steps as [[number, fc.Arbitrary<Step>]]
/** Any history, beginning with a sale. */
export const arbitraryCommands = fc
  .tuple(fc.array(sell, { minLength: 1, maxLength: 3 }), fc.array(one, { minLength: 3, maxLength: 16, size: 'max' }))
  .map(([first, then]) => [...first, ...then])

export const ledgerLives: ModelTest = {
  async begin(db) {
    const services = ledgerServices(db)
    const history = fc.asyncProperty(anyStart, arbitraryCommands, (begun, events) => runSteps(services, begun, events))
    return {
      live: (seed) => fc.assert(history, { seed, numRuns: 1 }),
      async end() {
        await services.outbound.close()
      },
    }
  },
}
