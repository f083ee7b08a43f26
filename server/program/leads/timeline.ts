import type { LeadEvent, NewLeadNote } from '#contract/leads.ts'
import { moneyInWords } from '#contract/money.ts'
import { type PaymentProvider, paymentProviderNames, type Refund } from '#contract/sales.ts'
import type { ListQuery, PayoutStatus } from '#contract/values.ts'
import { type Author, parseActor, toActor } from '../../platform/author.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { addTimelineLines } from '../../platform/events/emit-event.ts'
import { countryInWords } from '../../platform/format-values.ts'
import { containsFilter, listPage } from '../../platform/http/list.ts'
import { notFound } from '../../platform/refusal.ts'
import { type Access, wordFor } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { displayName, partnerNames } from '../partner-directory/partner-names.ts'
import { openEventsOfSales } from './open-events.ts'
import { lockLead } from './queries.ts'
import { leadPhrases, translateLine } from './text.ts'

type Row = {
  id: string
  at: string
  type: string
  actor: string | null
  /** The payment provider that reported it. */
  provider: string | null
  words: string | null
  amount: number | null
  currency: string | null
  state: string | null
  subjectId: string | null
  /** The payout's partner. */
  partnerId: string | null
}

/**
 * Returns the timeline of a lead: its click, its events, its sales, their refunds and disputes, and the payouts that
 * contain their commissions. A partner sees shared lines, except notes shared with a former partner, and money only if they
 * earned. Why a sale was voided or refunded is the team's to know.
 */
export async function listLeadEvents(db: Queryable, access: Access, query: ListQuery) {
  const { partnerId } = access
  const { items, ...rest } = await listPage<Row>(db, query, {
    columns: sql`t.id, t.created_at as at, t.type, t.actor, t.provider, t.words, t.amount, t.currency, t.state, t.subject_id, t.partner_id`,
    from: sql`(${happened(access)}) t`,
    scope: sql`true`,
    filters: [containsFilter(sql`concat_ws(' ', t.type, t.words)`, query.search)],
  })
  const nobody = new Map<string, string>()
  const actors = partnerId ? nobody : await actorNames(db, items)
  const partners = partnerId
    ? nobody
    : await partnerNames(
        db,
        [access.account.id],
        items.map((row) => row.partnerId),
      )
  const hidden = partnerId !== null && !access.account.partnerVisibility.saleAmounts
  return {
    items: wordFor(access, () =>
      items.map((row) => present(row, { toPartner: partnerId !== null, hidden, actors, partners })),
    ),
    ...rest,
  }
}

/** Returns a note made now, as the account's owner sees it in the timeline. */
export async function presentNote(db: Queryable, by: Author, text: string): Promise<LeadEvent> {
  const row = { actor: toActor(by), provider: null }
  const actor = actorName(row, await actorNames(db, [row]))
  return { at: db.now.toISOString(), type: 'note', actor, text, link: null }
}

/** All dated records, as rows of one shape. */
function happened({ subjectId: leadId, partnerId, account: { id: accountId, partnerVisibility } }: Access) {
  const toPartner = partnerId !== null
  const sales = sql`sales s
    where s.account_id = ${accountId} and s.lead_id = ${leadId} and (not ${toPartner} or s.partner_id = ${partnerId}
      or exists (select from commission_entries e where e.account_id = ${accountId} and e.sale_id = s.id and e.partner_id = ${partnerId}))`
  // what the account writes about a friend is not for the customer
  const notes = partnerVisibility.asFriends ? sql`false` : sharedWith(accountId, partnerId)
  const none = sql`null::text`
  const ofTeam = (column: Sql) => sql`case when not ${toPartner} then ${column} end`
  return sql`
    select c.id, c.at as created_at, 'click' as type, ${none} as actor, ${none} as provider, b.name as words, null::bigint as amount,
      ${none} as currency, ${ofTeam(sql`c.country`)} as state, b.id as subject_id, null::uuid as partner_id
    from leads l join clicks c on c.account_id = l.account_id and c.id = l.click_id left join link_blueprints b on b.id = c.blueprint_id
    where l.account_id = ${accountId} and l.id = ${leadId}
    union all
    select ${idOfLine}, e.at, l.line ->> 'type', e.actor_type || coalesce(':' || e.actor_id::text, ''), null, l.line ->> 'text',
      null, null, null, null, null
    from events e, jsonb_array_elements(e.data -> 'lines') with ordinality as l (line, place)
    where e.account_id = ${accountId} and e.subject_type = 'lead' and e.subject_id = ${leadId}
      and (not ${toPartner} or (l.line ->> 'shared')::boolean and (l.line ->> 'type' <> 'note' or ${notes}))
    union all
    select s.id, s.created_at, 'sale', s.created_by, s.provider, ${ofTeam(sql`s.void_reason`)}, s.amount,
      s.currency, s.status, s.id, null
    from ${sales}
    union all
    select r.id, r.at, r.kind, r.created_by, s.provider, ${ofTeam(sql`r.reason`)}, r.amount, s.currency,
      r.status, s.id, null
    from refunds r join (select s.account_id, s.id, s.currency, s.provider from ${sales}) s
      on s.account_id = r.account_id and s.id = r.sale_id
    union all
    select p.id, coalesce(p.paid_at, p.sent_at, p.approved_at), 'payout', null, null, p.statement_number::text,
      sum(e.amount)::bigint, p.currency, p.status, p.id, p.partner_id
    from (
        select e.account_id, e.id, e.amount from sales s
          join commission_entries e on e.account_id = s.account_id and e.sale_id = s.id
        where s.account_id = ${accountId} and s.lead_id = ${leadId}
        union all
        select account_id, id, amount from commission_entries where account_id = ${accountId} and lead_id = ${leadId}) e
      join payout_entries pe on pe.account_id = ${accountId} and pe.entry_id = e.id and pe.live
      join payouts p on p.account_id = ${accountId} and p.id = pe.payout_id
    where p.approved_at is not null and (not ${toPartner} or p.partner_id = ${partnerId})
    group by p.id, p.account_id, p.paid_at, p.sent_at, p.approved_at, p.statement_number, p.currency, p.status, p.partner_id
    union all
    select e.id, e.at, 'event', null, s.provider, concat_ws(': ', e.type, e.error), null, null, e.state, e.connection_id, null
    from sales s join ${openEventsOfSales}
    where s.account_id = ${accountId} and s.lead_id = ${leadId} and not ${toPartner}`
}

/** An id of its own for each line of event `e`, the first one's the greatest: a page may end between two of them. */
const idOfLine = sql`overlay(e.id::text placing to_hex(256 - l.place) from 35)::uuid`

/**
 * Whether the lead of event `e` was this partner's at that time, or no partner's: a note that was shared with one is not
 * the next one's to read.
 */
const sharedWith = (accountId: string, partnerId: string | null) => sql`coalesce((
  select r.data #>> '{changes,partnerId,old}' from events r
  where r.account_id = ${accountId} and r.subject_type = 'lead' and r.subject_id = e.subject_id
    and r.type = 'lead.reassigned' and r.id > e.id
  order by r.id limit 1)::uuid, ${partnerId}) = ${partnerId}`

/** Returns names by `user:{id}`, `api-key:{id}` and `portal:{id}`, as the account's owner sees them. */
async function actorNames(db: Queryable, rows: Pick<Row, 'actor'>[]) {
  const idsOf = (type: 'user' | 'api-key' | 'portal') => [
    ...new Set(rows.flatMap(({ actor }) => (actor?.startsWith(`${type}:`) ? [parseActor(actor).id!] : []))),
  ]
  const [userIds, keyIds] = [idsOf('user'), [...idsOf('api-key'), ...idsOf('portal')]]
  const users =
    userIds.length > 0
      ? await db.many<{ id: string; firstName: string | null; lastName: string | null; email: string }>`
          select id, first_name, last_name, email from users where id = any(${userIds}::uuid[])`
      : []
  // an account's first key needs no name: most accounts have no other
  const keys =
    keyIds.length > 0
      ? await db.many<{ id: string; name: string }>`
          select id, name from api_keys where id = any(${keyIds}::uuid[]) and id <> account_id`
      : []
  return new Map([
    ...users.map((user) => [`user:${user.id}`, displayName(user)] as const),
    ...keys.flatMap(({ id, name }) => [
      [`api-key:${id}`, `${API}: ${name}`] as const,
      [`portal:${id}`, `${PORTAL}: ${name}`] as const,
    ]),
  ])
}

const API = 'API'
const PORTAL = 'Portal'

type View = { toPartner: boolean; hidden: boolean; actors: Map<string, string>; partners: Map<string, string> }

function present(row: Row, { toPartner, hidden, actors, partners }: View): LeadEvent {
  return {
    at: row.at,
    type: row.type,
    actor: toPartner ? null : actorName(row, actors),
    text: textOf(row, hidden && row.type !== 'payout', partners),
    link: linkOf(row, toPartner),
  }
}

/** Returns a person's name, the account's own systems, or the payment provider. */
function actorName({ actor, provider }: Pick<Row, 'actor' | 'provider'>, actors: Map<string, string>) {
  const name = actor && actors.get(actor)
  if (name || actor?.startsWith('api-key:')) return name || API
  return paymentProviderNames[provider as PaymentProvider] ?? null
}

function textOf(row: Row, hidden: boolean, partners: Map<string, string>): string {
  const { type, words, amount, currency } = row
  const of = amount === null || hidden ? null : moneyInWords(amount, currency!)
  switch (type) {
    case 'click':
      return clickOf(row)
    case 'sale':
      if (row.state === 'void') return because(words, of ? leadPhrases.voidedSaleOf({ of }) : leadPhrases.voidedSale)
      return of ? leadPhrases.saleOf({ of }) : leadPhrases.sale
    case 'refund':
    case 'dispute': {
      const status = row.state as Refund['status']
      return because(words, of ? leadPhrases[`${type}Of`][status]({ of }) : leadPhrases[type][status])
    }
    case 'event':
      return `${row.state === 'waiting' ? 'Waits to be processed' : 'Couldn’t be processed'}: ${words}`
    case 'payout':
      return leadPhrases.payouts[row.state as PayoutStatus]({ payout: `PO-${words}`, of: partOf(row, partners) })
    case 'note':
      return words ?? ''
    default:
      return translateLine(words ?? '')
  }
}

/** Appends the reason that the team entered, or the words of a provider’s code such as `requested_by_customer`. */
const because = (reason: string | null, title: string) =>
  reason ? `${title}: ${reason.replace(/^[a-z]+(_[a-z]+)+$/, (code) => code.replaceAll('_', ' '))}` : title

/** The country is the team's to know. */
function clickOf({ state, words: link }: Row) {
  if (state) return `Clicked a link from ${countryInWords(state)}${link ? `: ${link}` : ''}`
  return link ? leadPhrases.clickOn({ link }) : leadPhrases.click
}

/** Describes a payout's part of this lead's commissions, with the partner's name. */
function partOf({ amount, currency, partnerId }: Row, partners: Map<string, string>) {
  const partnerName = partners.get(partnerId!)
  const money = moneyInWords(amount!, currency!)
  return partnerName ? `${money} for ${partnerName}` : money
}

/** Returns the page of the web application that shows it; a partner has no pages for sales, links and payouts. */
function linkOf({ id, type, subjectId }: Row, toPartner: boolean) {
  if (!subjectId || toPartner) return null
  if (type === 'click') return `/links/${subjectId}`
  if (type === 'event') return `/integrations/payment-providers/${subjectId}/events?delivery=${id}`
  return type === 'payout' ? `/payouts/${subjectId}` : null
}

/** Adds a line to a lead's timeline, also for its partner if it is shared. Refuses: `not_found`. */
export async function addNote(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  id: string,
  { text, shared = false }: NewLeadNote,
): Promise<LeadEvent> {
  if (!(await lockLead(tx, account.id, id))) throw notFound()
  await addTimelineLines(tx, by, account.id, 'lead.noted', { id, lines: [{ type: 'note', text, shared }] })
  return presentNote(tx, by, text)
}
