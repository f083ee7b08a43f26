import { isExpired } from '#contract/tax-rules.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '#server/platform/database/pool.ts'
import type { Secrets } from '#server/platform/database/secrets.ts'
import { joinSql, type Sql, sql } from '#server/platform/database/sql.ts'
import { listPage, searchFilter, valueFilter } from '#server/platform/http/list.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { partnerNameSql, partnerSearch } from '#server/program/partner-directory/partner-names.ts'
import { paidIn, paidInYear } from '#server/program/payouts/paid-in-year.ts'
import { partnerBalances } from '#server/program/payouts/partner-balances.ts'
import { recordedNames } from '#server/program/payouts/payees.ts'
import { getPayoutTerms } from '#server/program/payouts/payout-terms.ts'
import { formCounts } from '#server/program/payouts/tax-form-on-file.ts'
import type { TaxYearPartner, TaxYearTerms, TaxYearTotals } from '../contract.ts'
import { termsOfYear } from './threshold.ts'

type Query = ListQuery & {
  overThreshold?: boolean | undefined
  approved?: boolean | undefined
  paid?: boolean | undefined
  taxForm?: string[] | undefined
  toApprove?: boolean | undefined
}

type Row = Omit<TaxYearPartner, 'taxForm' | 'currency'> & {
  form: Pick<NonNullable<TaxYearPartner['taxForm']>, 'kind' | 'receivedOn'> | null
}

/** Returns a page of each partner's payments in the year, with the totals of all pages and the year's threshold. */
export async function listTaxYear(
  { db, secrets }: { db: Queryable; secrets: Secrets },
  account: AccountFacts,
  year: number,
  query: Query,
) {
  const terms = await termsOfYear(db, account, year)
  const approved = sql`${year}::integer = any(t.approved_payout_years)`
  const paid = sql`coalesce(p.paid, 0)`
  const reportable = sql`coalesce(p.reportable, 0)`
  // a partner without payments is never over a threshold
  const over = terms.threshold === null ? sql`null::boolean` : sql`(${reportable} >= ${terms.threshold}::bigint)`
  const formState = sql`case when ${formCounts(account.id, sql`t`, year)} then 'on-file'
    when t.tax_form is null then 'missing' else 'expired' end`
  const is = (condition: Sql, wanted: boolean | undefined) =>
    wanted === undefined ? undefined : sql`coalesce(${condition}, false) = ${wanted}`
  const from = sql`partners t left join ${paidInYear(account, year)} p on p.partner_id = t.id`
  const conditions = [
    sql`t.account_id = ${account.id}`,
    is(over, query.overThreshold),
    is(approved, query.approved),
    is(sql`${paid} > 0`, query.paid),
    valueFilter(formState, query.taxForm),
    query.toApprove && (await isToApprove(db, account, year)),
    searchFilter(partnerSearch, account.id, query.search),
  ]
  const scope = joinSql(
    conditions.filter((condition) => condition !== undefined && condition !== false),
    ' and ',
  )
  const totals = query.uncounted
    ? nothing
    : await db.one<TaxYearTotals>`
        select count(*) as partners, coalesce(sum(p.paid), 0)::bigint as paid,
          coalesce(sum(p.reportable), 0)::bigint as reportable,
          coalesce(sum(p.rewards), 0)::bigint as rewards, coalesce(sum(p.payouts), 0)::bigint as payouts, count(*) filter (where ${approved}) as approved,
          count(*) filter (where ${over}) as over_threshold,
          count(*) filter (where ${over} and ${formState} <> 'on-file') as forms_missing
        from ${from} where ${scope}`
  const name = partnerNameSql(sql`t`)
  const { items, ...rest } = await listPage<Row>(db, query, {
    columns: sql`t.id as partner_id, ${name} as partner_name, t.email, ${paid}::bigint as paid,
      ${reportable}::bigint as reportable, coalesce(p.rewards, 0)::bigint as rewards, coalesce(p.tax_paid, 0)::bigint as tax_paid, coalesce(p.payouts, 0) as payouts, p.method, ${approved} as approved, t.tax_form as form,
      ${over} as over_threshold`,
    from,
    scope,
    filters: [],
    sorts: {
      paid: { by: sql`${paid}::bigint`, type: 'bigint' },
      name: { by: sql`lower(${name})`, type: 'text' },
    },
    total: async () => totals.partners,
  })
  const payees = items.flatMap(({ paid, partnerId }) => (paid > 0 ? [partnerId] : []))
  const names = await namesOfErased(db, secrets, account.id, year, payees)
  const named = items.map((row) => ({ ...row, partnerName: names.get(row.partnerId) ?? row.partnerName }))
  return { ...rest, ...terms, items: named.map((row) => present(row, terms)), totals }
}

/** Returns the names that those of these partners who are erased were last paid by in the year. */
export async function namesOfErased(db: Queryable, secrets: Secrets, accountId: string, year: number, ids: string[]) {
  const records = await recordedNames(
    db,
    secrets,
    accountId,
    sql`o.partner_id = any(${ids}::uuid[]) and ${paidIn(year)}`,
  )
  return new Map(records.map(({ partnerId, name }) => [partnerId, name]))
}

const present = ({ form, ...row }: Row, { currency, year }: TaxYearTerms): TaxYearPartner => ({
  ...row,
  currency,
  taxForm: form && { kind: form.kind, receivedOn: form.receivedOn, expired: isExpired(form, year) },
})

/** Totals for a reader who does not need them. */
const nothing: TaxYearTotals = {
  partners: 0,
  paid: 0,
  reportable: 0,
  rewards: 0,
  payouts: 0,
  approved: 0,
  overThreshold: 0,
  formsMissing: 0,
}

/** Whether partners `t` are not approved for the year, but for the one before, or still have an unpaid balance. */
async function isToApprove(db: Queryable, account: AccountFacts, year: number): Promise<Sql> {
  const balances = partnerBalances(await getPayoutTerms(db, account), db.now, 'all')
  return sql`(not ${year}::integer = any(t.approved_payout_years) and t.state <> 'suspended'
    and (t.state = 'active' and ${year - 1}::integer = any(t.approved_payout_years)
      or t.id in (select b.partner_id from ${balances} b where b.held + b.due + b.on_hold + b.in_payout > 0)))`
}

/** Returns the ids of all partners in the list with `toApprove`. */
export async function idsToApprove(db: Queryable, account: AccountFacts, year: number): Promise<string[]> {
  const rows = await db.many<{ id: string }>`
    select t.id from partners t where t.account_id = ${account.id} and ${await isToApprove(db, account, year)}`
  return rows.map(({ id }) => id)
}
