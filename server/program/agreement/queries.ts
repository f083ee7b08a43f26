import type { Language } from '#contract/language.ts'
import type { Acceptance } from '#contract/partners.ts'
import type { Translations } from '#contract/pick-text.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { personNameSql } from '../partner-directory/partner-names.ts'

/** A published version; the author's name is null for a user of another install. */
export type VersionRow = {
  version: number
  language: Language
  translations: Translations<{ textHash: string; changes: string | null }>
  textHash: string
  changes: string | null
  requiredFrom: string | null
  publishedAt: string
  publishedBy: string | null
}
export type AgreementRow = VersionRow & {
  text: string
  translations: Translations<{ text: string; textHash: string; changes: string | null }>
}

/** The languages of a version, that of its original first. */
export const versionLanguages = ({ language, translations }: VersionRow): Language[] => [
  language,
  ...Object.keys(translations).toSorted(),
]

/** The texts of a version `v` in further languages. */
const translatedColumns = (text: Sql) => sql`(
  select coalesce(jsonb_object_agg(t.language, jsonb_build_object('textHash', t.text_sha256, 'changes', t.changes${text})), '{}')
  from agreement_translations t where t.account_id = v.account_id and t.version = v.version) as translations`

const versionColumns = sql`v.version, v.language, v.text_sha256 as text_hash, v.changes, v.required_from, v.published_at,
  (select ${personNameSql(sql`u`)} from users u where u.id = v.published_by) as published_by`

/** The number of the account's newest version in SQL; null without an agreement. */
export const newestVersion = (accountId: string): Sql =>
  sql`(select max(version) from agreement_versions where account_id = ${accountId})`

export const listVersions = (db: Queryable, accountId: string) => db.many<VersionRow>`
  select ${versionColumns}, ${translatedColumns(sql``)} from agreement_versions v
  where v.account_id = ${accountId} order by v.version desc`

const wholeColumns = sql`${versionColumns}, v.text, ${translatedColumns(sql`, 'text', t.text`)}`

export const findNewest = (db: Queryable, accountId: string) => db.maybe<AgreementRow>`
  select ${wholeColumns} from agreement_versions v
  where v.account_id = ${accountId} order by v.version desc limit 1`

export const findVersion = (db: Queryable, accountId: string, version: number) => db.maybe<AgreementRow>`
  select ${wholeColumns} from agreement_versions v
  where v.account_id = ${accountId} and v.version = ${version}`

export const insertVersion = (
  tx: Transaction,
  accountId: string,
  row: Pick<AgreementRow, 'version' | 'language' | 'text' | 'changes' | 'requiredFrom'> & {
    publishedBy: string | null
  },
) => tx.run`
  insert into agreement_versions (account_id, version, language, text, text_sha256, changes, required_from, published_at, published_by)
  values (${accountId}, ${row.version}, ${row.language}, ${row.text},
    encode(sha256(convert_to(${row.text}, 'UTF8')), 'hex'), ${row.changes}, ${row.requiredFrom}::date, ${tx.now},
    ${row.publishedBy})`

/** Inserts a version's text in another language; returns whether there was none. */
export const insertTranslation = async (
  tx: Transaction,
  accountId: string,
  row: Pick<AgreementRow, 'version' | 'language' | 'text' | 'changes'> & { publishedBy: string | null },
) =>
  (await tx.run`
    insert into agreement_translations (account_id, version, language, text, text_sha256, changes, published_at, published_by)
    values (${accountId}, ${row.version}, ${row.language}, ${row.text},
      encode(sha256(convert_to(${row.text}, 'UTF8')), 'hex'), ${row.changes}, ${tx.now}, ${row.publishedBy})
    on conflict do nothing`) > 0

export const setRequiredFrom = (tx: Transaction, accountId: string, version: number, day: string | null) => tx.run`
  update agreement_versions set required_from = ${day}::date where account_id = ${accountId} and version = ${version}`

const acceptanceColumns = sql`c.partner_id, c.version, c.language, c.text_sha256 as text_hash, c.at, c.through, c.user_id, c.name, c.email, c.network`

export const listAcceptanceRows = (db: Queryable, accountId: string, partnerId: string) => db.many<Acceptance>`
  select ${acceptanceColumns} from agreement_acceptances c
  where c.account_id = ${accountId} and c.partner_id = ${partnerId} order by c.version desc`

export const findAcceptance = (db: Queryable, accountId: string, partnerId: string, version: number) =>
  db.maybe<Acceptance>`
    select ${acceptanceColumns} from agreement_acceptances c
    where c.account_id = ${accountId} and c.partner_id = ${partnerId} and c.version = ${version}`

/** Inserts an acceptance unless there is one; returns whether it did. */
export const insertAcceptance = async (
  tx: Transaction,
  accountId: string,
  { partnerId, version, language, at, through, userId, name, email, network }: Omit<Acceptance, 'textHash'>,
) =>
  (await tx.run`
    insert into agreement_acceptances (account_id, partner_id, version, language, text_sha256, through, user_id, name, email, network, at)
    select ${accountId}::uuid, ${partnerId}::uuid, v.version, v.language, v.text_sha256, ${through}::text, ${userId}::uuid, ${name}::text,
      ${email}::text, ${network}::text, ${at}::timestamptz
    from (
      select version, language, text_sha256 from agreement_versions where account_id = ${accountId}
      union all
      select version, language, text_sha256 from agreement_translations where account_id = ${accountId}) v
    where v.version = ${version} and v.language = ${language}
    on conflict do nothing`) > 0

/** Whether a partner accepted this version or a newer one. */
export const hasAccepted = (accountId: string, partnerId: Sql, version: Sql) => sql`exists (
  select from agreement_acceptances c
  where c.account_id = ${accountId} and c.partner_id = ${partnerId} and c.version >= ${version})`

/** Partners who accepted each version, and those who accepted neither it nor a newer one and are not archived. */
export const countAcceptances = (db: Queryable, accountId: string) => db.many<{
  version: number
  accepted: number
  waiting: number
}>`
  with last_accepted as (
    select coalesce(c.version, 0) as version, count(*) as partners
    from partners p left join lateral (
      select max(version) as version from agreement_acceptances
      where account_id = ${accountId} and partner_id = p.id) c on true
    where p.account_id = ${accountId} and p.state <> 'archived'
    group by 1)
  select v.version,
    (select count(*) from agreement_acceptances c where c.account_id = ${accountId} and c.version = v.version) as accepted,
    (select coalesce(sum(l.partners), 0)::bigint from last_accepted l where l.version < v.version) as waiting
  from agreement_versions v where v.account_id = ${accountId}`
