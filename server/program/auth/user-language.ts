import { isEnglish, type Language } from '#contract/language.ts'
import { eachAccount, rowsByKeySql } from '../../platform/database/by-key.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
import { findLanguage } from '../../platform/languages.ts'

/**
 * The language in which the user named `u` gets mails: the one of their profile, else the first of `others`. 'Same as
 * browser' says nothing here, since no browser asks.
 */
export const languageOfSql = (u: Sql, ...others: Sql[]) =>
  sql`coalesce(${joinSql([chosenLanguageSql(u), ...others, sql`'en'`], ', ')})`

export const chosenLanguageSql = (u: Sql) => sql`nullif(${u}.preferences ->> 'language', 'browser')`

/**
 * Returns the language in which a user gets mails about their login: the chosen one, else that of the partner whose people
 * they joined first, the partner's own or its account's.
 */
export async function languageForLogin(db: Queryable, userId: string, chosen: Language | null): Promise<Language> {
  if (chosen) return chosen
  const row = await db.maybe<{ language: Language }>`
    select coalesce(n.language, a.language) as language
    from user_roles r join partners n on n.account_id = r.account_id and n.id = r.partner_id join accounts a on a.id = n.account_id
    where r.user_id = ${userId} order by r.created_at, n.id limit 1`
  return row?.language ?? 'en'
}

/**
 * Stores the language of the screens for a partner's person who has chosen none. English needs no choice where mails are
 * English without one.
 */
export async function storeShownLanguage(tx: Transaction, userId: string, shown: Language | null): Promise<void> {
  const language = shown && (isEnglish(shown) ? 'en' : findLanguage(shown, 'partner'))
  if (!language || (language === 'en' && !(await hasOtherMails(tx, userId)))) return
  await tx.run`
    update users set preferences = jsonb_set(preferences, '{language}', to_jsonb(${language}::text))
    where id = ${userId} and preferences -> 'language' is null
      and exists (select from user_roles r where r.user_id = ${userId} and r.partner_id is not null)`
}

/** Whether a partner of this person, or its account, has another language than English. */
async function hasOtherMails(tx: Transaction, userId: string): Promise<boolean> {
  const roles = await tx.many<{ accountId: string; partnerId: string }>`
    select account_id, partner_id from user_roles where user_id = ${userId} and partner_id is not null`
  if (roles.length === 0) return false
  const accountIds = roles.map(({ accountId }) => accountId)
  const partnerIds = roles.map(({ partnerId }) => partnerId)
  return tx.value<boolean>`
    select exists (
      select from ${rowsByKeySql(sql`partners`, accountIds, partnerIds)}
        join accounts a on a.id = ${eachAccount(accountIds, sql`t.account_id`)}
      where coalesce(t.language, a.language) <> 'en')`
}
