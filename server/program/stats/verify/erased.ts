import { emptiedOf } from '../../../platform/database/columns.ts'
import { raw, type Sql, sql } from '../../../platform/database/sql.ts'
import type { Checks } from './checks.ts'

/** Rows `t` that belong to an erased lead by an id; copies without one are the erasure's own check. */
const ofErasedLead: Record<string, Sql> = {
  leads: sql`t.erased_at is not null`,
  lead_submissions: erased(sql`t.lead_id`),
  sales: erased(sql`coalesce(t.lead_id, t.test_lead_id)`),
  claims: sql`(${erased(sql`t.lead_id`)} or ${ofErasedSale()})`,
  refunds: ofErasedSale(),
  sale_corrections: ofErasedSale(),
}

// in a cluster, invitations and partners are on different machines
const theirs = sql`t.partner_id in (select id from partners where erased_at is not null)`
/** Rows `t` that belong to an erased partner by an id. */
const ofErasedPartner: Record<string, Sql> = {
  partners: sql`t.erased_at is not null`,
  applications: theirs,
  claims: theirs,
  agreement_acceptances: theirs,
  invoice_details: theirs,
  invitations: theirs,
}

function erased(leadId: Sql) {
  return sql`exists (select from leads l
    where l.account_id = t.account_id and l.id = ${leadId} and l.erased_at is not null)`
}

function ofErasedSale() {
  return sql`exists (select from sales s join leads l on l.account_id = s.account_id and l.id = s.lead_id
    where s.account_id = t.account_id and s.id = t.sale_id and l.erased_at is not null)`
}

/** A row of a table that still contains data of an erased person. */
const left =
  (person: 'lead' | 'partner') =>
  ([table, which]: [string, Sql]) => {
    const columns = emptiedOf(table, person)
    const names = columns.map(
      ([column, becomes]) => `case when t.${column} is distinct from ${becomes} then '${column}' end`,
    )
    return sql`
    select ${raw(`'${table} '`)} || ${raw(['agreement_acceptances', 'invoice_details'].includes(table) ? 't.partner_id' : 't.id')} as subject, 'nothing of an erased person' as expected,
      ${raw(`concat_ws(' ', ${names.join(', ')})`)} as actual
    from ${raw(table)} t
    where ${which} and (${raw(columns.map(([column, becomes]) => `t.${column} is distinct from ${becomes}`).join(' or '))})
      and t.account_id not in (select account_id from erasures where not done)`
  }

export const erasedChecks: Checks = {
  'every personal column of an erased person is empty': [
    ...Object.entries(ofErasedLead).map(left('lead')),
    ...Object.entries(ofErasedPartner).map(left('partner')),
  ].reduce((all, one) => sql`${all} union all ${one}`),
}
