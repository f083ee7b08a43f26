import { emptiedOf, type TableName } from '../../platform/database/columns.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { joinSql, rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { type Search, toLikePatterns, toPattern, withNames } from './search.ts'

/** Objects of an erased person, and the values that name them elsewhere. */
export type Traces = { accountId: string; search: Search } & (
  | {
      type: 'lead'
      leadIds: string[]
      saleIds: string[]
      refundIds: string[]
      providerIds: string[]
      /** Partners and applications with one of their addresses, which are erased on their own. */
      otherIds: string[]
    }
  /** `unusedEmails`: those of their addresses that no user had at `readAt`. */
  | { type: 'partner'; partnerId: string; payoutIds: string[]; unusedEmails: string[]; readAt: Date }
)
type LeadTraces = Extract<Traces, { type: 'lead' }>
type PartnerTraces = Extract<Traces, { type: 'partner' }>

/** Finds the objects of these leads. */
export async function tracesOfLeads(
  db: Queryable,
  accountId: string,
  leadIds: string[],
  search: Search,
): Promise<LeadTraces> {
  const sales = await db.many<{ id: string }>`
    select id from sales t
    where t.account_id = ${accountId} and (t.lead_id = any(${leadIds}::uuid[]) or t.test_lead_id = any(${leadIds}::uuid[])
      or lower(t.payer_email) = any(${search.values}))`
  const saleIds = sales.map(({ id }) => id)
  const refunds = await db.many<{ id: string }>`
    select id from refunds where account_id = ${accountId} and sale_id = any(${saleIds}::uuid[])`
  const known = await db.many<{ id: string }>`
    select payment_key as id from provider_payments where account_id = ${accountId} and sale_id = any(${saleIds}::uuid[])
    union select customer_id from shop_customers where account_id = ${accountId} and lead_id = any(${leadIds}::uuid[])`
  const [refundIds, providerIds] = [refunds, known].map((rows) => rows.map(({ id }) => id)) as [string[], string[]]
  const others = await db.many<{ id: string }>`
    select id from partners where account_id = ${accountId} and email = any(${search.values})
    union all select id from applications where account_id = ${accountId} and email = any(${search.values})`
  const otherIds = others.map(({ id }) => id)
  return { type: 'lead', accountId, leadIds, saleIds, refundIds, providerIds, otherIds, search }
}

/** Finds the objects of a partner. */
export async function tracesOfPartner(
  db: Queryable,
  accountId: string,
  partnerId: string,
  search: Search,
): Promise<PartnerTraces> {
  const payouts = await db.many<{ id: string }>`
    select id from payouts where account_id = ${accountId} and partner_id = ${partnerId}`
  const unused = await db.many<{ email: string }>`
    select email from unnest(${search.values}::text[]) as t (email)
    where not exists (select from users u where u.email = t.email)`
  const payoutIds = payouts.map(({ id }) => id)
  const unusedEmails = unused.map(({ email }) => email)
  return { type: 'partner', accountId, partnerId, payoutIds, search, unusedEmails, readAt: db.now }
}

/**
 * The rows `t` of a table with something of the person. `scanned`: found by text alone, so that the table is read in
 * pages by its key. `waiting`: rows that are still worked on, which stay until then.
 */
export type ErasureStep = {
  table: TableName
  key: [column: string, type: string][]
  which: Sql
  /** The rows about no one else, for the person's file; all if omitted. */
  own?: Sql
  scanned?: true
  waiting?: Sql
  /** Its rows belong to no account. */
  ofNoAccount?: true
}

const ID: ErasureStep['key'] = [['id', 'uuid']]

/** Every table with personal columns of such a person, but those whose values are sealed. */
export const listErasureSteps = (traces: Traces): ErasureStep[] =>
  traces.type === 'lead' ? stepsOfLead(traces) : stepsOfPartner(traces)

const among = (column: string, ids: string[]) => sql`${rawSql(column)} = any(${ids}::uuid[])`
const amongRecords = (ids: string[]) => sql`exists (
  select from jsonb_array_elements(coalesce(t.records, '[]')) r where r ->> 'id' = any(${ids}))`

const buildMatcher = (search: Search) => {
  const saysOne = (sought: Pick<Search, 'values' | 'ids'>) => {
    const [pattern, likes] = [toPattern(sought), toLikePatterns(sought)]
    // inside `is true` the order stays: the regular expression, many times as slow, reads only what may match
    return (text: string) =>
      pattern === null
        ? sql`false`
        : sql`((lower(${rawSql(text)}) like any(${likes}::text[]) and lower(${rawSql(text)}) ~ ${pattern}) is true)`
  }
  return { saysOne, says: saysOne(search), saysOrNames: saysOne(withNames(search)) }
}

const IMPORT_ROW: ErasureStep['key'] = [
  ['import_id', 'uuid'],
  ['row', 'integer'],
]
/** The texts as one; a cluster updates by immutable functions alone, which `concat_ws` is not. */
const joined = (...texts: string[]) => texts.map((text) => `coalesce(${text}, '')`).join(` || ' ' || `)
const RAW_ROW = joined('text_of_cells(t.cells)', 't.message', 't.made::text')
const RAW_DELIVERY = joined('t.payload', 't.fields::text', 't.reason', 't.others_id::text')
const RAW_MAIL = joined('t.subject', 't.text', 't.reason')
const RAW_EVENT = joined('t.body', 't.error')

function stepsOfPartner({ partnerId, payoutIds, search, unusedEmails, readAt }: PartnerTraces): ErasureStep[] {
  const { says, saysOrNames } = buildMatcher(search)
  const all = [partnerId, ...payoutIds]
  const ofPartner = sql`t.partner_id = ${partnerId}`
  // events of leads and sales name a partner beside their id, among the commissions and as the one before
  const ofEvents = sql`(${among('t.subject_id', all)} or position(${partnerId} in t.data::text) > 0 or ${says('t.data::text')})`
  const wasMade = sql`exists (select from jsonb_array_elements(coalesce(t.made, '[]')) m where m ->> 'id' = ${partnerId})`
  return [
    { table: 'partners', key: ID, which: sql`t.id = ${partnerId}` },
    { table: 'invitations', key: ID, which: ofPartner },
    { table: 'partner_links', key: ID, which: ofPartner },
    {
      table: 'applications',
      key: ID,
      which: sql`(${ofPartner} or t.email = any(${search.values}))`,
    },
    {
      table: 'terms_log',
      key: [['number', 'integer']],
      which: sql`(t.subject = 'partner' and t.subject_id = ${partnerId})`,
    },
    { table: 'claims', key: ID, which: ofPartner },
    {
      table: 'agreement_acceptances',
      key: [
        ['partner_id', 'uuid'],
        ['version', 'integer'],
      ],
      which: ofPartner,
    },
    {
      table: 'invoice_details',
      key: [
        ['partner_id', 'uuid'],
        ['version', 'integer'],
      ],
      which: ofPartner,
    },
    { table: 'payout_settings', key: [['partner_id', 'uuid']], which: ofPartner },
    { table: 'payouts', key: ID, which: ofPartner },
    { table: 'fraud_cases', key: ID, which: ofPartner },
    { table: 'tax_forms', key: ID, which: ofPartner },
    { table: 'payout_attempts', key: ID, which: among('t.payout_id', payoutIds) },
    {
      table: 'commission_entries',
      key: ID,
      which: sql`(${ofPartner} and t.sale_id is null and t.lead_id is null)`,
    },
    {
      table: 'bulk_actions',
      key: ID,
      // an action on leads may give them to the partner
      which: sql`(t.subject_ids && ${all}::uuid[] or t.parameters -> 'change' ->> 'partnerId' = ${partnerId})`,
      waiting: RUNNING,
    },
    { table: 'events', key: ID, which: ofEvents, own: among('t.subject_id', all), scanned: true },
    { table: 'passing_events', key: ID, which: ofEvents, scanned: true },
    // past payouts name the partners whose balance they outweigh
    { table: 'imports', key: ID, which: saysOrNames('t.warnings::text'), scanned: true },
    {
      table: 'import_rows',
      key: IMPORT_ROW,
      which: sql`(${says(RAW_ROW)} or ${wasMade})`,
      own: wasMade,
      scanned: true,
    },
    {
      table: 'provider_events',
      key: ID,
      which: says(RAW_EVENT),
      scanned: true,
      waiting: UNPROCESSED,
    },
    {
      table: 'incoming_deliveries',
      key: ID,
      which: says(RAW_DELIVERY),
      scanned: true,
      waiting: sql`t.state = 'received'`,
    },
    { table: 'outgoing_deliveries', key: ID, which: says('t.answer'), scanned: true },
    {
      table: 'mails',
      key: ID,
      which: sql`(t.email = any(${search.values}) or ${saysOrNames(RAW_MAIL)})`,
      own: sql`t.email = any(${search.values})`,
      scanned: true,
    },
    // about signing in, unless the address is another person's by now
    {
      table: 'mails',
      key: ID,
      which: sql`(t.account_id is null and t.email = any(${unusedEmails}) and t.created_at <= ${readAt})`,
      scanned: true,
      ofNoAccount: true,
    },
  ]
}

/** Ids that name nothing else by chance. */
const long = (ids: string[]) => ids.filter((id) => id.length >= 4)

const UNPROCESSED = sql`t.state in ('received', 'failed', 'waiting')`
const RUNNING = sql`t.state = 'running'`

function stepsOfLead({
  accountId,
  leadIds,
  saleIds,
  refundIds,
  providerIds,
  otherIds,
  search,
}: LeadTraces): ErasureStep[] {
  const { saysOne, says, saysOrNames } = buildMatcher(search)
  const ofSales = among('t.sale_id', saleIds)
  const all = [...leadIds, ...saleIds, ...refundIds]
  const ofEvents = sql`(${among('t.subject_id', all)} or ${rawSql("t.data -> 'object' ->> 'leadId'")} = any(${leadIds})
    or ${rawSql("t.data -> 'object' ->> 'saleId'")} = any(${saleIds})
    or (${says('t.data::text')} and (${among('t.subject_id', otherIds)}) is not true))`
  return [
    { table: 'leads', key: ID, which: among('t.id', leadIds) },
    { table: 'lead_submissions', key: ID, which: among('t.lead_id', leadIds) },
    { table: 'bulk_actions', key: ID, which: sql`t.subject_ids && ${leadIds}::uuid[]`, waiting: RUNNING },
    { table: 'sales', key: ID, which: among('t.id', saleIds) },
    {
      table: 'claims',
      key: ID,
      which: sql`(${ofSales} or ${among('t.lead_id', leadIds)} or t.email = any(${search.values}) or ${saysOrNames('t.note')})`,
      scanned: true,
    },
    { table: 'refunds', key: ID, which: ofSales },
    { table: 'sale_corrections', key: ID, which: ofSales },
    { table: 'fraud_cases', key: ID, which: sql`(${ofSales} or ${among('t.lead_id', leadIds)})` },
    { table: 'commission_entries', key: ID, which: sql`(${ofSales} or ${among('t.lead_id', leadIds)})` },
    {
      table: 'clicks',
      key: ID,
      which: sql`t.id in (select click_id from leads l where l.account_id = ${accountId} and ${among('l.id', leadIds)})`,
    },
    { table: 'events', key: ID, which: ofEvents, scanned: true },
    { table: 'passing_events', key: ID, which: ofEvents, scanned: true },
    {
      table: 'provider_events',
      key: ID,
      // one that came before its payment is linked by the payment's id in its text
      which: sql`(${ofSales} or ${says(RAW_EVENT)} or ${saysOne({ values: long(providerIds), ids: [] })('t.body')})`,
      scanned: true,
      waiting: UNPROCESSED,
    },
    {
      table: 'provider_objects',
      key: [
        ['shop_id', 'uuid'],
        ['payment_key', 'text'],
        ['kind', 'text'],
        ['object_id', 'text'],
      ],
      which: sql`(exists (select from provider_payments p
          where p.account_id = ${accountId} and p.shop_id = t.shop_id and p.payment_key = t.payment_key and ${among('p.sale_id', saleIds)})
        or exists (select from shop_customers c
          where c.account_id = ${accountId} and c.shop_id = t.shop_id and c.customer_id = coalesce(t.data ->> 'customer', t.data ->> 'customerId')
            and ${among('c.lead_id', leadIds)})
        or ${says('t.data::text')})`,
      scanned: true,
    },
    {
      table: 'import_rows',
      key: IMPORT_ROW,
      which: sql`(${says(RAW_ROW)}
        or exists (select from jsonb_array_elements(coalesce(t.made, '[]')) m where m ->> 'id' = any(${all})))`,
      scanned: true,
    },
    {
      table: 'import_objects',
      key: [
        ['import_id', 'uuid'],
        ['payment_key', 'text'],
        ['kind', 'text'],
        ['object_id', 'text'],
      ],
      which: says('t.data::text'),
      scanned: true,
    },
    {
      table: 'import_payments',
      key: [
        ['import_id', 'uuid'],
        ['payment_key', 'text'],
      ],
      which: says('t.email'),
      scanned: true,
    },
    {
      table: 'incoming_deliveries',
      key: ID,
      which: sql`(${among('t.made_id', all)} or ${says(RAW_DELIVERY)} or ${amongRecords(all)}
        or exists (select from jsonb_array_elements(coalesce(t.others_id, '[]')) o where o ->> 'leadId' = any(${leadIds})))`,
      scanned: true,
      waiting: sql`t.state = 'received'`,
    },
    { table: 'incoming_webhooks', key: ID, which: says('t.same_id::text') },
    {
      table: 'outgoing_deliveries',
      key: ID,
      which: sql`(${says('t.answer')} or exists (select from passing_events e
        where e.account_id = ${accountId} and e.id = t.event_id and ${among('e.subject_id', all)}))`,
      scanned: true,
    },
    {
      table: 'mails',
      key: ID,
      // leads get no mails: one to this address is another person's, such as a partner's
      which: sql`(${saysOrNames(RAW_MAIL)}
        and not t.email = any(${search.values.map((value) => value.toLowerCase())}))`,
      scanned: true,
    },
  ]
}

const changes = (table: string, type: Traces['type']) =>
  emptiedOf(table, type).map(([column, becomes]) => ({ column, becomes }))
const isFull = (table: TableName, type: Traces['type']) =>
  sql`(${joinSql(
    changes(table, type).map(({ column, becomes }) => rawSql(`t."${column}" is distinct from ${becomes}`)),
    ' or ',
  )})`

const inAccount = ({ ofNoAccount }: ErasureStep, accountId: string) =>
  ofNoAccount ? sql`true` : sql`t.account_id = ${accountId}`

/** Rows emptied at once. */
const WRITTEN = 500

/** Rows of a scanned table read at once: fewer of those with the body of a request, of up to 256 kB. */
const readAtOnce = ({ table }: ErasureStep) => (['incoming_deliveries', 'provider_events'].includes(table) ? 40 : 1000)

const keysOf = ({ key }: ErasureStep, alias: string) =>
  joinSql(
    key.map(([name]) => rawSql(`${alias}."${name}"`)),
    ', ',
  )
const keyOf = ({ key }: ErasureStep, values: string[]) =>
  joinSql(
    values.map((value, at) => sql`${value}::text::${rawSql(key[at]![1])}`),
    ', ',
  )
const isAfter = (step: ErasureStep, after: string[] | null) =>
  after ? sql`(${keysOf(step, 't')}) > (${keyOf(step, after)})` : sql`true`

/** The keys of the next rows of a scanned table, whatever they contain. */
const pageAfter = (step: ErasureStep, accountId: string, after: string[] | null) => sql`
  select ${keysOf(step, 't')} from ${rawSql(step.table)} t
  where ${inAccount(step, accountId)} and ${isAfter(step, after)} order by ${keysOf(step, 't')} limit ${readAtOnce(step)}`

type Page = { seen: number; found: number; last: string[] | null }

/** Reads a page of keys `p`, and what `found` finds or changes among its rows. */
const pageWith = (db: Queryable, step: ErasureStep, page: Sql, found: Sql) => db.one<Page>`
  with page as materialized (${page}), found as (${found})
  select (select count(*) from page) as seen, (select count(*) from found) as found,
    (select array[${joinSql(
      step.key.map(([name]) => rawSql(`p."${name}"::text`)),
      ', ',
    )}] from page p
      order by ${joinSql(
        step.key.map(([name]) => rawSql(`p."${name}" desc`)),
        ', ',
      )} limit 1) as last`

const isOnPage = ({ key }: ErasureStep) =>
  joinSql(
    key.map(([name]) => rawSql(`t."${name}" = p."${name}"`)),
    ' and ',
  )

/** Counts the rows that an erasure would empty. */
export async function countTraces(db: Queryable, { accountId, type }: Traces, step: ErasureStep): Promise<number> {
  const table = rawSql(step.table)
  const is = sql`${inAccount(step, accountId)} and ${step.which} and ${isFull(step.table, type)}`
  if (!step.scanned) return db.value<number>`select count(*) from ${table} t where ${is}`
  let count = 0
  for (let after: string[] | null = null; ; ) {
    const among = sql`select from ${table} t, page p where ${isOnPage(step)} and ${is}`
    const { seen, found, last }: Page = await pageWith(db, step, pageAfter(step, accountId, after), among)
    count += found
    after = last
    if (seen < readAtOnce(step)) return count
  }
}

/** Yields at most so many rows of a step about the person alone, those of a scanned table page by page. */
export async function* rowsOfStep<Row>(
  db: Queryable,
  accountId: string,
  step: ErasureStep,
  { columns, most }: { columns: Sql; most: number },
): AsyncGenerator<Row[]> {
  let left = most
  const rows = (part: Sql) => db.many<Row>`
    select ${columns} from ${rawSql(step.table)} t
    where ${inAccount(step, accountId)} and ${step.own ?? step.which} and ${part}
    order by ${keysOf(step, 't')} limit ${left}`
  if (!step.scanned) return yield await rows(sql`true`)
  for (let after: string[] | null = null; left > 0; ) {
    const { seen, last }: Page = await pageWith(db, step, pageAfter(step, accountId, after), sql`select from page`)
    if (!last) return
    const found = await rows(sql`${isAfter(step, after)} and (${keysOf(step, 't')}) <= (${keyOf(step, last)})`)
    yield found
    left -= found.length
    after = last
    if (seen < readAtOnce(step)) return
  }
}

/**
 * Empties the next page of a table, after the row with this key. `isLast`: nothing follows.
 */
export async function emptyPage(
  tx: Transaction,
  { accountId, type }: Traces,
  step: ErasureStep,
  after: string[] | null,
) {
  const { table, which, scanned, waiting = sql`false` } = step
  const is = sql`${which} and not ${waiting} and ${isFull(table, type)}`
  const page = scanned
    ? pageAfter(step, accountId, after)
    : sql`select ${keysOf(step, 't')} from ${rawSql(table)} t where ${inAccount(step, accountId)} and ${is} limit ${WRITTEN}`
  const set = joinSql(
    changes(table, type).map(({ column, becomes }) => rawSql(`"${column}" = ${becomes}`)),
    ', ',
  )
  const { seen, found, last } = await pageWith(
    tx,
    step,
    page,
    sql`update ${rawSql(table)} t set ${set} from page p
      where ${inAccount(step, accountId)} and ${isOnPage(step)} and ${is} returning 1`,
  )
  return { emptied: found, last, isLast: seen < (scanned ? readAtOnce(step) : WRITTEN) }
}
