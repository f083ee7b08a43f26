import { moneyInWords } from '#contract/money.ts'
import { type PayoutAttention, type PayoutMethod, payoutNeeds } from '#contract/payouts.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { countInWords } from '../../platform/format-values.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { listPayers } from '../access/payers.ts'
import { getPayoutMethod } from './methods/registry.ts'
import { getPayoutTerms, type PayoutTerms } from './payout-terms.ts'
import { readPayouts } from './payouts.ts'

/** Partners named per item; the list has the rest. */
const MOST_NAMED = 100

type Item = {
  kind: PayoutAttention['items'][number]['kind']
  method: PayoutMethod | null
  /** The method to connect again. */
  lost: PayoutMethod | null
  fileId: string | null
  fileNumber: number | null
  count: number
  amount: number
  /** The sum that leaves for them, with VAT. */
  payAmount: number
  partnerIds: string[]
  partners: number
  /** Name of one of its partners: an item with a single partner is worded with it. */
  name: string
  approved: boolean
}

/** Returns the actions that get partners paid now; over the same rows that the list finds by `attention`. */
export async function getPayoutAttention(db: Queryable, account: AccountFacts): Promise<PayoutAttention> {
  const terms = await getPayoutTerms(db, account)
  const found = await db.many<Item>`
    select t.need as kind, m.method, m.lost, f.id as file_id, f.number as file_number, count(*) as count, sum(t.amount)::bigint as amount,
      sum(t.pay_amount)::bigint as pay_amount, (array_agg(distinct t.partner_id))[1:${MOST_NAMED}::integer] as partner_ids,
      count(distinct t.partner_id) as partners, min(t.partner_name) as name, bool_or(t.status = 'approved') as approved
    from ${readPayouts(terms, db.now, { needy: true })} t
      cross join lateral (
        select case when t.need = 'fund' then t.method when t.need = 'pay' then 'manual' end as method,
          case when t.need = 'reconnect' then t.method end as lost) m
      left join payment_file_payouts p on t.need = 'results' and p.account_id = ${account.id} and p.payout_id = t.id and p.live
      left join payment_files f on f.account_id = p.account_id and f.id = p.file_id
    where t.need <> 'decide'
    group by t.need, m.method, m.lost, f.id, f.number
    order by array_position(${payoutNeeds}::text[], t.need), m.method desc, m.lost, f.number`
  const isWaiting = found.some(({ kind }) => kind === 'second-approval')
  const alone = isWaiting && (await listPayers(db, account.id)).length < 2
  return {
    items: found.map((item) => {
      const { kind, count, amount, method, fileId, fileNumber, partnerIds } = item
      return { kind, message: messageOf(item, terms, alone), count, amount, method, fileId, fileNumber, partnerIds }
    }),
  }
}

/** Returns the number of payouts that need a person, and their sum. */
export const sumNeedy = async (db: Queryable, account: AccountFacts) => db.one<{ count: number; amount: number }>`
  select count(*) as count, coalesce(sum(t.amount), 0)::bigint as amount
  from ${readPayouts(await getPayoutTerms(db, account), db.now, { needy: true })} t
  where t.need is not null`

function messageOf(item: Item, { account, ways, year }: PayoutTerms, alone: boolean): string {
  const { kind, count, partners, name, payAmount, approved } = item
  const one = partners === 1
  const many = countInWords(partners, 'partner')
  switch (kind) {
    case 'approve':
      return `${countInWords(count, 'payout is', 'payouts are')} ready to approve`
    case 'second-approval':
      return `${countInWords(count, 'payout needs', 'payouts need')} ${alone ? 'another owner or person in finance to approve' : 'a second approval'}`
    case 'file':
      return `${countInWords(count, 'payout waits', 'payouts wait')} for a payment file`
    case 'fund':
      return `${getPayoutMethod(item.method!).label} needs ${moneyInWords(payAmount, account.defaultCurrency)}`
    case 'results':
      return `${countInWords(count, 'payout is', 'payouts are')} in payment file ${item.fileNumber}`
    case 'acknowledge':
      return `${countInWords(count, 'reward hasn’t', 'rewards haven’t')} been acknowledged for 3 days`
    case 'pay':
      return `${countInWords(count, 'approved payout')} still to be paid`
    case 'check':
      return `It isn’t known whether ${countInWords(count, 'payout was', 'payouts were')} paid`
    case 'check-name':
      return `The bank found another name on the account of ${one ? name : many}`
    case 'remind':
      return one ? `${name} has no payout details` : `${many} without payout details`
    case 'approve-year':
      return one ? `${name} is not approved for ${year}` : `${many} not approved for ${year}`
    case 'fix-details':
      return one ? `${name} needs to correct their payout details` : `${many} need to correct their payout details`
    case 'retry':
      return `${countInWords(count, 'payout')} failed`
    case 'reconnect': {
      const { label } = getPayoutMethod(item.lost!)
      if (ways.some(({ method, trouble }) => method.name === item.lost && trouble))
        return `${label} no longer accepts the connection`
      return approved
        ? `${label} is no longer connected`
        : `${label} does not pay out from ${account.defaultCurrency.toUpperCase()}`
    }
  }
}
