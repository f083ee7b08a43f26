import { blockerPhrases } from '#contract/blocker-phrases.ts'
import type { Word } from '#contract/format.ts'
import { moneyInWords } from '#contract/money.ts'
import type { Blocker, BlockerCode, Payout } from '#contract/payouts.ts'
import { isForPartner } from '../../../program/payouts/blockers.ts'
import { payoutName } from '../../../program/payouts/payout-number.ts'
import type { Gathered } from '../mail.ts'
import { accountFirst, type Part } from '../message.ts'
import { payoutMailPhrases } from '../text.ts'
import { findPayout, settingsUrl } from './payout.ts'

/** Why money waits, in the words shown to the partner everywhere, and who must act. */
export type WaitingMoney = {
  accountName: string | null
  amount: number
  currency: string
  number: number
  blockers: Blocker[]
  url: string
}

export const sampleWaiting: WaitingMoney = {
  accountName: 'Northwind',
  amount: 125_00,
  currency: 'usd',
  number: 12,
  blockers: [
    {
      code: 'no-deposit-info',
      get message() {
        return blockerPhrases.noDetails
      },
    },
  ],
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
  const { amount, currency, statementNumber: number, blockers } = payout
  return {
    accountName: gathered.account.name,
    amount,
    currency,
    number,
    blockers,
    url: settingsUrl(gathered),
  }
}

/** The variables of a mail about it. */
export const waitingValues = ({ amount, currency, number, blockers }: WaitingMoney) => ({
  amount: moneyInWords(amount, currency),
  payout_number: payoutName({ statementNumber: number }),
  reason: blockers.map(({ message }) => message).join(', '),
})

/** The partner's next step; other blockers are up to the account. */
const todo: Partial<Record<BlockerCode, (values: { account: Word }) => string>> = payoutMailPhrases.waiting.todo

export function blockersPart({ accountName, blockers }: WaitingMoney): Part {
  const account = accountFirst(accountName)
  const { enterAgain, takesCare } = payoutMailPhrases.waiting
  return {
    facts: blockers.map(({ code, message }) => ({
      label: message,
      value: todo[code]?.({ account }) ?? (isForPartner(code) ? enterAgain : takesCare({ account })),
    })),
  }
}
