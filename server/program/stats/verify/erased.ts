import { listEmptied } from '../../../platform/database/declare-tables.ts'
import { isFullSql } from '../../../platform/database/erased-rows.ts'
import { rawSql, type Sql, sql } from '../../../platform/database/sql.ts'
import type { Checks } from './checks.ts'

type Person = 'lead' | 'partner'

const isOf = (person: Person, id: string) => sql`exists (select from erased_objects x
  where x.person = ${rawSql(`'${person}'`)} and x.account_id = t.account_id and x.id = ${rawSql(id)})`
const ofSaleOrLead = isOf('lead', 'coalesce(t.sale_id, t.lead_id)')
const ofPartner = isOf('partner', 't.partner_id')

/** Rows `t` that belong to an erased person by an id; copies without one are the erasure's own check. */
export const erasedRows: Record<Person, Record<string, Sql>> = {
  lead: {
    leads: sql`t.erased_at is not null`,
    lead_submissions: isOf('lead', 't.lead_id'),
    sales: isOf('lead', 't.id'),
    claims: ofSaleOrLead,
    refunds: isOf('lead', 't.sale_id'),
    sale_corrections: isOf('lead', 't.sale_id'),
    commission_entries: ofSaleOrLead,
    fraud_cases: ofSaleOrLead,
    clicks: sql`exists (select from leads l where l.account_id = t.account_id and l.click_id = t.id and l.erased_at is not null)`,
  },
  partner: {
    partners: sql`t.erased_at is not null`,
    applications: ofPartner,
    claims: ofPartner,
    agreement_acceptances: ofPartner,
    invoice_details: ofPartner,
    // in a cluster, invitations and partners are on different machines
    invitations: sql`t.partner_id in (select id from partners where erased_at is not null)`,
    partner_links: ofPartner,
    made_codes: ofPartner,
    terms_log: sql`(t.subject = 'partner' and ${isOf('partner', 't.subject_id')})`,
    payout_settings: ofPartner,
    payouts: ofPartner,
    payout_attempts: isOf('partner', 't.payout_id'),
    tax_forms: ofPartner,
    commission_entries: sql`(${ofPartner} and t.sale_id is null and t.lead_id is null)`,
    fraud_cases: ofPartner,
  },
}

/** Tables whose rows have no id of their own. */
const NAMED_BY: Record<string, string> = {
  agreement_acceptances: 'partner_id',
  invoice_details: 'partner_id',
  payout_settings: 'partner_id',
  terms_log: 'subject_id',
}

/** Events of an erased person: about them, or with an object that names them by an id. */
const eventsOf = (table: string, person: Person, named: string[]) => sql`(
  select distinct t.id, t.account_id, t.data
  from ${rawSql(table)} t cross join lateral unnest(array[${rawSql(['t.subject_id::text', ...named].join(', '))}]) as of (id)
    join erased_objects x on x.account_id = t.account_id and x.id::text = of.id
  where x.person = ${rawSql(`'${person}'`)}
  -- before the data of other events is read
  offset 0)`

/** A row of a table that still contains data of an erased person. */
function left(person: Person, table: string, { rows = rawSql(table), which = sql`true` }: { rows?: Sql; which?: Sql }) {
  const names = listEmptied(table, person).map(
    ([column, becomes]) => `case when t.${column} is distinct from ${becomes} then '${column}' end`,
  )
  return sql`
    select ${rawSql(`'${table} ' || t.${NAMED_BY[table] ?? 'id'}`)} as subject, 'nothing of an erased person' as expected,
      ${rawSql(`concat_ws(' ', ${names.join(', ')})`)} as actual
    from ${rows} t
    where ${which} and ${isFullSql(table, person)}
      and t.account_id not in (select account_id from erasures where not done)`
}

export const buildErasedChecks = (): Checks => ({
  'every personal column of an erased person is empty': [
    ...(['lead', 'partner'] as const).flatMap((person) =>
      Object.entries(erasedRows[person]).map(([table, which]) => left(person, table, { which })),
    ),
    left('lead', 'events', { rows: eventsOf('events', 'lead', []) }),
    left('partner', 'events', { rows: eventsOf('events', 'partner', []) }),
    left('lead', 'passing_events', {
      rows: eventsOf('passing_events', 'lead', ["t.data #>> '{object,leadId}'", "t.data #>> '{object,saleId}'"]),
    }),
    left('partner', 'passing_events', { rows: eventsOf('passing_events', 'partner', []) }),
  ].reduce((all, one) => sql`${all} union all ${one}`),
})
