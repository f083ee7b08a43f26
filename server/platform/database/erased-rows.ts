import { listEmptied, type PersonKind } from './declare-tables.ts'
import { rawSql, sql } from './sql.ts'

/** The condition that a column has one of these ids. */
export const hasId = (column: string, ids: string[]) => sql`${rawSql(column)} = any(${ids}::uuid[])`

/** The condition that this id of a row `t` is of an erased person. */
export const isErasedSql = (person: PersonKind, id: string) => sql`exists (select from erased_objects x
  where x.person = ${rawSql(`'${person}'`)} and x.account_id = t.account_id and x.id = ${rawSql(id)})`

/** The texts of several columns as one; a cluster updates by immutable functions alone, which `concat_ws` is not. */
export const joinTexts = (...texts: string[]) => texts.map((text) => `coalesce(${text}, '')`).join(` || ' ' || `)

/** The assignments that empty a row `t` of a person. */
export const emptyingSql = (table: string, person: PersonKind) =>
  rawSql(
    listEmptied(table, person)
      .map(([column, becomes]) => `"${column}" = ${becomes}`)
      .join(', '),
  )

/** The condition that a row `t` still has something of a person. */
export const isFullSql = (table: string, person: PersonKind) => {
  const columns = listEmptied(table, person).map(([column, becomes]) => `t."${column}" is distinct from ${becomes}`)
  return rawSql(`(${columns.join(' or ')})`)
}
