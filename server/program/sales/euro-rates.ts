import type { Logger } from 'pino'
import { system } from '../../platform/author.ts'
import type { Database } from '../../platform/database/pool.ts'
import { OutboundError } from '../../platform/http/outbound.ts'
import type { Services } from '../../platform/services.ts'
import { addDays } from '../../platform/time/days.ts'
import { readXml, type XmlElement, XmlError } from '../../platform/xml/read-xml.ts'
import { bookAllWaiting } from './waiting-sales.ts'

/** Units of `currency` per euro, as published on `date`. The rate stays the published text. */
type EuroRate = { currency: string; date: string; rate: string }

/** A larger change within a week counts as a mistake (integrations.md, section 8). */
const MAX_JUMP = 0.2
const COMPARED_DAYS = 7

/** An error in the published file, in words. */
class RatesError extends Error {}

/** Installs whose last fetch failed: an install without internet logs it once, not every hour. */
const failing = new WeakSet<Database>()

/** Fetches the published rates. Errors of the network or the file are logged, not thrown, and retried an hour later. */
export async function fetchEuroRates(services: Services): Promise<void> {
  const { db, log } = services
  try {
    const stored = await storeRates(db, services.log, await readPublished(services))
    if (stored > 0) log.debug({ stored }, 'exchange rates were published')
    failing.delete(db)
  } catch (error) {
    if (!(error instanceof OutboundError) && !(error instanceof RatesError)) throw error
    log[failing.has(db) ? 'debug' : 'info']({ reason: error.message }, 'exchange rates could not be fetched')
    failing.add(db)
  }
}

/** Fetches the published rates at start, and books the waiting sales. */
export async function readEuroRates(services: Services): Promise<void> {
  await fetchEuroRates(services)
  await bookWaitingEverywhere(services)
}

/** Fetches the rates if newer ones may be published, and books the sales waiting for them. */
export async function updateEuroRates(services: Services): Promise<void> {
  if (!(await isUpToDate(services.db))) await fetchEuroRates(services)
  await bookWaitingEverywhere(services)
}

/** Fetches at once if a recent sale waits for a rate. */
export async function fetchForNewSales(services: Services): Promise<void> {
  const { db } = services
  const waiting = await db.maybe`
    select from sales where account_amount is null and created_at > ${db.now}::timestamptz - interval '90 seconds' limit 1`
  if (waiting) await updateEuroRates(services)
}

async function isUpToDate(db: Database): Promise<boolean> {
  const { date } = await db.one<{ date: string | null }>`select max(date) as date from euro_rates`
  return date !== null && date >= newestPublication(db.now)
}

/** Returns the date of the latest publication: working days at about 16:00 in Frankfurt, 15:00 UTC at the latest. */
function newestPublication(now: Date): string {
  let day = now.toISOString().slice(0, 10)
  if (now.getUTCHours() < 15) day = addDays(day, -1)
  while ([0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay())) day = addDays(day, -1)
  return day
}

const DAILY = /eurofxref-daily\.xml$/

/** Fetches the published file; after a pause, the file of the last ninety days if there is one, to close the gap. */
async function readPublished({ config, db, outbound }: Services): Promise<EuroRate[]> {
  const today = db.now.toISOString().slice(0, 10)
  const recent = await db.maybe`select from euro_rates where date >= ${today}::date - 5 limit 1`
  const urls = [config.fxRatesUrl]
  if (!recent && DAILY.test(config.fxRatesUrl)) urls.unshift(config.fxRatesUrl.replace(DAILY, 'eurofxref-hist-90d.xml'))
  for (const url of urls) {
    const { status, text } = await outbound.provider(url, { timeoutMs: 30_000, maxBytes: 20_000_000 })
    if (status === 200) return parseEuroRates(text)
    if (url === urls.at(-1)) throw new RatesError(`The server answered ${status}.`)
  }
  return []
}

/** Parses a file of the ECB, oldest rates first; invalid rates are left out. Throws if it contains none. */
export async function parseEuroRates(xml: string): Promise<EuroRate[]> {
  const root = await readXml(xml).catch((error: unknown) => {
    throw error instanceof XmlError ? new RatesError('The file is not XML.') : error
  })
  const cubesIn = ({ children }: XmlElement) => children.filter(({ name }) => name === 'Cube')
  const days = cubesIn(root)
    .flatMap(cubesIn)
    .map((day) => ({ date: day.attributes.time ?? '', rates: cubesIn(day) }))
    .filter(({ date }) => /^\d{4}-\d\d-\d\d$/.test(date))
  const rates = days
    .sort((a, b) => (a.date < b.date ? -1 : 1))
    .flatMap(({ date, rates }) =>
      rates.map(({ attributes: { currency = '', rate = '' } }) => ({ currency: currency.toLowerCase(), date, rate })),
    )
    .filter(
      ({ currency, rate }) => /^[a-z]{3}$/.test(currency) && /^\d{1,12}(\.\d{1,12})?$/.test(rate) && Number(rate) > 0,
    )
  if (rates.length === 0) throw new RatesError('The file holds no rates.')
  return rates
}

/** Stores rates of new days; returns how many. */
async function storeRates(db: Database, log: Logger, published: EuroRate[]): Promise<number> {
  const first = published[0]!.date
  const known = await db.many<{ currency: string; date: string; rate: number }>`
    select currency, date, rate from euro_rates where date >= ${first}::date - ${COMPARED_DAYS}::integer order by date`
  const there = new Set(known.map(({ currency, date }) => `${currency} ${date}`))
  const latest = new Map<string, { date: string; rate: number }>()
  const all = [...known, ...published.filter(({ currency, date }) => !there.has(`${currency} ${date}`))]
  const accepted: EuroRate[] = []
  for (const { currency, date, rate } of all.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))) {
    const before = latest.get(currency)
    const isNew = typeof rate === 'string'
    if (isNew && before && jumps(before, { date, rate: Number(rate) })) {
      log.warn({ currency, date, rate, before }, 'an exchange rate changed too much at once and was ignored')
      continue
    }
    latest.set(currency, { date, rate: Number(rate) })
    if (isNew) accepted.push({ currency, date, rate })
  }
  if (accepted.length === 0) return 0
  return db.run`
    insert into euro_rates (currency, date, rate)
    select currency, date, rate from unnest(${accepted.map(({ currency }) => currency)}::text[],
      ${accepted.map(({ date }) => date)}::date[], ${accepted.map(({ rate }) => rate)}::numeric[]) as r (currency, date, rate)
    on conflict (currency, date) do nothing`
}

type Dated = { date: string; rate: number }
const jumps = (before: Dated, next: Dated) =>
  next.date <= addDays(before.date, COMPARED_DAYS) && Math.abs(next.rate / before.rate - 1) > MAX_JUMP

/** Books account by account, in small transactions; an account's error is logged and does not stop the others. */
async function bookWaitingEverywhere({ db, log }: Services) {
  const accounts = await db.many<{ accountId: string }>`
    select distinct account_id from sales where account_amount is null order by account_id`
  for (const { accountId } of accounts)
    try {
      await bookAllWaiting(db, { accountId, currency: null, by: system })
    } catch (error) {
      log.warn(
        { accountId, error: (error as Error).message },
        'sales that wait for an exchange rate could not be booked',
      )
    }
}
