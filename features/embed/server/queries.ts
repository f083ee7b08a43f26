import { asUuid, newId } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { type AccountFacts, accountFacts } from '#server/program/access/account-facts.ts'
import { type Names, toParameterNames } from '#server/program/clicks/read-referral.ts'
import type { EmbedCheck, EmbedConfig, FormsMode } from '../contract.ts'

export type EmbedCodeRow = {
  id: string
  config: EmbedConfig
  domains: string[]
  /** Domains of payment links. */
  checkoutDomains: string[]
  onlyIfReferred: boolean
  consentMode: 'off' | 'required' | 'cookieless'
  /** Null for a code that was last saved before there was a choice: sign-ups. */
  forms: FormsMode | null
  path: string | null
  /** Earlier paths, by which pages may still load the script. */
  formerPaths: string[]
  lastLeadAt: string | null
  refusedLeads: number
  lastRefusedOrigin: string | null
  createdAt: string
  updatedAt: string
  publicId: string
}

export const findEmbedCode = (db: Queryable, accountId: string) => db.maybe<EmbedCodeRow>`
  select e.*, a.public_id from embed_codes e join accounts a on a.id = e.account_id where e.account_id = ${accountId}`

/** Locks the account until the transaction ends, so that its embed code is created once. */
export const lockEmbedCode = (tx: Transaction, accountId: string) => tx.one`
  select id from accounts where id = ${accountId} for no key update`

export type SavedEmbedCode = Pick<
  EmbedCodeRow,
  'config' | 'domains' | 'checkoutDomains' | 'onlyIfReferred' | 'consentMode' | 'forms' | 'path' | 'formerPaths'
>

export const saveEmbedCodeRow = (tx: Transaction, accountId: string, code: SavedEmbedCode) => tx.run`
  insert into embed_codes (id, account_id, config, domains, checkout_domains, only_if_referred, consent_mode, forms, path,
    former_paths, created_at, updated_at)
  values (${newId()}, ${accountId}, ${JSON.stringify(code.config)}::jsonb, ${code.domains}::text[],
    ${code.checkoutDomains}::text[], ${code.onlyIfReferred}, ${code.consentMode}, ${code.forms}, ${code.path}, ${code.formerPaths}::text[],
    ${tx.now}, ${tx.now})
  on conflict (account_id) do update set config = excluded.config, domains = excluded.domains,
    checkout_domains = excluded.checkout_domains,
    only_if_referred = excluded.only_if_referred, consent_mode = excluded.consent_mode, forms = excluded.forms,
    path = excluded.path,
    former_paths = excluded.former_paths, updated_at = excluded.updated_at`

/** Everything about an account that the script on its pages and its receiving calls need. */
export type EmbedFacts = Pick<
  EmbedCodeRow,
  'config' | 'domains' | 'checkoutDomains' | 'onlyIfReferred' | 'consentMode'
> & {
  account: AccountFacts
  publicId: string
  forms: FormsMode
  parameters: Names
  /** That of all enabled blueprints, else the account's. */
  attributionModel: AccountFacts['attributionModel']
  /**
   * The longest attribution window of the enabled blueprints, and of those disabled or deleted while it lasts, in days;
   * null without any.
   */
  cookieDays: number | null
}

/** Matches current and former paths alike: none leads to another account while pages load the script by it. */
const hasPath = (path: string) => sql`(e.path = ${path} or e.former_paths @> array[${path}]::text[])`

/** Finds the account that has, or had, a path; it stays unique. */
export const holderOfPath = (db: Queryable, path: string) => db.maybe<{ accountId: string }>`
  select e.account_id from embed_codes e where ${hasPath(path)}`

/** An account's public id, or the path it chose; inside the product its id. */
export type EmbedName = { publicId: string } | { path: string }

/** Enabled and not deleted. */
const live = sql`(enabled and archived_at is null)`

/** Undefined for an unknown account, or one that has no embed code. */
export async function embeddedBy(
  db: Queryable,
  name: EmbedName | { accountId: string },
): Promise<EmbedFacts | undefined> {
  type Own = { parameterNames: string[]; models: AccountFacts['attributionModel'][] }
  const row = await db.maybe<AccountFacts & Omit<EmbedFacts, 'account' | 'parameters'> & Own>`
    select ${accountFacts}, a.public_id, e.config, e.domains, e.checkout_domains, e.only_if_referred, e.consent_mode,
      coalesce(e.forms, 'sign-ups') as forms,
      coalesce(b.parameter_names, '{}') as parameter_names, coalesce(b.models, '{}') as models, b.cookie_days
    from accounts a
      join embed_codes e on e.account_id = a.id
      left join lateral (
        select array_agg(distinct parameter_name) filter (where ${live}) as parameter_names,
          array_agg(distinct coalesce(attribution_model, a.attribution_model)) filter (where ${live}) as models,
          -- of one disabled since it was created, clicks may still count
          max(cookie_days) filter (where ${live} or (updated_at > created_at
            and updated_at + make_interval(days => cookie_days) > ${db.now})) as cookie_days
        from link_blueprints where account_id = a.id) b on true
    where ${isNamed(name)}`
  if (!row) return undefined
  const {
    config,
    domains,
    checkoutDomains,
    onlyIfReferred,
    consentMode,
    forms,
    publicId,
    parameterNames,
    models,
    cookieDays,
    ...account
  } = row
  const [model, other] = models
  return {
    config,
    domains,
    checkoutDomains,
    onlyIfReferred,
    consentMode,
    forms,
    publicId,
    parameters: toParameterNames(parameterNames, account.oldLinkParameters),
    attributionModel: model && !other ? model : account.attributionModel,
    cookieDays,
    account,
  }
}

function isNamed(name: EmbedName | { accountId: string }) {
  if ('path' in name) return hasPath(name.path)
  return 'accountId' in name ? sql`a.id = ${name.accountId}` : sql`a.public_id = ${name.publicId}`
}

export const countRefusedLead = (db: Queryable, accountId: string, origin: string | null) => db.run`
  update embed_codes set refused_leads = refused_leads + 1, last_refused_origin = ${origin} where account_id = ${accountId}`

/** Records a lead to the minute, so that concurrent leads do not wait for each other here. */
export const noteLead = (tx: Transaction, accountId: string) => tx.run`
  update embed_codes set last_lead_at = ${tx.now}
  where account_id = ${accountId} and (last_lead_at is null or last_lead_at < ${tx.now}::timestamptz - interval '1 minute')`

/** Inserts a check, and deletes the account's checks of former days. */
export const insertCheck = (
  tx: Transaction,
  check: { id: string; accountId: string; tokenHash: Buffer; expiresAt: Date },
) => tx.run`
  with old as (
    delete from embed_checks
    where account_id = ${check.accountId} and created_at < ${tx.now}::timestamptz - interval '1 day'
  )
  insert into embed_checks (id, account_id, token_hash, expires_at, created_at)
  values (${check.id}, ${check.accountId}, ${check.tokenHash}, ${check.expiresAt}, ${tx.now})`

export const checkById = (db: Queryable, accountId: string, id: string) => db.maybe<EmbedCheck>`
  select matched, forms, picked from embed_checks where account_id = ${accountId} and id = ${asUuid(id)}`

/** Stores the first report of a check that has not expired. */
export const reportCheck = (db: Queryable, accountId: string, tokenHash: Buffer, found: EmbedCheck) => db.run`
  update embed_checks
  set matched = ${JSON.stringify(found.matched)}::jsonb, forms = ${JSON.stringify(found.forms)}::jsonb,
    picked = ${JSON.stringify(found.picked)}::jsonb
  where account_id = ${accountId} and token_hash = ${tokenHash} and matched is null and expires_at > ${db.now}`
