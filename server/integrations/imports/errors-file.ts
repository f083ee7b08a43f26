import { Readable } from 'node:stream'
import { BYTE_ORDER_MARK, type Cell, csvLines } from '../../platform/csv/csv.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/refusal.ts'
import { errorsAfter, type ImportKey, importById } from './queries.ts'

const ROWS = 500

/** Returns the failed rows as in the file, with their errors: once corrected, it can be imported itself. */
export async function errorsFile(db: Queryable, key: ImportKey): Promise<Readable> {
  const row = await importById(db, key)
  if (!row) throw notFound()
  const columns = row.header ?? []
  async function* lines() {
    yield BYTE_ORDER_MARK + csvLines([[...columns, 'row', 'field', 'message'].map((name): Cell => ({ text: name }))])
    for (let after = 0; ; ) {
      const errors = await errorsAfter(db, key, after, ROWS)
      if (errors.length === 0) return
      yield csvLines(
        errors.map(({ row, field, message, cells }) => [
          ...columns.map((_, at): Cell => ({ text: cells?.[at] ?? '' })),
          { plain: row },
          { text: field },
          { text: message },
        ]),
      )
      after = errors.at(-1)!.row
    }
  }
  return Readable.from(lines(), { objectMode: false })
}
