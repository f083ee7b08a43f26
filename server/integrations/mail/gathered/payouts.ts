import type { Payout } from '#contract/payouts.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isForPartner } from '../../../program/payouts/blockers.ts'
import { presentPayout, presentPayouts } from '../../../program/payouts/payouts.ts'
import { destinationOf, numberOfSales } from '../../../program/payouts/statement/statement.ts'
import { MOST_LINES } from '../letter.ts'
import { type Composer, type Gathered, subjectsOf } from './composer.ts'
import { payoutsInTrouble } from './subject-queries.ts'
import { REMINDERS } from './waiting.ts'

/** Returns the payout as its partner sees it; null if its amount is gone. */
async function payoutOf(gathered: Gathered): Promise<Payout | null> {
  const { db, account, news } = gathered
  return presentPayout(db, account, news[0]!.subjectId, 'partner').catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
}

async function factsOf({ db, account, appUrl, secrets }: Gathered, payout: Payout) {
  const { id, amount, currency, statementNumber, periodStart: from, periodEnd: to } = payout
  return {
    accountName: account.name,
    amount,
    currency,
    number: statementNumber,
    sales: await numberOfSales(db, payout),
    period: from && to ? { from, to } : null,
    destination: await destinationOf(db, secrets, payout),
    url: `${appUrl}/partner/payouts/${id}`,
  }
}

export const composePayoutApproved: Composer<'payout-approved'> = async (gathered) => {
  const payout = await payoutOf(gathered)
  // one sent meanwhile gets the mail about sending
  if (!payout || !['approved', 'processing', 'awaiting-funding'].includes(payout.status)) return null
  return factsOf(gathered, payout)
}

export const composePayoutSent: Composer<'payout-sent'> = async (gathered) => {
  const payout = await payoutOf(gathered)
  if (payout?.status !== 'sent' && payout?.status !== 'paid') return null
  return { ...(await factsOf(gathered, payout)), paid: payout.sentAt === null, reference: payout.externalReference }
}

export const composePayoutFailed: Composer<'payout-failed'> = async (gathered) => {
  const payout = await payoutOf(gathered)
  if (payout?.status !== 'failed' && payout?.status !== 'returned') return null
  const returned = payout.status === 'returned'
  const mendable = returned || payout.blockers.some(({ code }) => isForPartner(code))
  return {
    ...(await factsOf(gathered, payout)),
    returned,
    reason: withoutNumbers(payout.failureReason),
    mendable,
    ...(mendable && { url: settingsOf(gathered) }),
  }
}

/** Masks numbers, since a provider's message may quote bank details, which are never mailed. */
const withoutNumbers = (reason: string | null) => reason?.replace(/\d[\d -]{3,}\d/g, '•••') ?? null

const settingsOf = ({ appUrl }: Gathered) => `${appUrl}/partner/settings`

async function waitingOf(gathered: Gathered, statuses: Payout['status'][]) {
  const payout = await payoutOf(gathered)
  if (!payout || !statuses.includes(payout.status)) return null
  const { amount, currency, blockers } = payout
  return {
    accountName: gathered.account.name,
    amount,
    currency,
    blockers: blockers.map((blocker) => ({ ...blocker, isForPartner: isForPartner(blocker.code) })),
    url: settingsOf(gathered),
  }
}

export const composePayoutBlocked: Composer<'payout-blocked'> = (gathered) => waitingOf(gathered, ['open'])

export const composePayoutReminder: Composer<'payout-reminder'> = async (gathered) => {
  const waiting = await waitingOf(gathered, ['open', 'failed'])
  const blockers = waiting?.blockers.filter((blocker) => blocker.isForPartner) ?? []
  if (!waiting || blockers.length === 0) return null
  return { ...waiting, blockers, last: gathered.news.some(({ occasion }) => Number(occasion) === REMINDERS) }
}

export const composePayoutAttention: Composer<'payout-attention'> = async (gathered) => {
  const { db, account, appUrl } = gathered
  const ids = await payoutsInTrouble(db, account.id, subjectsOf(gathered))
  if (ids.length === 0) return null
  const payouts = await presentPayouts(db, account, ids.slice(0, MOST_LINES))
  return {
    accountName: account.name,
    currency: account.defaultCurrency,
    count: ids.length,
    payouts: payouts.map(({ partnerName, amount, status, failureReason }) => ({
      partner: partnerName,
      amount,
      status: status as 'failed' | 'returned' | 'awaiting-funding',
      reason: withoutNumbers(failureReason),
    })),
    url: ids.length === 1 ? `${appUrl}/payouts/${ids[0]}` : `${appUrl}/payouts?tab=needs-action`,
  }
}
