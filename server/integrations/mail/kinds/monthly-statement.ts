import { moneyInWords } from '#contract/money.ts'
import type { Queryable, Transaction } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import { monthInWords } from '../../../platform/format-values.ts'
import { addDays } from '../../../platform/time/days.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import { getBalances } from '../../../program/payouts/balances.ts'
import { newsMail } from '../mail.ts'
import { type Fact, formatAccountName, type Part, toPartner } from '../message.ts'
import { LATE_DAYS, readsMail } from '../news-queries.ts'
import { earningsMailPhrases } from '../program-text.ts'
import { mailPhrases } from '../text.ts'

/** Signed minor units. `adjusted` is the sum of manual changes. */
type MonthSums = { earned: number; reversed: number; adjusted: number; paid: number }

export const monthlyStatement = newsMail({
  group: 'summaries',
  title: 'Monthly statement',
  description: 'What a partner earned and was paid in a month.',
  daily: noteMonth,
  async read({ db, account, origin, news, ...gathered }) {
    const partnerId = gathered.partnerId!
    // if two are waiting, such as after an outage, the later one is current
    const month = news
      .map(({ occasion }) => occasion)
      .sort()
      .at(-1)!
    const sums = await monthOfPartner(db, account, partnerId, month)
    if (Object.values(sums).every((sum) => sum === 0)) return null
    const { held = 0, due = 0 } = (await getBalances(db, account, [partnerId])).get(partnerId) ?? {}
    const currency = account.defaultCurrency
    return { accountName: account.name, month, currency, ...sums, held, due, url: `${origin}/dashboard` }
  },
  write(data) {
    const { accountName, month, currency, url, ...sums } = data
    const { statement } = earningsMailPhrases
    return {
      ...toPartner(accountName),
      subject: statement.subject({ month: monthInWords(month) }),
      preview: statement.preview({
        earned: moneyInWords(sums.earned, currency),
        paid: moneyInWords(sums.paid, currency),
      }),
      parts: [statement.text({ account: formatAccountName(accountName) }), ...statementOf(data)],
      button: { label: mailPhrases.openDashboard, url },
    }
  },
  editable: {
    kind: () => 'monthly-statement',
    values: ({ month }) => ({ month: monthInWords(month) }),
    details: statementOf,
  },
  sample: {
    accountName: 'Northwind',
    month: '2026-10',
    currency: 'usd',
    earned: 320_00,
    reversed: -20_00,
    adjusted: 0,
    paid: 180_00,
    held: 90_00,
    due: 30_00,
    url: 'https://partners.example.com/dashboard',
  },
})

type Statement = MonthSums & { month: string; currency: string; held: number; due: number }

function statementOf({ month, currency, ...sums }: Statement): Part[] {
  const words = earningsMailPhrases.statement
  const line = (label: string, amount: number): Fact => ({ label, value: moneyInWords(amount, currency) })
  const heading = monthInWords(month)
  return [
    {
      heading: heading.charAt(0).toUpperCase() + heading.slice(1),
      facts: [
        line(words.earned, sums.earned),
        line(words.reversed, sums.reversed),
        ...(sums.adjusted === 0 ? [] : [line(words.adjustments, sums.adjusted)]),
        line(words.paid, sums.paid),
      ],
    },
    { heading: words.balance, facts: [line(words.held, sums.held), line(words.due, sums.due)] },
  ]
}

/** Inserts the news of the previous month on the second, when the first day's refunds are in. */
async function noteMonth(tx: Transaction, { id, timeZone }: AccountFacts, today: string) {
  const day = Number(today.slice(8))
  if (day < 2 || day > 2 + LATE_DAYS) return
  const to = addDays(today, -day)
  const month = to.slice(0, 7)
  const from = `${month}-01`
  await tx.run`
    insert into mail_news (id, account_id, partner_id, kind, subject_id, occasion, created_at)
    -- no random id: a cluster refuses to insert one from a query
    select md5(concat(n.id, ${month}::text))::uuid, n.account_id, n.id, 'monthly-statement', n.id, ${month}, ${tx.now}
    from partners n
    where n.account_id = ${id} and ${readsMail}
      and (exists (select from commission_entries t where t.account_id = ${id} and t.partner_id = n.id and t.day between ${from} and ${to})
        or exists (
          select from payouts o where o.account_id = ${id} and o.partner_id = n.id and o.status = 'paid'
            and ${paidOn(timeZone)} between ${from} and ${to}))
    on conflict do nothing`
}

/** The day on which payout `o` was paid, as stored then. One that was sent before has stored only the day it left. */
const paidOn = (timeZone: string) =>
  sql`case when o.sent_at < o.paid_at then (o.paid_at at time zone ${timeZone})::date else o.paid_on end`

/** Returns a partner's earnings and payments of a month; both by dates in the account's time zone. */
const monthOfPartner = (
  db: Queryable,
  { id, timeZone }: Pick<AccountFacts, 'id' | 'timeZone'>,
  partnerId: string,
  month: string,
) => db.one<MonthSums>`
  select
    coalesce(sum(t.amount) filter (where t.kind in ('earned', 'restoration')), 0)::bigint as earned,
    coalesce(sum(t.amount) filter (where t.kind = 'reversal'), 0)::bigint as reversed,
    coalesce(sum(t.amount) filter (where t.kind in ('adjustment', 'bonus')), 0)::bigint as adjusted,
    (select coalesce(sum(o.amount), 0)::bigint from payouts o
      where o.account_id = ${id} and o.partner_id = ${partnerId} and o.status = 'paid'
        and to_char(${paidOn(timeZone)}, 'YYYY-MM') = ${month}) as paid
  from commission_entries t left join sales s on s.account_id = t.account_id and s.id = t.sale_id
  where t.account_id = ${id} and t.partner_id = ${partnerId} and to_char(t.day, 'YYYY-MM') = ${month}
    -- what was earned by mistake and taken back in the same month has never been
    and (s.status is distinct from 'void' or (
      select sum(o.amount) from commission_entries o
      where o.account_id = ${id} and o.sale_id = t.sale_id and o.partner_id = t.partner_id and to_char(o.day, 'YYYY-MM') = ${month}) <> 0)`
