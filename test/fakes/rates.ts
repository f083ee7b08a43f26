import { startServer } from './server.ts'

/** Units per 1 EUR by currency code, by day (`2024-06-28`). */
export type RateTable = Record<string, Record<string, number>>

type Options = {
  table: RateTable
  clock?: () => Date /** Drops Saturdays and Sundays, as the ECB publishes none. */
  weekendGap?: boolean
}

/** The ECB's reference rates on loopback: the daily, 90 days and whole history files, of the days up to the clock's. */
export async function standInRates({ table, clock = () => new Date(), weekendGap = false }: Options) {
  let up = true
  const server = await startServer(({ path, method }) => {
    if (!up) return { status: 503, body: 'Service Unavailable', headers: { 'content-type': 'text/plain' } }
    const file = path.match(/\/eurofxref-(daily|hist-90d|hist)\.xml$/)?.[1]
    if (!file || method !== 'GET') return { status: 404, body: 'Not Found', headers: { 'content-type': 'text/html' } }
    const days = publishedDays()
    const shown = { daily: days.slice(0, 1), 'hist-90d': days.slice(0, 90), hist: days }[file] ?? []
    // the daily file quotes with ', the histories with "
    const body = ecbXml(Object.fromEntries(shown.map((day) => [day, table[day]!])), file === 'daily' ? "'" : '"')
    return { status: 200, body, headers: { 'content-type': 'text/xml' } }
  })

  /** Newest first. */
  function publishedDays() {
    const today = clock().toISOString().slice(0, 10)
    const weekend = (day: string) => [0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay())
    return Object.keys(table)
      .filter((day) => day <= today && !(weekendGap && weekend(day)))
      .sort()
      .reverse()
  }

  return {
    ...server,
    /** The whole history: `FX_RATES_URL`. */
    fileUrl: `${server.url}/stats/eurofxref/eurofxref-hist.xml`,
    dailyUrl: `${server.url}/stats/eurofxref/eurofxref-daily.xml`,
    /** Adds or replaces days. */
    publish: (days: RateTable) => Object.assign(table, days),
    /** Makes every call fail with 503 until `recover`. */
    breakDown: () => {
      up = false
    },
    recover: () => {
      up = true
    },
  }
}

/** The ECB's XML of a table, in its order. */
export function ecbXml(table: RateTable, quote: '"' | "'" = "'") {
  const q = quote
  const days = Object.entries(table).map(([day, rates]) => {
    const cubes = Object.entries(rates).map(
      ([currency, rate]) => `\t\t\t<Cube currency=${q}${currency}${q} rate=${q}${rate}${q}/>\n`,
    )
    return `\t\t<Cube time=${q}${day}${q}>\n${cubes.join('')}\t\t</Cube>\n`
  })
  const names =
    'xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"'
  const head =
    '<gesmes:subject>Reference rates</gesmes:subject>\n\t<gesmes:Sender>\n\t\t<gesmes:name>European Central Bank</gesmes:name>\n\t</gesmes:Sender>'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<gesmes:Envelope ${names}>\n\t${head}\n\t<Cube>\n${days.join('')}\t</Cube>\n</gesmes:Envelope>\n`
}
