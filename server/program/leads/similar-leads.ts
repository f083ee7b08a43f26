import type { SimilarLeads } from '#contract/leads.ts'
import { type Likeness, likenesses, type SimilarLead } from '#contract/sales.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
import { fullNameSql, partnerNames } from '../partner-directory/partner-names.ts'
import { formatLeadName } from './lead-name.ts'
import { leadsFound, leadsWith } from './list-leads.ts'
import { hasSales, inTime, type PaidAt } from './payment-time.ts'
import { companyDomain } from './public-mail.ts'
import { type LeadRow, leadColumns } from './queries.ts'

/** Leads shown per kind of match, the latest ones. */
const SHOWN = 5

type Asked = { email?: string | undefined; company?: string | undefined; leadId?: string | undefined }
type Match = SimilarLeads['items'][number]

/**
 * Finds leads that may belong to the same company: by the domain of the e-mail, unless it has public mailboxes, and by
 * the company's name. Only a warning; nothing is refused for them.
 */
export async function similarLeads(
  db: Queryable,
  accountId: string,
  { email = '', company = '', leadId }: Asked,
): Promise<SimilarLeads> {
  const domain = companyDomain(email)
  const name = company.trim()
  // a match by the domain is not repeated
  const others = domain ? sql`coalesce(split_part(t.email, '@', 2), '') <> ${domain}` : sql`true`
  const find = (by: Match['by'], value: string, search: string, isSo: Sql) =>
    matchOf(
      db,
      accountId,
      { by, value },
      sql`t.id in ${leadsFound(accountId, search)} and t.status <> 'duplicate' and ${isSo}`,
      leadId,
    )
  const matches = [
    domain ? await find('domain', domain, `@${domain}`, sql`split_part(t.email, '@', 2) = ${domain}`) : null,
    name ? await find('company', name, name, sql`lower(t.company) = lower(${name}::text) and ${others}`) : null,
  ]
  return { items: matches.filter((match) => match !== null) }
}

async function matchOf(
  db: Queryable,
  accountId: string,
  { by, value }: Pick<Match, 'by' | 'value'>,
  which: Sql,
  leadId: string | undefined,
): Promise<Match | null> {
  const rows = await db.many<LeadRow & { total: number }>`
    select ${leadColumns}, count(*) over () as total from leads t
    where t.account_id = ${accountId} and ${which} and t.id::text <> ${leadId ?? ''}
    order by t.created_at desc, t.id desc limit ${SHOWN}`
  if (rows.length === 0) return null
  const partners = await partnerNames(
    db,
    [accountId],
    rows.map((row) => row.partnerId),
  )
  const leads = rows.map((row) => ({
    id: row.id,
    displayName: formatLeadName(row),
    partnerName: (row.partnerId && partners.get(row.partnerId)) || null,
    status: row.status,
    createdAt: row.createdAt,
  }))
  return { by, value, total: rows[0]!.total, leads }
}

/** A payer as named by the payment, and by the lead already known for it. `key` tells it from others. */
export type PayerIdentity = {
  key: string
  shopId: string | null
  customerId: string | null
  emails: string[]
  phoneE164: string | null
  name: string
  company: string
  paid: PaidAt
}

type LikeRow = LeadRow & {
  key: string
  place: number
  partnerId: string
  reasons: Likeness[]
  hasSales: boolean
  inTime: boolean
}

/** Leads returned for each payer, and at most found for each clue. */
const LIKELIEST = 10
/** Leads with the same clue that are compared: one that more share is little evidence. */
const MOST_COMPARED = 1000

/**
 * Finds the leads that may be these payers and whose partner a sale can be credited to, by the key of the payer, the
 * likeliest first: by the strongest reason, and among equals as an e-mail finds them.
 */
export async function leadsLikePayers(
  db: Queryable,
  accountId: string,
  payers: PayerIdentity[],
): Promise<Map<string, SimilarLead[]>> {
  const clues = payers.flatMap(cluesOf)
  const kinds = Object.entries(foundByClue(accountId)).filter(([kind]) => clues.some((clue) => clue.kind === kind))
  if (kinds.length === 0) return new Map()
  const some = kinds.map(([kind, isSo]) => {
    // payers of one company share clues, each of which is looked up once
    const own = [...new Map(clues.filter((clue) => clue.kind === kind).map((clue) => [clueKey(clue), clue])).values()]
    return sql`
      select c.name, l.id
      from unnest(${own.map(clueKey)}::text[], ${own.map(({ value }) => value)}::text[],
        ${own.map(({ shopId }) => shopId ?? null)}::uuid[]) as c (name, value, shop_id)
      cross join lateral (
        -- the limit also has each found by its own index, not by reading the account's leads in order
        select id from (
          select t.id, t.created_at from leads t
          where t.account_id = ${accountId} and t.partner_id is not null and t.status not in ('duplicate', 'rejected')
            and t.erased_at is null and ${isSo} limit ${MOST_COMPARED}) likely
        order by created_at, id limit ${LIKELIEST}) l`
  })
  const found = await db.many<{ name: string; id: string }>`${joinSql(some, ' union all ')}`
  const ids = Map.groupBy(found, ({ name }) => name)
  const matches = clues.flatMap((clue) =>
    (ids.get(clueKey(clue)) ?? []).map(({ id }) => ({ key: clue.key, id, reason: clue.reason })),
  )
  const likely = [...Map.groupBy(matches, ({ key, id }) => `${key} ${id}`).values()].map((same) => ({
    ...same[0]!,
    reasons: same.map(({ reason }) => reason),
  }))
  if (likely.length === 0) return new Map()
  const paidBy = new Map(payers.map(({ key, paid }) => [key, paid.referredBy.toISOString()]))
  const rows = await db.many<LikeRow>`
    select p.key, p.place, ${leadColumns}, ${hasSales(sql`${accountId}`)} as has_sales, ${inTime(sql`p.referred_by`)} as in_time
    from unnest(${likely.map(({ key }) => key)}::text[], ${likely.map(({ id }) => id)}::uuid[],
      ${likely.map(({ key }) => paidBy.get(key))}::timestamptz[]) with ordinality as p (key, lead_id, referred_by, place)
    cross join lateral (
      select * from leads where account_id = ${accountId} and id = p.lead_id offset 0) t
    order by p.place`
  // a lead may be gone by now
  const liked = rows.map((row) => ({
    ...row,
    reasons: likenesses.filter((one) => likely[row.place - 1]!.reasons.includes(one)),
  }))
  const likeliest = [...Map.groupBy(liked, ({ key }) => key)].map(
    ([key, all]) => [key, all.sort(byLikeness).slice(0, LIKELIEST)] as const,
  )
  const partners = await partnerNames(
    db,
    [accountId],
    likeliest.flatMap(([, all]) => all.map((row) => row.partnerId)),
  )
  return new Map(likeliest.map(([key, all]) => [key, all.map((row) => presentLike(row, partners))]))
}

const presentLike = (row: LikeRow, partners: Map<string, string>): SimilarLead => ({
  id: row.id,
  displayName: formatLeadName(row),
  email: row.email,
  partnerId: row.partnerId,
  partnerName: partners.get(row.partnerId) ?? '',
  status: row.status,
  reasons: row.reasons.filter((one) => !row.reasons.some((other) => includes[other]?.includes(one))),
  referredLater: !row.inTime,
  createdAt: row.createdAt,
})

/** Reasons that another reason implies. */
const includes: Partial<Record<Likeness, Likeness[]>> = { email: ['mailbox', 'domain'], mailbox: ['domain'] }

function byLikeness(a: LikeRow, b: LikeRow) {
  const [first, second] = [a, b].map(({ reasons }) => likenesses.indexOf(reasons[0]!))
  return (
    first! - second! ||
    Number(b.inTime) - Number(a.inTime) ||
    Number(b.hasSales) - Number(a.hasSales) ||
    (a.createdAt < b.createdAt ? -1 : 1)
  )
}

/** How a clue `c` finds leads `t`; each kind is written for one index. */
const foundByClue = (accountId: string) => ({
  customer: sql`t.id in (select s.lead_id from shop_customers s
    where s.account_id = ${accountId} and s.shop_id = c.shop_id and s.customer_id = c.value)`,
  'external-id': sql`t.external_id = c.value`,
  email: sql`t.email = c.value`,
  tagged: sql`(t.email like '%+%' and regexp_replace(t.email, '\\+[^@]*@', '@') = c.value)`,
  phone: sql`t.phone_e164 = c.value`,
  name: sql`(${leadsWith(sql`c.value`)} and lower(${fullNameSql(sql`t`)}) = lower(c.value))`,
  domain: sql`(${leadsWith(sql`'@' || c.value`)} and split_part(t.email, '@', 2) = c.value)`,
  company: sql`(${leadsWith(sql`c.value`)} and lower(t.company) = lower(c.value))`,
})

const clueKey = ({ kind, value, shopId = null }: Clue) => `${kind} ${shopId} ${value}`

type Clue = {
  key: string
  kind: keyof ReturnType<typeof foundByClue>
  reason: Likeness
  value: string
  shopId?: string | null
}

/** Returns what is known of a payer, each part with the kind of search and the reason that it is for. */
function cluesOf({ key, shopId, customerId, emails, phoneE164, name, company }: PayerIdentity): Clue[] {
  const mailboxes = [...new Set(emails.map((email) => email.replace(/\+[^@]*@/, '@')))]
  const domains = [...new Set(emails.map(companyDomain))].filter((domain) => domain !== null)
  const clues: [Clue['kind'], Likeness, (string | null)[]][] = [
    ['customer', 'customer', [shopId && customerId]],
    ['external-id', 'external-id', [customerId]],
    ['email', 'email', emails],
    ['email', 'mailbox', mailboxes],
    ['tagged', 'mailbox', mailboxes],
    ['phone', 'phone', [phoneE164]],
    ['name', 'name', [name]],
    ['domain', 'domain', domains],
    ['company', 'company', [company]],
  ]
  return clues.flatMap(([kind, reason, values]) =>
    values.flatMap((value) => (value ? [{ key, kind, reason, value, shopId }] : [])),
  )
}
