import type { Utm } from '#contract/links.ts'
import { int8Array, uuidArray } from '../../platform/database/binary-array.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import { asUuid, leastIdAt, timeOfId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { count, countKeptVisits } from '../stats/count.ts'

/** The fields of a blueprint and its account that counting a visit needs. */
export type BlueprintFacts = {
  id: string
  key: string
  accountId: string
  destinationUrl: string
  domain: string
  parameterName: string
  utm: Partial<Utm>
  passthroughQuery: boolean
  /** Enabled and not deleted. */
  live: boolean
  timeZone: string
  accountDisabledAt: string | null
  /** The partner's own link that the key is of, its partner and its sub-ID; null for the blueprint's key. */
  linkId: string | null
  linkPartnerId: string | null
  linkSubId: string | null
  /** Values of the account's own advertising. */
  ownCampaigns: string[]
}

const factsOf = sql`b.account_id, b.parameter_name, b.utm, b.passthrough_query,
  b.enabled and b.archived_at is null as live, a.time_zone, a.disabled_at as account_disabled_at,
  coalesce(a.fraud_rules #> '{paidAds,campaigns}', '[]') as own_campaigns`

/** An own link leads to its page while the blueprint allows that host, else to the blueprint's destination. */
export const blueprintsByKey = (db: Queryable, keys: string[]) => db.many<BlueprintFacts>`
  select b.id, b.key, b.destination_url, b.domain, ${factsOf},
    null::uuid as link_id, null::uuid as link_partner_id, null as link_sub_id
  from link_blueprints b join accounts a on a.id = b.account_id
  where b.key = any(${keys}::text[])
  union all
  select b.id, l.key, case when w.allowed then l.destination_url else b.destination_url end,
    case when w.allowed then l.domain else b.domain end, ${factsOf}, l.id, l.partner_id, l.sub_id
  from partner_links l join link_blueprints b on b.id = l.blueprint_id join accounts a on a.id = b.account_id
    cross join lateral (select l.domain = b.domain or l.domain = any(b.more_domains) as allowed) w
  where l.key = any(${keys}::text[])`

export type CodeOwner = {
  accountId: string
  /** The requested code. */
  given: string
  partnerId: string
  /** The partner's current code. */
  code: string
  /** Neither suspended nor archived. */
  creditable: boolean
}

/** The account's public id, the parameters of its enabled links, and those of old ones. */
export const linkNames = (db: Queryable, accountId: string) => db.one<{
  publicId: string
  parameterNames: string[]
  oldLinkParameters: string[]
}>`
  select a.public_id, a.old_link_parameters, array(
      select distinct b.parameter_name from link_blueprints b
      where b.account_id = ${accountId} and b.enabled and b.archived_at is null order by 1) as parameter_names
  from accounts a where a.id = ${accountId}`

export function ownersOfClickedCodes(db: Queryable, wanted: { accountId: string; code: string }[]) {
  const accountIds = wanted.map(({ accountId }) => accountId)
  const account = eachAccount(accountIds, sql`wanted.account_id`)
  return db.many<CodeOwner>`
    select c.account_id, c.code as given, p.id as partner_id, p.referral_code as code, p.state = 'active' as creditable
    from unnest(${accountIds}::uuid[], ${wanted.map(({ code }) => code)}::text[]) as wanted (account_id, code)
      cross join lateral (
        select * from referral_codes where account_id = ${account} and code = wanted.code offset 0) c
      cross join lateral (
        select * from partners where account_id = ${account} and id = c.partner_id offset 0) p`
}

/** A visit that is counted, or a bot's that is only stored. */
export type NewClick = {
  id: string
  accountId: string
  blueprintId: string | null
  partnerId: string
  /** Date in the account's time zone. */
  day: string
  at: Date
  /** 64 bits; null if the visitor's address is unknown. */
  ipHash: bigint | null
  userAgentClass: string | null
  /** Two letters; null without a trusted proxy's header. */
  country: string | null
  referrerHost: string | null
  landingPath: string | null
  /** The own link of the partner, which its blueprint's figures include. */
  linkId: string | null
  subId: string | null
  /** Names of parameters that show a paid visit; null without one. */
  paidParameters: string[] | null
  isBot: boolean
  source: 'redirect' | 'embed' | 'push'
}

/**
 * Clicks that differ only in id and visitor: their common values are sent and parsed once. `unique`: each may be its
 * visitor's first on this link within an hour, as far as this batch shows.
 */
export type AlikeClicks = { shared: NewClick; unique: boolean; ids: string[]; ipHashes: (bigint | null)[] }

/** Milliseconds in which a visitor counts once. */
export const HOUR_MS = 3_600_000

/**
 * Returns the lowest possible id of a click within an hour of these, allowing another hour of clock skew between
 * processes.
 */
function leastIdBeside(clicks: AlikeClicks[], now: Date) {
  const madeAt = Math.min(...clicks.map(({ ids }) => timeOfId(ids[0]!)))
  const age = Math.max(0, ...clicks.map(({ shared }) => now.getTime() - shared.at.getTime()))
  return leastIdAt(madeAt - age - 2 * HOUR_MS)
}

/** Whether click `n` is its visitor's first on its link within an hour. */
const isFirst = (leastId: Sql, account: Sql) => sql`not exists (
  select from clicks c
  where c.is_unique and c.id > ${leastId} and c.account_id = ${account}
    and (c.ip_hash # uuid_hash_extended(c.partner_id, 0)) = (n.ip_hash # uuid_hash_extended(n.partner_id, 0))
    and c.ip_hash = n.ip_hash and c.partner_id = n.partner_id and c.blueprint_id is not distinct from n.blueprint_id
    and c.at - interval '1 hour' < n.at and c.at + interval '1 hour' > n.at)`

/**
 * Writes and counts clicks in one statement, so in one round trip, in its own transaction or as part of one. Finds the
 * visitor's last hour by the visitor's index: the ends of the hour are compared in a form that no index by time
 * matches, since such an index would read everything of that hour for each click. `leastId` limits the months to
 * search: no click of that hour has a smaller id. A concurrent deletion of a partner waits for this, or this finds the
 * partner deleted: no foreign key checks them row by row. Returns the partners whose clicks were stored. Waits for a
 * lock at most `lockTimeoutMs`, or the connection's default.
 */
export async function insertClicks(db: Queryable, clicks: AlikeClicks[], lockTimeoutMs?: number): Promise<string[]> {
  const of = <K extends keyof NewClick>(key: K) => clicks.map(({ shared }) => shared[key])
  const lockTimeout = lockTimeoutMs === undefined ? null : String(Math.ceil(lockTimeoutMs))
  const accountIds = of('accountId')
  const leastId = leastIdBeside(clicks, db.now)
  const lasts: number[] = []
  for (const { ids } of clicks) lasts.push((lasts.at(-1) ?? 0) + ids.length)
  const { partnerIds } = await db.one<{ partnerIds: string[] }>`
    with asked as materialized (
      -- the planner is not to see the lists, nor the least id: for each it would make a plan of its own, which takes as
      -- long as the rest, and with a year of months longer
      select set_config('lock_timeout', coalesce(${lockTimeout}::text, current_setting('lock_timeout')), true),
        ${leastId}::uuid as least_id, ${[...new Set(of('partnerId'))]}::uuid[] as credited,
        ${uuidArray(clicks.flatMap(({ ids }) => ids))}::uuid[] as id,
        ${int8Array(clicks.flatMap(({ ipHashes }) => ipHashes))}::bigint[] as ip_hash,
        ${lasts}::integer[] as last, ${accountIds}::uuid[] as account_id, ${of('blueprintId')}::uuid[] as blueprint_id,
        ${of('partnerId')}::uuid[] as partner_id, ${of('day')}::date[] as day,
        ${clicks.map(({ shared }) => shared.at.getTime())}::float8[] as ms,
        ${of('userAgentClass')}::text[] as user_agent_class, ${of('country')}::text[] as country,
        ${of('referrerHost')}::text[] as referrer_host, ${of('landingPath')}::text[] as landing_path,
        ${of('linkId')}::uuid[] as link_id, ${of('subId')}::text[] as sub_id,
        ${clicks.map(({ shared }) => shared.paidParameters?.join(' ') ?? null)}::text[] as paid,
        ${of('isBot')}::boolean[] as is_bot, ${of('source')}::text[] as source,
        ${clicks.map(({ unique }) => unique)}::boolean[] as may_be_unique,
        ${clicks.map(({ ids }, index) => lasts[index]! - ids.length + 1)}::integer[] as first
    ), partners_kept as materialized (
      select p.id
      from asked
        cross join lateral (select key from unnest(asked.credited) as given (key) order by key) wanted
        cross join lateral (
          select id from partners
          where id = wanted.key and account_id = ${eachAccount(accountIds, sql`any(asked.account_id)`)}
          offset 0 for key share) p
    ), given as (
      select s.account_id, s.blueprint_id, s.partner_id, s.day, to_timestamp(s.ms / 1000)::timestamptz(3) as at,
        s.user_agent_class, s.country, s.referrer_host, s.landing_path, s.link_id, s.sub_id, s.paid, s.is_bot, s.source,
        s.may_be_unique, unnest(a.id[s.first:s.last]) as id, unnest(a.ip_hash[s.first:s.last]) as ip_hash
      from asked a, unnest(a.first, a.last, a.account_id, a.blueprint_id, a.partner_id, a.day, a.ms, a.user_agent_class,
          a.country, a.referrer_host, a.landing_path, a.link_id, a.sub_id, a.paid, a.is_bot, a.source, a.may_be_unique)
        as s (first, last, account_id, blueprint_id, partner_id, day, ms, user_agent_class, country, referrer_host,
          landing_path, link_id, sub_id, paid, is_bot, source, may_be_unique)
      where s.partner_id in (select id from partners_kept)
    ), kept as (
      insert into clicks (id, account_id, blueprint_id, partner_id, day, at, ip_hash, user_agent_class, country,
        referrer_host, landing_path, link_id, sub_id, paid_parameters, is_bot, source, is_unique)
      select n.id, n.account_id, n.blueprint_id, n.partner_id, n.day, n.at, n.ip_hash, n.user_agent_class, n.country,
        n.referrer_host, n.landing_path, n.link_id, n.sub_id, string_to_array(n.paid, ' '), n.is_bot, n.source, n.may_be_unique and ${isFirst(
          sql`(select least_id from asked)`,
          eachAccount(accountIds, sql`n.account_id`),
        )}
      from given n
      returning account_id, partner_id, blueprint_id, link_id, day, is_bot, is_unique
    ), ${countKeptVisits}
    select array(select id from partners_kept) as partner_ids`
  return partnerIds
}

/**
 * Writes and counts clicks of one account like `insertClicks`, in steps: the parts of one statement would send what they
 * share to every machine of a cluster.
 */
export async function insertClicksInSteps(
  tx: Transaction,
  accountId: string,
  clicks: AlikeClicks[],
): Promise<string[]> {
  const kept = await tx.many<{ id: string }>`
    select id from partners
    where account_id = ${accountId} and id = any(${[...new Set(clicks.map(({ shared }) => shared.partnerId))]}::uuid[])
    order by id for key share`
  const partnerIds = new Set(kept.map(({ id }) => id))
  const each = clicks
    .filter(({ shared }) => partnerIds.has(shared.partnerId))
    .flatMap(({ shared, unique, ids, ipHashes }) =>
      ids.map((id, index) => ({ ...shared, unique, id, ipHash: ipHashes[index]! })),
    )
  if (each.length === 0) return []
  const of = <K extends keyof (typeof each)[0]>(key: K) => each.map((click) => click[key])
  type Written = Pick<NewClick, 'partnerId' | 'blueprintId' | 'linkId' | 'day' | 'isBot'> & { isUnique: boolean }
  const written = await tx.many<Written>`
    insert into clicks (id, account_id, blueprint_id, partner_id, day, at, ip_hash, user_agent_class, country,
      referrer_host, landing_path, link_id, sub_id, paid_parameters, is_bot, source, is_unique)
    select n.id, ${accountId}::uuid, n.blueprint_id, n.partner_id, n.day, n.at, n.ip_hash, n.user_agent_class, n.country,
      n.referrer_host, n.landing_path, n.link_id, n.sub_id, string_to_array(n.paid, ' '), n.is_bot, n.source,
      n.may_be_unique and ${isFirst(sql`${leastIdBeside(clicks, tx.now)}::uuid`, sql`${accountId}::uuid`)}
    from unnest(${of('id')}::uuid[], ${of('blueprintId')}::uuid[], ${of('partnerId')}::uuid[], ${of('day')}::date[],
        ${each.map(({ at }) => at.toISOString())}::timestamptz(3)[], ${int8Array(of('ipHash'))}::bigint[], ${of('userAgentClass')}::text[],
        ${of('country')}::text[], ${of('referrerHost')}::text[], ${of('landingPath')}::text[], ${of('linkId')}::uuid[],
        ${of('subId')}::text[],
        ${each.map(({ paidParameters }) => paidParameters?.join(' ') ?? null)}::text[], ${of('isBot')}::boolean[], ${of('source')}::text[], ${of('unique')}::boolean[])
      as n (id, blueprint_id, partner_id, day, at, ip_hash, user_agent_class, country, referrer_host, landing_path,
        link_id, sub_id, paid, is_bot, source, may_be_unique)
    returning partner_id, blueprint_id, link_id, day, is_bot, is_unique`
  await count(
    tx,
    written
      .filter(({ isBot }) => !isBot)
      .map(({ isUnique, ...click }) => ({ ...click, accountId, clicks: 1, uniqueClicks: isUnique ? 1 : 0 })),
  )
  return [...partnerIds]
}

export type ClickFacts = {
  id: string
  partnerId: string
  blueprintId: string | null
  linkId: string | null
  subId: string | null
  /** Time of the visit. */
  at: string
  country: string | null
  model: 'last-touch' | 'first-touch'
  /** Whether the requested time lies inside the attribution window. */
  withinWindow: boolean
  /** The partner was erased, or their balance voided: they earn nothing more. */
  gone: boolean
}

/**
 * A click without a blueprint has the account's longest window, also of a blueprint disabled or deleted since; 90 days if
 * it has none. The payment after it may have a slightly earlier time: clocks differ, and some senders cut seconds.
 */
export const clickFacts = (from: Sql, at: Sql, account = sql`c.account_id`) => sql`
  select c.id, c.partner_id, c.blueprint_id, c.link_id, c.sub_id, c.at, c.country,
    coalesce(b.attribution_model, a.attribution_model) as model,
    c.at - interval '5 minutes' <= ${at} and c.at + make_interval(days => coalesce(b.cookie_days, (
      select max(o.cookie_days) from link_blueprints o
      where o.account_id = a.id and ((o.enabled and o.archived_at is null) or (o.created_at < c.at and o.updated_at > c.at))
    ), 90)) > ${at} as within_window, p.void_reason is not null or p.erased_at is not null as gone
  from ${from} c
    join accounts a on a.id = c.account_id
    join partners p on p.account_id = ${account} and p.id = c.partner_id
    left join link_blueprints b on b.id = c.blueprint_id`

export const clickById = (db: Queryable, accountId: string, clickId: string, at: Date | string) => db.maybe<ClickFacts>`
  ${clickFacts(
    sql`(select * from clicks where account_id = ${accountId} and id = ${asUuid(clickId)} and not is_bot)`,
    sql`${at}::timestamptz`,
  )}`

export const clicksByIds = (db: Queryable, accountId: string, ids: string[], at: Date) => db.many<ClickFacts>`
  ${clickFacts(
    sql`unnest(${ids.map(asUuid)}::uuid[]) as given (id) cross join lateral (
      select * from clicks where account_id = ${accountId} and id = given.id and not is_bot offset 0)`,
    sql`${at}::timestamptz`,
    sql`${accountId}`,
  )}`

export type BoundBlueprint = { id: string; destinationUrl: string; parameterName: string }

export const liveBlueprintsOn = (db: Queryable, accountId: string, domain: string) => db.many<BoundBlueprint>`
  select id, destination_url, parameter_name from link_blueprints
  where account_id = ${accountId} and (domain = ${domain} or ${domain} = any(more_domains)) and enabled
    and archived_at is null
  order by created_at, id`

/**
 * The tables of clicks outside the monthly partitions: those older than the monthly tables, and those whose ids contain
 * no time.
 */
export const tablesOutsideMonths = (db: Queryable) => db.many<{ name: string }>`
  select relid::text as name from pg_partition_tree('clicks')
  where relid in (to_regclass('clicks_first'), to_regclass('clicks_other'))`

/** Deletes at most `limit` clicks older than `before` from one of their tables; returns how many. */
export const deleteClicksBefore = (db: Queryable, table: string, before: Date, limit: number) => db.run`
  delete from ${rawSql(table)} where id = any(array(select id from ${rawSql(table)} where at < ${before} limit ${limit}))`
