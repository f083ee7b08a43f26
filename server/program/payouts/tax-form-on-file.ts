import { W8_YEARS } from '#contract/tax-rules.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/** Whether a form of this kind and day has expired for payments made in that year. */
const hasExpired = (kind: Sql, receivedOn: Sql, year: number) =>
  sql`(${kind} <> 'w-9' and left(${receivedOn}::text, 4)::integer + ${W8_YEARS}::integer < ${year}::integer)`

/** Whether the form recorded for partner `n` has expired for payments made in that year; null without a form. */
const recordHasExpired = (n: Sql, year: number) =>
  hasExpired(sql`(${n}.tax_form->>'kind')`, sql`(${n}.tax_form->>'receivedOn')`, year)

/**
 * Whether a form of partner `n` of this account counts for payments made in that year. The record of an erased partner
 * is empty, but not the sealed form behind it while it reports what they were paid.
 */
export const formCounts = (accountId: string, n: Sql, year: number) => sql`(case when ${n}.erased_at is null
  then coalesce(not ${recordHasExpired(n, year)}, false)
  else exists (select from tax_forms f
    where f.account_id = ${accountId} and f.partner_id = ${n}.id and f.replaced_at is null
      and f.form_sealed is not null and not ${hasExpired(sql`f.kind`, sql`f.received_on`, year)}) end)`
