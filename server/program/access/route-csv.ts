import { Readable } from 'node:stream'
import type { z } from 'zod'
import type { CsvEndpoint } from '#contract/csv.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { BYTE_ORDER_MARK, csvLines, toCell } from '../../platform/csv/csv.ts'
import { type Database, type Queryable, transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import { readAsMarked } from './read-as-marked.ts'
import { type App, type Call, route } from './route.ts'
import { visibleFields } from './visible-fields.ts'

type Row = Record<string, unknown>
type Page = { items: unknown[]; nextCursor: string | null }
type PageQuery<E extends CsvEndpoint> = z.output<NonNullable<E['list']['query']>> & { uncounted: true }

/** Rows per page: the reader waits for few, and memory never holds the whole list. */
const ROWS = 500

/**
 * Registers a list's CSV file: all rows, page after page as the reader consumes them, each through the list's own
 * schema and without the fields its reader may not see. The activity records the download. `instead` returns any answer
 * that is not a file of the list.
 */
export function routeCsv<E extends CsvEndpoint>(
  app: App,
  endpoint: E,
  read: (call: Call<E, Queryable>, query: PageQuery<E>) => Promise<Page>,
  instead?: (call: Call<E, Database>) => Promise<HttpReply | undefined>,
) {
  const rowsOf = (endpoint.list.reply as unknown as z.ZodObject).shape.items as z.ZodType
  route(app, endpoint as CsvEndpoint, async (given) => {
    const call = given as unknown as Call<E, Queryable>
    const { services, by, access, reader } = call
    const { db } = services
    const other = await instead?.({ ...call, db })
    if (other) return other
    const { columns: chosen, ...asked } = call.query as { columns?: string[] }
    const columns = chosen
      ? chosen.map((name) => endpoint.columns.find((one) => one.name === name)!)
      : endpoint.usualColumns
    const rowsAfter = async (cursor?: string) => {
      const query = { ...asked, limit: ROWS, cursor, uncounted: true } as unknown as PageQuery<E>
      const { items, nextCursor } = await readAsMarked(services, endpoint.list, access?.account.id, (db) =>
        read({ ...call, db }, query),
      )
      return { rows: visibleFields(rowsOf, rowsOf.parse(items), reader) as Row[], nextCursor }
    }
    // errors in the query are reported before the file begins
    const first = await rowsAfter()
    async function* lines() {
      yield csvLines([columns.map(({ name }) => ({ plain: name }))])
      for (let page = first; ; page = await rowsAfter(page.nextCursor)) {
        if (page.rows.length > 0)
          yield csvLines(page.rows.map((row) => columns.map((column) => toCell(row, column, currency))))
        if (!page.nextCursor) return
      }
    }
    const currency = access?.account.defaultCurrency ?? ''
    return answerCsv({ services, by, access }, endpoint.file, lines())
  })
}

type Downloaded = Pick<Call<Endpoint, unknown>, 'services' | 'by' | 'access'>

/** Records a download of a list in the activity. */
export function recordDownload({ services, by, access }: Downloaded, list: string) {
  const accountId = access?.account.id ?? null
  return transaction(services.db, (tx) =>
    recordActivity(tx, by, accountId, 'list.downloaded', {
      id: accountId,
      changes: { list: { old: null, new: list } },
    }),
  )
}

/** Returns a file of these lines, sent as they are read. The activity records the download. */
export async function answerCsv(downloaded: Downloaded, file: string, lines: AsyncIterable<string>) {
  await recordDownload(downloaded, file)
  async function* marked() {
    yield BYTE_ORDER_MARK
    yield* lines
  }
  return new HttpReply(200, Readable.from(marked(), { objectMode: false }), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${file}.csv"`,
  })
}
