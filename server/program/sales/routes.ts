import * as contract from '#contract/sales.ts'
import { userAuthor } from '../../platform/author.ts'
import { createCommitGroup, inOneTransaction } from '../../platform/database/group-commit.ts'
import { type Transaction, transaction, withSavepoint } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { answerRows, eachRow, type RowAnswer } from '../../platform/http/rows.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import { type App, replayReply, route, routeOwn } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { previewRates } from '../commissions/preview-rates.ts'
import { refuseErased } from '../leads/erase-lead.ts'
import { presentLead } from '../leads/present-lead.ts'
import { attributeSale, previewAttribution, previewReassignment, reassignLead } from './attribute-sale.ts'
import { describeSale, releaseSale, voidSale } from './change-sale.ts'
import { type IsOfPayday, listPartnerCommissions } from './entries-with-sales.ts'
import { listRates, saveExchangeRate } from './exchange-rates.ts'
import { listLeadsSimilarToPayer } from './leads-like-payer.ts'
import { listSales, listSalesWithLikelyLeads } from './list-sales.ts'
import { describeMatch } from './match-evidence.ts'
import { presentRefund, presentSale, salesPage } from './present-sales.ts'
import { previewCommission } from './preview-commission.ts'
import { listProducts } from './products-seen.ts'
import { lockPushedRefunds, pushRefund } from './push-refund.ts'
import { type PushedAnswer, type PushedSale, pushSales } from './push-sales.ts'
import { getReceipt } from './receipt.ts'
import { recordByHand } from './record-by-hand.ts'
import { refundByHand } from './refund-sale.ts'
import { restoreSale } from './restore-sale.ts'
import { listRevenueLines } from './revenue-lines.ts'
import { bookSomeWaiting } from './waiting-sales.ts'

/** Includes sales paid in test mode, visible only to the owner. */
const ofLead = ({ as, subjectId }: Access) =>
  as === 'partner' ? sql`t.lead_id = ${subjectId}` : sql`(t.lead_id = ${subjectId} or t.test_lead_id = ${subjectId})`

/** Functions of payouts, which sales may not import. */
type OfPayouts = {
  isOfPayday: IsOfPayday
  openPayoutsOfSale: (tx: Transaction, account: Access['account'], saleId: string) => Promise<void>
}

export function saleRoutes(app: App, { isOfPayday, openPayoutsOfSale }: OfPayouts) {
  route(app, contract.createSale, async ({ db, actor, access, body }) => {
    await refuseErased(db, access.account.id, access.subjectId)
    const sale = await recordByHand(db, userAuthor(actor), access, body)
    await openPayoutsOfSale(db, access.account, sale.id)
    return sale
  })

  route(app, contract.listLeadSales, ({ db, access, query }) => salesPage(db, access, query, { scope: ofLead(access) }))

  routeCsv(app, contract.downloadLeadSales, ({ db, access }, query) =>
    salesPage(db, access, query, { scope: ofLead(access) }),
  )

  route(app, contract.listSales, ({ db, access, query }) => listSalesWithLikelyLeads(db, access, query))

  routeCsv(app, contract.downloadSales, ({ db, access }, query) => listSales(db, access, query))

  route(app, contract.listRevenueLines, ({ db, access, query }) => listRevenueLines(db, access, query))

  routeCsv(app, contract.downloadRevenueLines, ({ db, access }, query) => listRevenueLines(db, access, query))

  route(app, contract.listProducts, ({ db, access }) => listProducts(db, access.account.id))

  route(app, contract.getSale, ({ db, access }) => presentSale(db, access, access.subjectId))

  route(app, contract.getSaleMatch, ({ db, access }) => describeMatch(db, access, access.subjectId))

  route(app, contract.listLeadsSimilarToPayer, ({ db, access }) =>
    listLeadsSimilarToPayer(db, access.account, access.subjectId),
  )

  route(app, contract.getReceipt, ({ db, access }) => getReceipt(db, access, access.subjectId))

  route(app, contract.listPartnerCommissions, ({ db, access, query }) =>
    listPartnerCommissions(db, access, query, isOfPayday),
  )

  routeCsv(app, contract.downloadPartnerCommissions, ({ db, access }, query) =>
    listPartnerCommissions(db, access, query, isOfPayday),
  )

  route(app, contract.changeSale, async ({ db, actor, access, body }) => {
    if (body.description !== undefined)
      await describeSale(db, userAuthor(actor), access.account, access.subjectId, body.description)
    return presentSale(db, access, access.subjectId)
  })

  route(app, contract.previewCommission, ({ db, access, body }) => previewCommission(db, access.account, body))

  route(app, contract.previewRates, ({ db, access, body }) => previewRates(db, access.account, body))

  route(app, contract.refundSale, async ({ db, actor, access, body }) => {
    await refundByHand(db, userAuthor(actor), access.account, access.subjectId, body)
    return presentSale(db, access, access.subjectId)
  })

  route(app, contract.voidSale, async ({ db, actor, access, body }) => {
    await voidSale(db, userAuthor(actor), access.account, access.subjectId, body.reason)
    return presentSale(db, access, access.subjectId)
  })

  route(app, contract.restoreSale, async ({ db, actor, access, body }) => {
    await restoreSale(db, userAuthor(actor), access.account, access.subjectId, body.reason)
    return presentSale(db, access, access.subjectId)
  })

  route(app, contract.releaseSale, async ({ db, actor, access, body }) => {
    await releaseSale(db, userAuthor(actor), access.account, access.subjectId, body.reason)
    return presentSale(db, access, access.subjectId)
  })

  route(app, contract.attributeSale, async ({ db, actor, access, body }) => {
    const by = userAuthor(actor)
    if (body.preview) return previewAttribution(db, by, access.account, access.subjectId, body)
    await attributeSale(db, by, access.account, access.subjectId, body)
    return presentSale(db, access, access.subjectId)
  })

  route(app, contract.reassignLead, async ({ db, actor, access, body }) => {
    const by = userAuthor(actor)
    if (body.preview) return previewReassignment(db, by, access.account, access.subjectId, body)
    await refuseErased(db, access.account.id, access.subjectId)
    await reassignLead(db, by, access.account, access.subjectId, body)
    return presentLead(db, access, access.subjectId)
  })

  route(app, contract.listExchangeRates, ({ db, access, query }) => listRates(db, access.account.id, query))
  routeCsv(app, contract.downloadExchangeRates, ({ db, access }, query) => listRates(db, access.account.id, query))

  route(app, contract.enterExchangeRate, async ({ db, services, actor, access, body }) => {
    const by = userAuthor(actor)
    await saveExchangeRate(db, by, access.account, body)
    await bookSomeWaiting(db, services.jobs, { accountId: access.account.id, currency: body.currency, by })
    return { ...body, source: 'entered' as const }
  })

  pushRoutes(app)
}

/** Sales per commit. */
const GROUP = 200
/** Longest wait of a pushed sale for a lock, in milliseconds. */
const PATIENCE_MS = 5000
/**
 * Lock time-out for a call with an idempotency key, in milliseconds: lists about the same people are booked one after
 * the other.
 */
const LIST_PATIENCE_MS = 10_000

function pushRoutes(app: App) {
  const { services } = app
  const record = (tx: Transaction, items: PushedSale[]) => pushSales(tx, items)
  /**
   * Records a list; if a row is refused, which undoes the list, records the rows separately, each undoing only itself.
   */
  const recordApart = (tx: Transaction, items: PushedSale[]): Promise<(PushedAnswer | Error)[]> =>
    withSavepoint(tx, () => record(tx, items)).catch(async (error) => {
      if (!(error instanceof Refusal)) throw error
      if (items.length === 1) return [error]
      const answers: (PushedAnswer | Error)[] = []
      for (const item of items) answers.push(...(await recordApart(tx, [item])))
      return answers
    })
  const accountOf = ({ access }: PushedSale) => access.account.id
  const together = createCommitGroup<PushedSale, PushedAnswer>(
    (items, lockTimeoutMs) =>
      services.homes.at([...new Set(items.map(accountOf))], (home) =>
        inOneTransaction(home, record)(items, lockTimeoutMs),
      ),
    { max: GROUP, accountOf, patienceMs: PATIENCE_MS, placeOf: services.homes.placeOf },
  )

  const answer = ({ status, sale }: PushedAnswer): RowAnswer => ({ status, id: sale.id, body: sale })

  routeOwn(app, contract.pushSales, async ({ db, access, by, body, idempotency }) => {
    const item = (row: contract.NewPushedSale): PushedSale => ({ access, row, by })
    if (!idempotency)
      return answerRows(services.log, contract.NewPushedSale, body, (rows) =>
        Promise.all(rows.map((row) => together(item(row)).then(answer, asError))),
      )
    // with a key the answer commits with the sales, so they are their own group
    const commit = async (tx: Transaction) => {
      const known = await idempotency.begin(tx)
      if (known) return replayReply(known)
      const answers = await answerRows(services.log, contract.NewPushedSale, body, async (rows) =>
        (await recordApart(tx, rows.map(item))).map((one) => (one instanceof Error ? one : answer(one))),
      )
      await idempotency.finish(tx, answers)
      return answers
    }
    return transaction(db, commit, { lockTimeoutMs: LIST_PATIENCE_MS, keepsPlans: true })
  })

  route(app, contract.pushRefunds, ({ db, access, by, body }) => {
    const each = eachRow<contract.NewPushedRefund>(db, async (row) => {
      const { id, created } = await pushRefund(db, by, access.account, row)
      return { status: created ? 201 : 200, id, body: await presentRefund(db, access.account.id, id) }
    })
    return answerRows(services.log, contract.NewPushedRefund, body, async (rows) => {
      await lockPushedRefunds(db, access.account.id, rows)
      return each(rows)
    })
  })
}

const asError = (error: unknown) => error as Error
