import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Import } from '#contract/imports.ts'
import { importPastSales } from '../../server/integrations/payment-providers/past-sales.ts'
import type {
  Credentials,
  ProviderAccess,
  ProviderAdapter,
  ReceivedEvent,
} from '../../server/integrations/payment-providers/provider.ts'
import { insertEvent } from '../../server/integrations/payment-providers/queries.ts'
import { newId } from '../../server/platform/database/ids.ts'
import { transaction } from '../../server/platform/database/pool.ts'
import { createOutbound } from '../../server/platform/http/outbound.ts'
import { dayIn } from '../../server/platform/time/days.ts'
import type { StandIn } from '../fakes/server.ts'
import { expectOk, type TestAccount, type TestApp } from './app.ts'
import { workOff } from './payment-providers.ts'

const DAY = 86_400_000

/** Requests the past sales of a connection, by default of the last year. */
export const requestPastSales = (
  app: TestApp,
  account: TestAccount,
  connection: { id: string },
  { from, to, dryRun = false }: { from?: string; to?: string; dryRun?: boolean } = {},
) =>
  app.api('POST', `/accounts/${account.id}/payment-providers/${connection.id}/imports`, {
    token: account.token,
    body: { from: from ?? daysAgo(app, 365), to: to ?? daysAgo(app, 0), dryRun },
  })

export const daysAgo = (app: TestApp, days: number) =>
  dayIn('UTC', new Date(app.services.clock.now().getTime() - days * DAY))

/** Runs one job of an import, as the worker does. */
export const runImportJob = (app: TestApp, importId: string, isLast = false) =>
  importPastSales(app.services, { importId }, { isLast })

export async function getImport(app: TestApp, account: TestAccount, id: string): Promise<Import> {
  return expectOk(await app.api('GET', `/imports/${id}`, { token: account.token })).body
}

/** Runs an import to its end. */
export async function pastImported(...[app, account, connection, asked]: Parameters<typeof requestPastSales>) {
  const { id } = expectOk(await requestPastSales(app, account, connection, asked)).body as Import
  for (let turn = 0; turn < 50; turn++) {
    await runImportJob(app, id)
    const now = await getImport(app, account, id)
    if (now.state !== 'running' && now.state !== 'waiting') return now
  }
  throw new Error('the import does not end')
}

/** Returns a digest of an account's ledger that depends neither on ids nor on the order of writing. */
export async function ledgerDigest({ services: { db } }: TestApp, { id }: TestAccount): Promise<string> {
  const sales = await db.many`
    select s.external_id, s.amount, s.tax_amount, s.gross_amount, s.refunded_amount, s.currency, s.status, s.disputed,
      s.sale_date, s.subscription_id, n.first_name as partner,
      (select jsonb_agg(jsonb_build_array(e.layer, e.sum) order by e.layer) from (
        select layer, sum(amount) as sum from commission_entries where sale_id = s.id group by layer) e) as left
    from sales s left join partners n on n.id = s.partner_id
    where s.account_id = ${id} order by s.external_id`
  return JSON.stringify(sales)
}

type History = NonNullable<ProviderAdapter['readHistory']>

/** Access to a stand-in without a server, until the tests of this file end. */
export function accessTo({ url, close }: Pick<StandIn, 'url' | 'close'>, now = new Date()): ProviderAccess {
  const outbound = createOutbound({ allowPrivate: false })
  after(() => Promise.all([close(), outbound.close()]))
  return { apiUrl: url, application: { clientId: null, secretKey: null, webhookSecret: null }, outbound, now }
}

/** Reads a provider's history to its end; `pages` has the number of events of each page. */
export async function readHistory(
  { readHistory: history }: ProviderAdapter,
  credentials: Credentials,
  access: ProviderAccess,
  since: Date,
) {
  const found: ReceivedEvent[] = []
  const pages: number[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<History>> = await history!(credentials, access, since, cursor)
    found.push(...page.events)
    pages.push(page.events.length)
    cursor = page.next
  } while (cursor !== null)
  return { found, pages }
}

/** Books a history like delivered events, twice, which must change nothing; returns the sums of the account's sales. */
export async function bookHistory(
  app: TestApp,
  { id: accountId }: TestAccount,
  connection: { id: string },
  read: () => Promise<{ found: ReceivedEvent[] }>,
) {
  const { db } = app.services
  const { shopId } = await db.one<{ shopId: string }>`
    select shop_id from provider_connections where id = ${connection.id}`
  const book = async () => {
    for (const event of (await read()).found)
      await transaction(db, (tx) =>
        insertEvent(tx, { id: newId(), connection: { ...connection, accountId, shopId }, event, state: 'received' }),
      )
    await workOff(app)
    return db.one`
      select count(*) as sales, sum(refunded_amount)::bigint as refunded, count(*) filter (where status = 'charged-back') as lost
      from sales where account_id = ${accountId}`
  }
  const once = await book()
  const { count } = await db.one`select count(*) as count from provider_events`
  assert.deepEqual(await book(), once)
  assert.deepEqual(await db.one`select count(*) as count from provider_events`, { count })
  return once
}
