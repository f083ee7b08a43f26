import { moneyInWords } from '#contract/money.ts'
import type { Blocker, BlockerCode } from '#contract/payouts.ts'
import { dayInWords } from '../../platform/in-words.ts'
import type { Method } from './methods/method.ts'
import { methods } from './methods/registry.ts'

/** Facts that the words of blockers mention. Days are `YYYY-MM-DD` in the account's time zone. */
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

/** These explain a balance; what is due is paid all the same, and below zero there is no payout. */
export const balanceBlockers: readonly BlockerCode[] = ['on-hold-fraud', 'negative-balance']
const declared = (code: BlockerCode) => methods.flatMap(({ blockers }) => blockers).find((one) => one.code === code)

/** A soft one does not stop a person from approving. */
export const isHard = (code: BlockerCode) => code !== 'deposit-info-changed-recently' && !declared(code)?.soft

/** It is about the way the money goes, and does not count where it was paid by other means. */
export const isOfMethod = (code: BlockerCode) =>
  code === 'no-deposit-info' || code === 'below-minimum' || declared(code) !== undefined

/** Only the partner can end it: their payout details are missing, or were refused. */
export const isForPartner = (code: BlockerCode) => code === 'no-deposit-info' || declared(code)?.ofDetails === true

/** It counts for a payout that was approved before: its amount is fixed. */
export const isStanding = (code: BlockerCode) =>
  isHard(code) && code !== 'below-minimum' && !balanceBlockers.includes(code)

/** Hours without automatic approval after a change of payout details. */
export const COOL_OFF_HOURS = 72

/** Why it waits, in words for who reads: the owner plainly, the partner kindly (ui.md, section 6). */
export const presentBlockers = (codes: BlockerCode[], facts: BlockerFacts, reader: Reader, method: Method): Blocker[] =>
  codes.map((code) => ({ code, message: wordsOf(code, reader, method)(facts) }))

function wordsOf(code: BlockerCode, reader: Reader, method: Method) {
  const own = method.blockers.find((blocker) => blocker.code === code)
  const found = own?.words[reader] ?? words[reader][code]
  if (!found) throw new Error(`nobody says in words what the blocker ${code} means`)
  return found
}

/** The words of blockers; a method has the words of its own. */
type Words = Partial<Record<BlockerCode, (facts: BlockerFacts) => string>>

const forOwner: Words = {
  'no-deposit-info': () => 'No payout details',
  'not-approved-this-year': ({ year }) => `Not yet approved for ${year}`,
  'below-minimum': ({ minimumPayout, currency }) => `Below the minimum of ${moneyInWords(minimumPayout, currency)}`,
  'negative-balance': () => 'Balance is below zero after refunds',
  'on-hold-fraud': ({ heldUntil }) =>
    `Commissions are on hold for possible fraud${until(heldUntil)}: release or void the sale`,
  'deposit-info-changed-recently': ({ availableOn }) =>
    `Payout details changed${availableOn ? `; available ${dayInWords(availableOn)}` : ''}`,
  'partner-disabled': () => 'Partner is suspended',
}

const forPartner: Words = {
  'no-deposit-info': () => 'Add your payout details',
  'not-approved-this-year': ({ year }) => `Not yet approved for ${year}`,
  'below-minimum': ({ minimumPayout, currency }) => `Below the minimum of ${moneyInWords(minimumPayout, currency)}`,
  'negative-balance': () => 'Balance is below zero after refunds',
  'on-hold-fraud': ({ heldUntil }) => `Under review${until(heldUntil)}`,
  'deposit-info-changed-recently': ({ availableOn }) =>
    `Payout details changed${availableOn ? `; available ${dayInWords(availableOn)}` : ''}`,
  'partner-disabled': () => 'Your account is suspended',
}

const words: Record<Reader, Words> = { owner: forOwner, partner: forPartner }

const until = (day: string | null) => (day ? ` until ${dayInWords(day)}` : '')
