import type { Transaction } from '../../platform/database/pool.ts'
import { rawSql, sql } from '../../platform/database/sql.ts'

/**
 * Empties the account's events about erased people, by their ids: an archive may come from a release that did not know
 * all personal keys.
 */
export async function emptyEventsOfErased(tx: Transaction, accountId: string): Promise<void> {
  if (!(await tx.maybe`select from erasures where account_id = ${accountId} limit 1`)) return
  for (const table of ['events', 'passing_events'])
    for (const [person, named] of [
      ['lead', sql`e.subject_id::text, e.data #>> '{object,leadId}', e.data #>> '{object,saleId}'`],
      ['partner', sql`e.subject_id::text, e.data #>> '{object,partnerId}'`],
    ] as const)
      await tx.run`
        with theirs as materialized (
          select e.id, e.data
          from ${rawSql(table)} e cross join lateral unnest(array[${named}]) as named (id)
            join erased_objects x on x.account_id = ${accountId} and x.id::text = named.id
          where e.account_id = ${accountId} and x.person = ${person})
        update ${rawSql(table)} t set data = emptied(t.data, ${person})
        from theirs e
        where t.account_id = ${accountId} and t.id = e.id and e.data is distinct from emptied(e.data, ${person})`
}
