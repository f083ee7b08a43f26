import { z } from 'zod'
import { entryKinds, entryStatuses } from './commissions.ts'
import { csvEndpoint } from './csv.ts'
import { endpoint, rights } from './endpoint.ts'
import { accountCall, Blocker, partnerCall } from './payouts.ts'
import { CommissionEntryWithSale } from './sales.ts'
import { Amount, anyId, anyOf, DateOnly, dateFilter, flag, Id, listQuery, pageSchema } from './values.ts'

/** Layers as in entries: 0 is the referring partner. */
const layers = Array.from({ length: 10 }, (_, layer) => String(layer))

/** Sums over all pages, in the account's currency. Entries on hold or void are only in `amount`. */
export const CommissionTotals = z
  .object({ count: z.int(), amount: Amount, held: Amount, due: Amount, inPayout: Amount, paid: Amount })
  .meta({ id: 'CommissionTotals' })
export type CommissionTotals = z.infer<typeof CommissionTotals>

export const listCommissions = endpoint('listCommissions', 'GET /accounts/:id/commissions', {
  tag: 'commissions',
  summary:
    'List the ledger entries of all partners, each with its sale; from and to are sale dates, dueFrom and dueTo are due dates',
  ...accountCall,
  allow: rights.read,
  fromReplica: true,
  query: listQuery(
    {
      status: anyOf(entryStatuses),
      partner: anyId,
      layer: anyOf([...layers, 'none']),
      kind: anyOf(entryKinds),
      from: dateFilter,
      to: dateFilter,
      dueFrom: dateFilter,
      dueTo: dateFilter,
    },
    ['availableAt'],
  ),
  reply: pageSchema(CommissionEntryWithSale).extend({ totals: CommissionTotals }),
})

export const downloadCommissions = csvEndpoint(listCommissions, {
  summary: 'Download the ledger entries of all partners',
  file: 'commissions',
  more: ['linkId', 'subId'],
})

/**
 * The money paid on a day. `count` is the number of commissions for a partner, of payouts for an account. `destination` is
 * the last four digits of the partner's bank account, returned to the partner's owners only.
 */
export const Payday = z
  .object({ date: DateOnly, amount: Amount, count: z.int(), destination: z.string().optional() })
  .meta({ id: 'Payday' })
export type Payday = z.infer<typeof Payday>

/** Maximum paydays in a forecast. */
export const MOST_PAYDAYS = 8

/**
 * The next eight paydays from the entries known today, each assuming that everything due earlier was paid on its day.
 * Amounts already due are paid on the day of the next automatic run, or today if paid by hand; after a change of payout
 * details an automatic run waits 72 hours. A debt is deducted from later entries, and amounts below the minimum wait
 * for the next day that reaches it. Entries on hold are excluded. Ceilings change nothing: an amount above one is still
 * due and waits for a person. `blocked` would be paid sooner or later but for payout details, a suspension or the
 * approval for the year of payment. `howPaid` says in sentences when and to what the account pays.
 */
export const PayoutForecast = z
  .object({
    currency: z.string(),
    days: z.array(Payday),
    blocked: z.object({ amount: Amount, count: z.int() }),
    howPaid: z.array(z.string()),
  })
  .meta({ id: 'PayoutForecast' })
export type PayoutForecast = z.infer<typeof PayoutForecast>

export const getPartnerForecast = endpoint('getPartnerForecast', 'GET /partners/:id/payouts/forecast', {
  summary: 'Retrieve a partner’s next paydays with the expected amounts',
  ...partnerCall,
  allow: [...rights.read, ...rights.partner],
  inPortal: true,
  fromReplica: true,
  reply: PayoutForecast,
})

export const getPayoutForecast = endpoint('getPayoutForecast', 'GET /accounts/:id/payouts/forecast', {
  summary: 'Retrieve an account’s next paydays with the expected amounts',
  ...accountCall,
  allow: rights.read,
  fromReplica: true,
  reply: PayoutForecast,
})

/** Signed; held, due, on hold, in payout and paid add up to all entries. */
export const Balance = z
  .object({
    partnerId: Id,
    partnerName: z.string(),
    currency: z.string(),
    held: Amount,
    due: Amount,
    onHold: Amount,
    inPayout: Amount,
    paid: Amount,
    /** The first of `paydays`; null if nothing will be paid, as `blockers` say why. */
    nextPayoutDate: DateOnly.nullable(),
    /** The partner's forecast: at most eight paydays. */
    paydays: z.array(Payday.pick({ date: true, amount: true })),
    /** When the oldest due entry fell due. */
    dueSince: DateOnly.nullable(),
    blockers: z.array(Blocker),
  })
  .meta({ id: 'Balance' })
export type Balance = z.infer<typeof Balance>

/** A balance in the list: with the first payday and what it pays, without one with what no payday pays. */
export const ListedBalance = Balance.extend({ payday: DateOnly.nullable(), amount: Amount }).meta({
  id: 'ListedBalance',
})
export type ListedBalance = z.infer<typeof ListedBalance>

const Total = z.object({ amount: Amount, count: z.int() })

/**
 * Sums over all pages, of each partner once: `count` partners. `blocked` is that of the forecast. `nextYear` is what only
 * the approval of its partners for the coming year would pay. `paydays` are the sums of the rows of each payday, last of
 * those without one; empty without `each`.
 */
export const BalanceTotals = Balance.pick({ currency: true, held: true, due: true, onHold: true })
  .extend({
    count: z.int(),
    blocked: Total,
    nextYear: Total,
    paydays: z.array(Total.extend({ date: DateOnly.nullable() })),
  })
  .meta({ id: 'BalanceTotals' })
export type BalanceTotals = z.infer<typeof BalanceTotals>

export const getBalance = endpoint('getBalance', 'GET /partners/:id/balance', {
  tag: 'partners',
  summary: 'Retrieve a partner’s earnings by status',
  ...partnerCall,
  allow: [...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  reply: Balance,
})

/** The parts of the totals that balances are: by the due amount, of which `ready` can be approved, or by another one. */
export const balanceParts = ['ready', 'blocked', 'overpaid', 'held', 'on-hold'] as const
export type BalancePart = (typeof balanceParts)[number]

/**
 * `blocked` selects partners of whom the forecast says that an amount is blocked; `part` those whose amounts add up to
 * this part of the totals of payouts; `nextYear` those who only wait for their
 * approval for the coming year; `empty=false` excludes partners with nothing held, due or on hold. `each=payday` lists a
 * partner once for each payday of the forecast, with what it pays, and once more for what no payday pays.
 */
export const listBalances = endpoint('listBalances', 'GET /accounts/:id/balances', {
  tag: 'partners',
  summary: 'List the balances of all partners',
  ...accountCall,
  allow: rights.read,
  tool: true,
  fromReplica: true,
  query: listQuery(
    {
      partnerId: anyId,
      blocked: flag,
      part: anyOf(balanceParts),
      empty: anyOf(['true', 'false']),
      nextYear: flag,
      each: z.enum(['payday'], 'Use payday').optional(),
    },
    ['due', 'nextPayoutDate'],
  ),
  reply: pageSchema(ListedBalance).extend({ totals: BalanceTotals }),
})

export const downloadBalances = csvEndpoint(listBalances, {
  summary: 'Download the balances of all partners',
  file: 'balances',
  more: ['blockers'],
})
