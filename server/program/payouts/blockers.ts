import { moneyInWords } from '#contract/money.ts'
import type { Blocker, BlockerCode } from '#contract/payouts.ts'

/** What the words of blockers speak of. Days are `YYYY-MM-DD` in the account's time zone. */
export type BlockerFacts = {
  year: number
  minimumPayout: number
  currency: string
  /** When the last fraud hold ends by itself. */
  heldUntil: string | null
  /** When changed payout details may be paid to without a person. */
  availableOn: string | null
  rejectedReason: string | null
}
export type Reader = 'owner' | 'partner'

/** These do not stop a person from approving (product.md, section 4). */
export const softBlockers: readonly BlockerCode[] = ['deposit-info-changed-recently', 'payouts-not-configured']
/** These explain a balance; what is due is paid all the same, and below zero there is no payout. */
export const balanceBlockers: readonly BlockerCode[] = ['on-hold-fraud', 'negative-balance']
/** These do not count for money that was paid by other means. */
export const methodBlockers: readonly BlockerCode[] = [
  'no-deposit-info',
  'below-minimum',
  'currency-unsupported',
  'wise-rejected-recipient',
]

/** These count for a payout that was approved before: its amount is fixed. */
export const standingBlockers: readonly BlockerCode[] = [
  'no-deposit-info',
  'not-approved-this-year',
  'currency-unsupported',
  'wise-rejected-recipient',
  'partner-disabled',
]

export const isHard = (code: BlockerCode) => !softBlockers.includes(code)

/** Hours without automatic approval after a change of payout details. */
export const COOL_OFF_HOURS = 72

/** Why it waits, in words for who reads: the owner plainly, the partner kindly (ui.md, section 6). */
export const presentBlockers = (codes: BlockerCode[], facts: BlockerFacts, reader: Reader): Blocker[] =>
  codes.map((code) => ({ code, message: words[reader][code](facts) }))

type Words = Record<BlockerCode, (facts: BlockerFacts) => string>

const forOwner: Words = {
  'no-deposit-info': () => 'No payout details',
  'not-approved-this-year': ({ year }) => `Not yet approved for ${year}`,
  'below-minimum': ({ minimumPayout, currency }) => `Below the minimum of ${moneyInWords(minimumPayout, currency)}`,
  'negative-balance': () => 'Balance is below zero after refunds',
  'on-hold-fraud': ({ heldUntil }) => `A fraud rule holds commissions${until(heldUntil)}: release or void the sale`,
  'deposit-info-changed-recently': ({ availableOn }) =>
    `Payout details changed${availableOn ? `; available ${date(availableOn)}` : ''}`,
  'payouts-not-configured': () => 'Wise is not connected: approve it and pay by hand',
  'currency-unsupported': ({ currency }) => `Wise does not pay out from ${currency.toUpperCase()}`,
  'wise-rejected-recipient': ({ rejectedReason }) =>
    `Bank details were rejected${rejectedReason ? `: ${rejectedReason}` : ''}`,
  'partner-disabled': () => 'Partner is suspended',
}

const forPartner: Words = {
  'no-deposit-info': () => 'Add your payout details',
  'not-approved-this-year': ({ year }) => `Not yet approved for ${year}`,
  'below-minimum': ({ minimumPayout, currency }) => `Below the minimum of ${moneyInWords(minimumPayout, currency)}`,
  'negative-balance': () => 'Balance is below zero after refunds',
  'on-hold-fraud': ({ heldUntil }) => `Under review${until(heldUntil)}`,
  'deposit-info-changed-recently': ({ availableOn }) =>
    `Payout details changed${availableOn ? `; available ${date(availableOn)}` : ''}`,
  'payouts-not-configured': () => 'Payouts are not set up yet',
  'currency-unsupported': ({ currency }) => `Payouts in ${currency.toUpperCase()} are not possible`,
  'wise-rejected-recipient': () => 'Bank details were rejected',
  'partner-disabled': () => 'Your account is suspended',
}

const words: Record<Reader, Words> = { owner: forOwner, partner: forPartner }

const until = (day: string | null) => (day ? ` until ${date(day)}` : '')
/** 'Jan 1, 2024' */
const date = (day: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
