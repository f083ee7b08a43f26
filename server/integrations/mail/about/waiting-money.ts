import type { BlockerCode, Payout } from '#contract/payouts.ts'
import { isForPartner } from '../../../program/payouts/blockers.ts'
import type { Gathered } from '../mail.ts'
import { accountFirst, type Part } from '../message.ts'
import { findPayout, settingsUrl } from './payout.ts'

/** Why money waits, in the words shown to the partner everywhere, and who must act. */
export type WaitingMoney = {
  accountName: string | null
  amount: number
  currency: string
  blockers: { code: BlockerCode; message: string; isForPartner: boolean }[]
  url: string
}

export const sampleWaiting: WaitingMoney = {
  accountName: 'Northwind',
  amount: 125_00,
  currency: 'usd',
  blockers: [{ code: 'no-deposit-info', message: 'Add your payout details', isForPartner: true }],
  url: 'https://partners.example.com/partner/settings',
}

/** Whether a blocker is mailed; the others resolve by themselves. */
export const isMailed = (code: BlockerCode) =>
  isForPartner(code) || code === 'not-approved-this-year' || code === 'agreement-not-accepted'

/** Occasion that is mailed once per payout, found by the event or by the daily check. */
export const BLOCKED = 'blocked'

/** Returns the money of a payout in one of these states; null for any other. */
export async function readWaiting(gathered: Gathered, statuses: Payout['status'][]): Promise<WaitingMoney | null> {
  const payout = await findPayout(gathered)
  if (!payout || !statuses.includes(payout.status)) return null
  const { amount, currency, blockers } = payout
  return {
    accountName: gathered.account.name,
    amount,
    currency,
    blockers: blockers.map((blocker) => ({ ...blocker, isForPartner: isForPartner(blocker.code) })),
    url: settingsUrl(gathered),
  }
}

/** The partner's next step; other blockers are up to the account. */
const todo: Partial<Record<BlockerCode, (account: string) => string>> = {
  'no-deposit-info': () => 'Enter the account that payouts go to.',
  'not-approved-this-year': (account) =>
    `${account} approves partners for payouts once a year. If a tax form is missing, they will ask you for it.`,
  'agreement-not-accepted': () => 'Read it and accept it on your dashboard.',
  'tax-form-missing': () => 'Fill it in and sign it under payout settings.',
  'below-minimum': () => 'It’s paid once your balance reaches the minimum.',
  'deposit-info-changed-recently': () => 'For your safety, automatic payouts wait 72 hours after a change.',
}

export const blockersPart = ({ accountName, blockers }: WaitingMoney): Part => ({
  facts: blockers.map(({ code, message, isForPartner }) => ({
    label: message,
    value:
      todo[code]?.(accountFirst(accountName)) ??
      (isForPartner
        ? 'Check your payout details and enter them again.'
        : `${accountFirst(accountName)} takes care of this.`),
  })),
})
