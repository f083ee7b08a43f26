import { addDays } from '../../../platform/time/days.ts'
import { attentionOf } from '../../../program/dashboard/dashboard.ts'
import { balancesOf } from '../../../program/payouts/balances.ts'
import { previous, type Range, statsBetween } from '../../../program/stats/history.ts'
import { failingWebhooks } from '../../outgoing-webhooks/webhooks.ts'
import { unhealthyProviders } from '../../payment-providers/present-connections.ts'
import type { Composer, Gathered } from './composer.ts'
import { monthOfPartner } from './subject-queries.ts'

const WATCHED = [unhealthyProviders, failingWebhooks]

async function figuresOf({ db, account }: Gathered, range: Range) {
  const sight = { revenue: true, profit: true }
  const stats = await statsBetween(db, { accountId: account.id }, range, sight, account.defaultCurrency)
  return {
    leads: stats.numberOfLeads,
    sales: stats.numberOfSales,
    revenue: stats.salesRevenue ?? 0,
    share: stats.salesRevenueShare,
    profit: stats.salesProfit ?? 0,
  }
}

const isEmpty = (figures: object) => Object.values(figures).every((figure) => figure === 0)

export const composeWeeklySummary: Composer<'weekly-summary'> = async (gathered) => {
  const { db, account, appUrl, news } = gathered
  // if two are waiting, such as after an outage, the later one is current
  const from = news
    .map(({ occasion }) => occasion)
    .sort()
    .at(-1)!
  const range = { from, to: addDays(from, 6) }
  const [figures, before, waiting] = await Promise.all([
    figuresOf(gathered, range),
    figuresOf(gathered, previous(range)),
    attentionOf(db, account, WATCHED),
  ])
  if (isEmpty(figures) && waiting.length === 0) return null
  const currency = account.defaultCurrency
  return { accountName: account.name, ...range, currency, figures, before, waiting, url: `${appUrl}/dashboard` }
}

export const composeMonthlyStatement: Composer<'monthly-statement'> = async (gathered) => {
  const { db, account, appUrl, news } = gathered
  const partnerId = gathered.partnerId!
  const month = news
    .map(({ occasion }) => occasion)
    .sort()
    .at(-1)!
  const sums = await monthOfPartner(db, account, partnerId, month)
  if (isEmpty(sums)) return null
  const { held = 0, due = 0 } = (await balancesOf(db, account, [partnerId])).get(partnerId) ?? {}
  const currency = account.defaultCurrency
  return { accountName: account.name, month, currency, ...sums, held, due, url: `${appUrl}/dashboard` }
}
