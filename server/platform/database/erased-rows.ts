import { rawSql, sql } from './sql.ts'

/** The condition that a column has one of these ids. */
export const hasId = (column: string, ids: string[]) => sql`${rawSql(column)} = any(${ids}::uuid[])`

/** The texts of several columns as one; a cluster updates by immutable functions alone, which `concat_ws` is not. */
export const joinTexts = (...texts: string[]) => texts.map((text) => `coalesce(${text}, '')`).join(` || ' ' || `)
