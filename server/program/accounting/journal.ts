import { type JournalDetail, MOST_JOURNAL_DAYS } from '#contract/accounting.ts'
import type { EntryKind } from '#contract/commissions.ts'
import type { JournalAccount } from '#contract/journal-accounts.ts'
import { decimalAmount } from '#contract/money.ts'
import { type Cell, csvLines } from '../../platform/csv/csv.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { rawSql, sql } from '../../platform/database/sql.ts'
import { wrongField } from '../../platform/refusal.ts'
import { addDays, daysBetween } from '../../platform/time/days.ts'
import { type Range, readRange } from '../../platform/time/range.ts'
import { getInvoicingSettings, type InvoicingSettings } from '../invoicing/settings.ts'
import { partnerNameSql } from '../partner-directory/partner-names.ts'
import { type BooksAccount, endOfDaySql } from './liability.ts'

/** A kind of entry, or money of a payout that left or is back. */
type Kind = EntryKind | 'out' | 'back'

/** Kinds in the order of a day's lines, with their description. */
const KINDS: Record<Kind, string> = {
  earned: 'Commissions earned',
  bonus: 'Bonuses',
  restoration: 'Commissions restored',
  reversal: 'Commissions taken back',
  adjustment: 'Adjustments',
  out: 'Payouts sent',
  back: 'Payouts returned',
}

/**
 * Entries or cash lines of a day and kind, added up or one by one. `tax` and `fee` were paid beside the amount.
 * `ofCustomers`: rewards of customers, `inKind` those given as credit or units, which no bank pays.
 */
type Posting = {
  day: string
  kind: Kind
  ofCustomers: boolean
  inKind: boolean
  amount: number
  tax: number
  fee: number
  name?: string
  reference?: string
}

type Sums = Pick<Posting, 'kind' | 'ofCustomers' | 'inKind' | 'amount' | 'tax' | 'fee'>

/** Debits are above zero, credits below. */
type Line = { side: JournalAccount; amount: number }

/** Parses the range of a journal. */
export function readJournalRange(text: string): Range {
  const range = readRange(text)
  if (daysBetween(range.from, range.to) >= MOST_JOURNAL_DAYS) throw wrongField('range', 'journal_too_long')
  return range
}

/** Returns the lines of one posting, which add up to zero. */
function linesOf({ kind, ofCustomers, inKind, amount, tax, fee }: Sums): Line[] {
  const owed = ofCustomers ? 'rewards' : 'liability'
  const isCash = kind === 'out' || kind === 'back'
  const sign = kind === 'back' ? -1 : 1
  const lines: Line[] = isCash
    ? [
        { side: owed, amount: sign * amount },
        { side: 'tax', amount: sign * tax },
        { side: 'fees', amount: sign * fee },
        { side: inKind ? 'given' : 'cash', amount: -sign * (amount + tax + fee) },
      ]
    : [
        { side: 'expense', amount },
        { side: owed, amount: -amount },
      ]
  // debits first
  return lines.filter((line) => line.amount !== 0).toSorted((a, b) => Math.sign(b.amount) - Math.sign(a.amount))
}

/** The rise of what is owed by a posting: its credits of the liabilities, less the debits. */
export const owedBy = (posting: Sums) =>
  -linesOf(posting)
    .filter(({ side }) => side === 'liability' || side === 'rewards')
    .reduce((sum, { amount }) => sum + amount, 0)

const dayOf = (instant: string, { timeZone }: BooksAccount) =>
  sql`(${rawSql(instant)} at time zone ${timeZone}::text)::date`

/** Whether what row `t` books is owed to a customer, who stays one once they have earned something. */
const isOfCustomers = (accountId: string) => sql`(t.partner_id in (
  select p.id from partners p join groups g on g.account_id = ${accountId} and g.id = p.group_id
  where p.account_id = ${accountId} and g.kind = 'customers'))`

/** Whether payout `o` gives credit or units. */
const isInKind = sql`coalesce(o.reward ->> 'as' <> 'money', false)`

/** Returns a posting per day and kind of the range, in the order of the journal. */
export const postingsByDay = (db: Queryable, account: BooksAccount, { from, to }: Range) => db.many<Posting>`
  select day, kind, of_customers, in_kind, sum(amount)::bigint as amount, sum(tax)::bigint as tax, sum(fee)::bigint as fee from (
    select ${dayOf('t.created_at', account)} as day, t.kind, ${isOfCustomers(account.id)} as of_customers, false as in_kind,
      t.amount, 0::bigint as tax, 0::bigint as fee
    from commission_entries t
    where t.account_id = ${account.id} and t.created_at >= ${endOfDaySql(account, addDays(from, -1))}
      and t.created_at < ${endOfDaySql(account, to)}
    union all
    select ${dayOf('t.at', account)}, t.kind, ${isOfCustomers(account.id)}, ${isInKind}, t.amount, t.tax_amount, t.fee
    from payout_cash t join payouts o on o.account_id = ${account.id} and o.id = t.payout_id
    where t.account_id = ${account.id} and t.at >= ${endOfDaySql(account, addDays(from, -1))}
      and t.at < ${endOfDaySql(account, to)}) recorded
  group by 1, 2, 3, 4 order by day, array_position(${Object.keys(KINDS)}::text[], kind), of_customers, in_kind`

type Single = Posting & { at: string; id: string; turn: number }

/** Postings read at once. */
const AT_ONCE = 2000

/** Returns the entries, or the cash lines, of a day and kind in the order of their time, as many as are read at once. */
const singlesAfter = (
  db: Queryable,
  account: BooksAccount,
  { day, kind, ofCustomers, inKind }: Posting,
  after: Single | undefined,
) => {
  const name = partnerNameSql(sql`n`)
  const isCash = kind === 'out' || kind === 'back'
  const at = rawSql(isCash ? 't.at' : 't.created_at')
  const id = rawSql(isCash ? 't.payout_id' : 't.id')
  return db.many<Single>`
    select ${day}::text as day, t.kind, ${ofCustomers}::boolean as of_customers, ${inKind}::boolean as in_kind, t.amount,
      ${name} as name,
      ${isCash ? sql`t.tax_amount as tax, t.fee` : sql`0::bigint as tax, 0::bigint as fee`},
      ${at}::text as at, ${id} as id, t.turn, ${isCash ? sql`'PO-' || o.statement_number` : sql`t.id::text`} as reference
    from ${rawSql(isCash ? 'payout_cash' : 'commission_entries')} t
      join partners n on n.account_id = t.account_id and n.id = t.partner_id
      ${isCash ? sql`join payouts o on o.account_id = t.account_id and o.id = t.payout_id` : sql``}
    where t.account_id = ${account.id} and t.kind = ${kind} and ${at} >= ${endOfDaySql(account, addDays(day, -1))}
      and ${at} < ${endOfDaySql(account, day)} and ${isOfCustomers(account.id)} = ${ofCustomers}
      ${isCash ? sql`and ${isInKind} = ${inKind}` : sql``}
      ${after ? sql`and (${at}, ${id}, t.turn) > (${after.at}::timestamptz, ${after.id}::uuid, ${after.turn}::integer)` : sql``}
    order by ${at}, ${id}, t.turn limit ${AT_ONCE}`
}

const HEAD = ['JournalNo', 'Date', 'Account', 'Debit', 'Credit', 'Description', 'Name', 'Reference', 'Currency']

/**
 * Returns the journal's file, piece by piece as it is read: a line per day and kind, or per entry and payout. `read` is
 * called for each piece, so that no connection is occupied while a slow client reads.
 */
export async function* journalFile(
  read: <T>(work: (db: Queryable) => Promise<T>) => Promise<T>,
  account: BooksAccount,
  { range, detail }: { range: Range; detail: JournalDetail },
) {
  const { journalAccounts } = await read((db) => getInvoicingSettings(db, account.id))
  const booked = { currency: account.defaultCurrency, names: journalAccounts }
  const cells = (postings: Posting[]) =>
    csvLines(postings.flatMap((posting) => linesOf(posting).map((line) => cellsOf(posting, line, booked))))
  yield csvLines([HEAD.map((plain) => ({ plain }))])
  const days = await read((db) => postingsByDay(db, account, range))
  if (detail === 'day') yield cells(days)
  else
    for (const posting of days) {
      let after: Single | undefined
      do {
        const singles = await read((db) => singlesAfter(db, account, posting, after))
        yield cells(singles)
        after = singles.length < AT_ONCE ? undefined : singles.at(-1)
      } while (after)
    }
}

type InFile = { currency: string; names: InvoicingSettings['journalAccounts'] }

function cellsOf(posting: Posting, { side, amount }: Line, { currency, names }: InFile): Cell[] {
  const { day, kind, ofCustomers, inKind, name = null, reference = null } = posting
  const number = [day.replaceAll('-', ''), kind, ...(ofCustomers ? ['customers'] : []), ...(inKind ? ['given'] : [])]
  const decimal = (value: number) => (value > 0 ? decimalAmount(value, currency) : null)
  return [
    { plain: number.join('-') },
    { plain: day },
    { text: names[side] },
    { plain: decimal(amount) },
    { plain: decimal(-amount) },
    { text: KINDS[kind] },
    { text: name },
    { text: reference },
    { plain: currency },
  ]
}
