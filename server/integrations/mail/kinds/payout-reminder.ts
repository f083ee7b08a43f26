import { moneyInWords } from '#contract/money.ts'
import type { Transaction } from '../../../platform/database/pool.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import { isForPartner } from '../../../program/payouts/blockers.ts'
import { readBalances } from '../../../program/payouts/partner-balances.ts'
import { getPayoutTerms } from '../../../program/payouts/payout-terms.ts'
import { BLOCKED, blockersPart, isMailed, readWaiting, sampleWaiting, waitingValues } from '../about/waiting-money.ts'
import { newsMail } from '../mail.ts'
import { accountFirst, toPartner } from '../message.ts'
import { insertNews, type News, waitingPayouts } from '../news-queries.ts'
import { payoutMailPhrases } from '../text.ts'

const DAY = 86_400_000
/** Reminders per payout, the time between them, and the age after which they end. */
const REMINDERS = 4
const APART = 7 * DAY
const LONGEST = 60 * DAY

export const payoutReminder = newsMail({
  group: 'reminders',
  title: 'Payout reminder',
  description: 'A partner still needs to do something to be paid.',
  daily: noteWaiting,
  alone: true,
  async read(gathered) {
    const waiting = await readWaiting(gathered, ['open', 'failed'])
    const blockers = waiting?.blockers.filter(({ code }) => isForPartner(code)) ?? []
    if (!waiting || blockers.length === 0) return null
    return { ...waiting, blockers, last: gathered.news.some(({ occasion }) => Number(occasion) === REMINDERS) }
  },
  write({ last, ...data }) {
    const amount = moneyInWords(data.amount, data.currency)
    const words = payoutMailPhrases.waiting
    return {
      ...toPartner(data.accountName),
      subject: words.reminderSubject({ amount }),
      preview: data.blockers.map(({ message }) => message).join(' · '),
      parts: [
        words.reminder({ account: accountFirst(data.accountName), amount }),
        blockersPart(data),
        ...(last ? [words.last] : []),
      ],
      button: { label: payoutMailPhrases.openSettings, url: data.url },
    }
  },
  editable: {
    kind: () => 'payout-reminder',
    values: waitingValues,
    details: (data) => [blockersPart(data)],
  },
  sample: { ...sampleWaiting, last: false },
})

/** Inserts news to partners whose money waits, and reminders of steps they need to take. */
async function noteWaiting(tx: Transaction, account: AccountFacts) {
  const payouts = await waitingPayouts(tx, account.id)
  if (payouts.length === 0) return
  const ids = [...new Set(payouts.map(({ partnerId }) => partnerId))]
  const balances = new Map(
    (await readBalances(tx, await getPayoutTerms(tx, account), ids)).map((balance) => [balance.partnerId, balance]),
  )
  const since = (at: string) => tx.now.getTime() - Date.parse(at)
  const news = payouts.flatMap(({ id, partnerId, status, createdAt, blockedTold, reminders, lastAt }): News[] => {
    const { due, blockers } = balances.get(partnerId)!
    if (status === 'gathering' && due <= 0) return []
    const one = { accountId: account.id, partnerId, subjectId: id }
    if (status === 'gathering' && !blockedTold && blockers.some(isMailed))
      return [{ ...one, kind: 'payout-blocked', occasion: BLOCKED }]
    const isTime = since(lastAt ?? createdAt) >= APART && since(createdAt) < LONGEST && reminders < REMINDERS
    return isTime && blockers.some(isForPartner)
      ? [{ ...one, kind: 'payout-reminder', occasion: `${reminders + 1}` }]
      : []
  })
  await insertNews(tx, news)
}
