import { z } from 'zod'
import { moneyInWords } from '#contract/money.ts'
import { Currency, DateOnly, EnteredAmount, ExternalId, orEmpty, plainText } from '#contract/values.ts'
import { parseValue } from '../../../platform/http/parse.ts'
import { handleTogether } from '../../../platform/http/rows.ts'
import { wrongField } from '../../../platform/refusal.ts'
import { dayIn } from '../../../platform/time/days.ts'
import { rewardsOfPartners } from '../../../program/access/customer-groups.ts'
import { namedPartner } from '../../../program/clicks/named-partner.ts'
import { voidReasons } from '../../../program/commissions/voided.ts'
import { getDueAmounts } from '../../../program/payouts/balances.ts'
import {
  type PastPayout,
  pastPayoutsKnown,
  recordPastPayouts,
  undoImportedPayout,
} from '../../../program/payouts/record-past-payouts.ts'
import { checkUnits } from '../../../program/terms/check-reward.ts'
import { paidByPartner } from '../queries.ts'
import {
  countOccurrence,
  type FileKind,
  type ImportContext,
  partnerFields,
  type RowOutcome,
  refusedRow,
  sameAs,
  toFieldTypes,
} from './kind.ts'
import { goneAs, meaningOfStatus } from './status-words.ts'

const Row = z.strictObject({
  ...partnerFields,
  externalId: orEmpty(ExternalId).optional(),
  amount: EnteredAmount,
  currency: Currency.optional(),
  paidOn: DateOnly.refine((day) => day >= '2000-01-01', 'Enter a date from 2000 on'),
  status: plainText(100).optional(),
})
type Row = z.output<typeof Row>

const MOST_WARNINGS = 100

/** Whether two rows, which may name their partner in different ways, are one payout: those without a reference are two. */
const isSame = (one: PastPayout, other: PastPayout) =>
  one.externalReference !== null &&
  one.externalReference === other.externalReference &&
  one.partnerId === other.partnerId &&
  one.amount === other.amount &&
  one.paidOn === other.paidOn

/** `nth`: number among identical rows without reference. */
type Payout = Row & { nth: number }
type Known = PastPayout & { nth: number }

const isPaid = ({ status }: Row) => meaningOfStatus('status', status, 'paid') === 'paid'

/** Past payouts; unpaid ones are not imported, since the ledger here computes what is owed. */
export const payouts: FileKind<Payout> = {
  batch: 100,
  check(values) {
    const row = parseValue(Row, toFieldTypes(values, ['amount']), 'body')
    isPaid(row)
    return { ...row, nth: 0 }
  },
  keyOf: () => null,
  inFile() {
    const first = new Map<string, number>()
    const times = new Map<string, number>()
    return (row, number) => {
      // one that is not imported is no other row's equal
      if (!isPaid(row)) return row
      const { externalId = null, partnerEmail, referralCode, amount, currency = null, paidOn } = row
      const facts = JSON.stringify([externalId, partnerEmail ?? referralCode ?? null, amount, currency, paidOn])
      if (externalId === null) return { ...row, nth: countOccurrence(times, facts) }
      const same = first.get(facts)
      if (same !== undefined) return sameAs(same)
      first.set(facts, number)
      return row
    }
  },
  async apply(importing, rows) {
    const { tx, by, account } = importing
    const read: (Known | RowOutcome)[] = []
    for (const row of rows) read.push(await payoutOf(importing, row).catch(refusedRow))
    const isPayout = (one: Known | RowOutcome): one is Known => 'paidOn' in one
    return handleTogether(read, isPayout, async (payouts) => {
      const known = await pastPayoutsKnown(tx, account, payouts)
      const fresh = payouts.filter((one, at) => !known[at] && !payouts.slice(0, at).some((other) => isSame(one, other)))
      const ids = await recordPastPayouts(tx, by, account, fresh)
      return payouts.map((one): RowOutcome => {
        const at = fresh.indexOf(one)
        if (at < 0) return { outcome: 'skipped', message: 'This payout already exists.' }
        const { partnerId, amount } = one
        const sum = { currency: account.defaultCurrency, amount }
        return { outcome: 'created', made: [{ type: 'payout', id: ids[at]!, partnerId, amount }], sum }
      })
    })
  },
  async warnings({ tx, account, importId, dryRun }) {
    const paid = await paidByPartner(tx, { id: importId, accountId: account.id })
    const ids = paid.map(({ partnerId }) => partnerId)
    const due = await getDueAmounts(tx, account.id, ids)
    const voided = await voidReasons(tx, account.id, ids)
    const debts = paid
      .map(({ partnerId, amount }) => ({
        partnerId,
        left: (due.get(partnerId) ?? 0) - (dryRun && !voided.has(partnerId) ? amount : 0),
      }))
      .filter(({ left }) => left < 0)
      .sort((one, other) => one.left - other.left)
      .slice(0, MOST_WARNINGS)
    return debts.map(({ partnerId, left }) => {
      const money = moneyInWords(left, account.defaultCurrency)
      const message = dryRun
        ? `The balance due to {partner} would fall to ${money}. Import the sales for these payouts first.`
        : `The balance due to {partner} has fallen to ${money}. Their next earnings will be deducted from it unless you import the sales for these payouts.`
      return { row: null, partnerId, message }
    })
  },
  async undo({ tx, by, account }, made) {
    for (const { id } of made) await undoImportedPayout(tx, by, account, id)
  },
}

async function payoutOf(importing: ImportContext, row: Payout): Promise<Known | RowOutcome> {
  const { account, tx } = importing
  if (!isPaid(row)) return { ...goneAs(row.status!), message: `Skipped: status is “${row.status!}”.` }
  if ((row.currency ?? account.defaultCurrency) !== account.defaultCurrency)
    throw wrongField('currency', 'payouts_in_account_currency', { currency: account.defaultCurrency.toUpperCase() })
  if (row.paidOn > dayIn(account.timeZone, tx.now) && row.paidOn > dayIn('UTC', tx.now))
    throw wrongField('paidOn', 'day_in_future')
  const partnerId = await namedPartner(tx, account.id, row)
  if (!partnerId) throw wrongField('partnerEmail', 'unknown_partner_email')
  const { amount, paidOn, externalId = null, nth } = row
  checkUnits('amount', amount, (await rewardsOfPartners(tx, account.id, [partnerId])).get(partnerId))
  return { partnerId, amount, paidOn, externalReference: externalId, nth }
}
