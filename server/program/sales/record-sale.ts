import type { MatchRule, Sale, SaleLine, SaleProvider } from '#contract/sales.ts'
import { type Author, toActor } from '../../platform/author.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import { violatesConstraint } from '../../platform/database/database-errors.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Database, Overtaken, type Transaction, transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { c, table } from '../../platform/database/table.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { holdAccounts } from '../access/lock-accounts.ts'
import { type Credit, computeCredits, computeEarnings, earnedEntries } from '../commissions/credit.ts'
import { insertEntries, type NewEntry } from '../commissions/entries.ts'
import { openCases } from '../fraud/fraud-cases.ts'
import { holdCaps } from '../leads/caps.ts'
import { type LeadFacts, lockLeads, markWon } from '../leads/lead-facts.ts'
import type { CreditTo, TriedRule } from '../leads/match-rules.ts'
import { paidAt, paidOn } from '../leads/payment-time.ts'
import { readEventPartners } from '../partner-directory/partner-names.ts'
import { count, countLater, refusePast } from '../stats/count.ts'
import { underCaps, withItsRules } from '../terms/plan.ts'
import { emitNewSaleEvents } from './emit-sale-events.ts'
import { inAccountCurrency, ratesFor } from './exchange-rates.ts'
import { type NamedPayment, ownSale } from './known-sales.ts'
import { type LatestClick, type SaleVisit, withLatestClicks } from './latest-click.ts'
import type { PaidShop } from './payment-pages.ts'
import { findPlaces, moveOthers, placeColumns } from './places.ts'
import { ownSaleColumns, type SaleColumns } from './present-sales.ts'
import { saveProducts } from './products-seen.ts'
import { toPromotionCodes } from './reported-codes.ts'
import { earnedByReferrer, toFigures } from './sale-figures.ts'
import { linesToStore } from './sale-lines.ts'
import { saveStates } from './sale-state.ts'
import { lockSubscriptions } from './subscriptions.ts'

/** A payment as its source reports it. Amounts in minor units of `currency`. */
export type SaleToRecord = {
  /** Its account; the settings are read when the sale is recorded. */
  account: { id: string }
  /** Null: stored without a lead. */
  leadId: string | null
  /** Set for a provider's test mode: credits no partner, and is shown with the lead it would have. */
  test?: { leadId: string | null }
  provider: SaleProvider
  /** The provider's account or the incoming webhook that reports it. */
  shopId?: string | null
  /** Unique in its shop: a repetition is the same sale. */
  externalId: string | null
  connectionId?: string | null
  customerId?: string | null
  payerEmail?: string | null
  /** Keyed hash of the card, if its provider reports one. */
  cardHash?: Buffer | null
  /** Net of tax and shipping. */
  amount: number
  taxAmount: number
  /** The customer's payment, including tax and shipping. */
  grossAmount: number
  /** Null: the account's currency. */
  currency: string | null
  /** In the account's time zone; an instant is converted to its date there. */
  saleDate: string | Date
  description?: string | null
  subscriptionId?: string | null
  /** Net, in the sale's currency; omitted if its source reports none. */
  lines?: SaleLine[] | null
  /** The payment's country, two capitals. */
  country?: string | null
  /** As reported; stored as `toPromotionCodes`. */
  promotionCodes?: string[]
  /** One of them was some partner's when the sale was reported. */
  partnerCode?: boolean
  matchedBy: MatchRule | null
  /** The partner whom a returning customer's payment names, and the rule that knows the customer; as in `PaymentMatch`. */
  creditTo?: CreditTo | undefined
  knownBy?: MatchRule | undefined
  /** The rules that did not find its lead, stored as an explanation. */
  evidence?: TriedRule[]
  /**
   * The sale itself names its partner, so that they are credited even if the referral came later; decided by its rule
   * if omitted.
   */
  named?: boolean
  metadata?: Record<string, string>
  /** Its partner's commission from `amount` as recorded by the previous program. */
  givenCommission?: number | null
  /** The previous program paid its commission; the caller settles it. */
  paidBefore?: boolean
  by: Author
}

/**
 * `sale`: a new one, as the account's owner sees it; undefined for an existing one. `partnerId`: the credited partner.
 */
export type RecordedSale = { id: string; created: boolean; partnerId: string | null; sale: Sale | undefined }

type Prepared = Omit<SaleToRecord, 'account' | 'currency' | 'saleDate'> & {
  id: string
  accountId: string
  currency: string
  accountCurrency: string
  saleDate: string
  at: string
  lead: LeadFacts | null
  accountAmount: number | null
  fxRate: number | null
  fxDate: string | null
}
type Whose = Prepared & LatestClick
type Credited = Whose & { credit: Credit }
/** A sale at its place among the others. */
type Placed = Credited & ReturnType<typeof placeColumns>

/** Records one sale, like `recordSales`. */
export const recordSale = (db: Database | Transaction, sale: SaleToRecord) =>
  transaction(db, async (tx) => (await recordSales(tx, [sale]))[0]!)

/** Rows already locked by the caller. `areNew`: the caller has checked that none of the payments exists. */
export type LockedRows = { accounts?: Map<string, AccountFacts>; leads?: Map<string, LeadFacts>; areNew?: boolean }

/**
 * Records sales and books their earnings, all or nothing, one statement per step however many they are; independent
 * steps run concurrently (docs/decisions/0002-the-money-transaction.md). A known external id returns the first sale.
 * Results in the order given; the caller has checked that each lead is the account's.
 * Refuses: in `amount` one that would bring a total of its account above 10^15.
 */
export async function recordSales(
  tx: Transaction,
  sales: SaleToRecord[],
  held: LockedRows = {},
): Promise<RecordedSale[]> {
  if (sales.length === 0) return []
  const accountIds = sales.map((sale) => sale.account.id)
  const accounts = held.accounts ?? (await holdAccounts(tx, accountIds))
  const given = await prepare(tx, sales, accounts, await leadsOf(tx, sales, held.leads))
  // sent together, run in this order
  const [, prepared] = await Promise.all([lockSubscriptions(tx, given), withLatestClicks(tx, accounts, given)])
  const [known, credited] = await Promise.all([
    held.areNew ? new Map<string, string>() : knownSales(tx, prepared),
    creditAll(tx, accounts, prepared),
  ])
  const fresh = eachOnce(credited).filter((sale) => !known.has(keyOf(sale)))
  const { recorded, partners, changes } = await bookNewSales(tx, accounts, fresh).catch((error) => {
    throw violatesConstraint(error, 'sales_of_shop') ? new Overtaken('the same payment was recorded meanwhile') : error
  })
  const won = fresh.filter((sale) => sale.lead && sale.amount > 0 && !['won', 'rejected'].includes(sale.lead.status))
  // last, since every sale of an account waits from there until the commit; events of won leads include their figures
  const [, reported, past] = await Promise.all([
    saveProducts(tx, fresh),
    emitNewSaleEvents(tx, partners, recorded),
    won.length > 0 ? count(tx, changes) : countLater(tx, changes),
  ])
  refusePast(past)
  if (won.length)
    await markWon(
      tx,
      won.map(({ accountId, lead, by }) => ({ accountId, leadId: lead!.id, by })),
    )
  const ids = new Map([...known, ...fresh.map((sale) => [keyOf(sale), sale.id] as const)])
  return prepared.map((sale) =>
    reported.has(sale.id)
      ? { id: sale.id, created: true, partnerId: sale.lead?.partnerId ?? null, sale: reported.get(sale.id) }
      : { id: ids.get(keyOf(sale))!, created: false, partnerId: null, sale: undefined },
  )
}

/** Returns the leads of these sales by id; some may be locked by the caller already. */
async function leadsOf(tx: Transaction, sales: SaleToRecord[], held = new Map<string, LeadFacts>()) {
  const missing = new Set(sales.map((sale) => sale.leadId).filter((id) => id !== null && !held.has(id)) as string[])
  if (missing.size === 0) return held
  const leads = await lockLeads(tx, [...new Set(sales.map(({ account }) => account.id))], [...missing])
  return new Map([...held, ...leads.map((lead) => [lead.id, lead] as const)])
}

/** Drops sales that repeat a payment. */
function eachOnce(sales: Credited[]): Credited[] {
  const keys = new Set<string>()
  return sales.filter((sale) => {
    const key = sale.externalId === null ? sale.id : keyOf(sale)
    return !keys.has(key) && keys.add(key)
  })
}

async function prepare(
  tx: Transaction,
  sales: SaleToRecord[],
  accounts: Map<string, AccountFacts>,
  leads: Map<string, LeadFacts>,
): Promise<Prepared[]> {
  const dated = sales.map(({ account: { id: accountId }, ...sale }) => {
    const { defaultCurrency: accountCurrency, timeZone } = accounts.get(accountId)!
    const saleDate = typeof sale.saleDate === 'string' ? sale.saleDate : dayIn(timeZone, sale.saleDate)
    const paidAt = typeof sale.saleDate === 'string' ? null : sale.saleDate
    return { ...sale, accountId, accountCurrency, currency: sale.currency ?? accountCurrency, saleDate, paidAt }
  })
  const rates = await ratesFor(tx, dated)
  return dated.map((sale, index) => {
    const rate = rates[index]
    const accountAmount = rate ? inAccountCurrency(sale.amount, sale.currency, sale.accountCurrency, rate) : null
    const found = (sale.leadId && leads.get(sale.leadId)) || null
    const { timeZone } = accounts.get(sale.accountId)!
    const missed = found && whyUncredited(sale, found, { now: tx.now, timeZone })
    const at = sale.paidAt ?? paidOn(sale.saleDate, timeZone, tx.now).at
    return {
      ...sale,
      at: at.toISOString(),
      ...(found?.erasedAt && nothingPersonal),
      ...(missed && uncredited(sale, missed)),
      id: newId(),
      lead: missed ? { ...found, partnerId: null, blueprintId: null, linkId: null } : found,
      accountAmount,
      fxRate: accountAmount === null ? null : rate!.rate,
      fxDate: accountAmount === null ? null : rate!.date,
    }
  })
}

/** Personal fields of a sale that comes later for an erased lead: dropped before rules could read them. */
const nothingPersonal = { payerEmail: null, cardHash: null, description: null, metadata: {} }

type Dated = Pick<SaleToRecord, 'matchedBy' | 'named'> & { saleDate: string; paidAt: Date | null }
/** Rules that identify only the payer. */
const OF_THE_PAYER: (MatchRule | null)[] = ['customer', 'external-id', 'email']

/** Returns why a sale credits no partner: its lead is rejected, or got its partner after the sale, perhaps just now. */
function whyUncredited(sale: Dated, lead: LeadFacts, { now, timeZone }: { now: Date; timeZone: string }) {
  if (lead.status === 'rejected') return 'rejected'
  const { named = !OF_THE_PAYER.includes(sale.matchedBy) } = sale
  if (!lead.partnerId || named) return null
  const { referredBy } = sale.paidAt ? paidAt(sale.paidAt) : paidOn(sale.saleDate, timeZone, now)
  return Date.parse(lead.attributedAt) > referredBy.getTime() ? 'referred-later' : null
}

/** Stores with the sale why no partner earns. */
const uncredited = ({ matchedBy, evidence = [] }: Pick<SaleToRecord, 'matchedBy' | 'evidence'>, outcome: Missed) => ({
  matchedBy: null,
  evidence: matchedBy ? [...evidence, { rule: matchedBy, outcome }] : evidence,
})
type Missed = 'rejected' | 'referred-later'

async function creditAll(tx: Transaction, accounts: Map<string, AccountFacts>, sales: Whose[]): Promise<Credited[]> {
  const credits = await computeCredits(
    tx,
    accounts,
    sales.map(
      ({ lead, payerEmail = null, cardHash = null, subscriptionId = null, givenCommission = null, ...sale }) => ({
        ...sale,
        shopId: sale.shopId ?? null,
        customerId: sale.customerId ?? null,
        givenCommission,
        partnerId: lead?.partnerId ?? null,
        blueprintId: lead?.blueprintId ?? null,
        leadEmail: lead?.email ?? null,
        ownVisit: lead?.ownVisit ?? false,
        referredAt: lead?.attributedAt ?? null,
        leadId: lead?.id ?? null,
        payerEmail,
        cardHash,
        subscriptionId,
        judged: false,
        credited: true,
      }),
    ),
  )
  return sales.map((sale) => ({ ...sale, credit: credits.get(sale.id)! }))
}

const codesOrNull = (reported: string[] = []) => (reported.length > 0 ? toPromotionCodes(reported) : null)

const column = <T, K extends keyof T>(rows: T[], key: K) => rows.map((row) => row[key])

/** The columns of a new sale; its number among those of its lead is computed from the existing ones. */
const written = table('sales', {
  id: c.uuid,
  accountId: c.uuid,
  leadId: c.uuid.null(),
  isTest: c.boolean,
  testLeadId: c.uuid.null(),
  partnerId: c.uuid.null(),
  blueprintId: c.uuid.null(),
  linkId: c.uuid.null(),
  referredAt: c.instant.null(),
  provider: c.text(),
  shopId: c.uuid.null(),
  connectionId: c.uuid.null(),
  externalId: c.text().null(),
  customerId: c.text().null(),
  payerEmail: c.text().null(),
  cardHash: c.bytes.null(),
  amount: c.bigint,
  taxAmount: c.bigint,
  grossAmount: c.bigint,
  currency: c.text(),
  accountAmount: c.bigint.null(),
  accountCurrency: c.text(),
  fxRate: c.numeric.null(),
  fxDate: c.date.null(),
  saleDate: c.date,
  description: c.text().null(),
  subscriptionId: c.text().null(),
  holdRule: c.text().null(),
  holdPolicy: c.text().null(),
  holdReason: c.text().null(),
  heldUntil: c.instant.null(),
  fraudCaseId: c.uuid.null(),
  heldBy: c.uuids.null(),
  credited: c.boolean,
  credit: c.json<object>().null(),
  pastLimit: c.boolean,
  customerPlace: c.integer.null(),
  customerSince: c.date.null(),
  lines: c.json<SaleLine[]>().null(),
  country: c.text().null(),
  promotionCodes: c.texts.null(),
  partnerCode: c.boolean,
  recurringMonths: c.integer.null(),
  givenCommission: c.bigint.null(),
  matchedBy: c.text().null(),
  matchEvidence: c.json<TriedRule[]>().null(),
  latestClick: c.text<'order' | 'renewal'>().null(),
  clickId: c.uuid.null(),
  visit: c.json<SaleVisit>().null(),
  metadata: c.json<Record<string, string>>(),
  createdBy: c.text().null(),
})

/** Inserts sales; returns their rows, by id. */
async function insertSales(tx: Transaction, sales: Placed[]): Promise<Map<string, SaleColumns>> {
  if (sales.length === 0) return new Map()
  const given = written.jsonOf(
    sales.map(
      ({ credit: { hold, terms, credited, recurringMonths }, lead, test, evidence, metadata = {}, by, ...sale }) => ({
        ...sale,
        lines: linesToStore(sale.lines),
        promotionCodes: codesOrNull(sale.promotionCodes),
        partnerCode: sale.partnerCode ?? false,
        credited,
        recurringMonths,
        isTest: test !== undefined,
        testLeadId: test?.leadId,
        partnerId: lead?.partnerId,
        blueprintId: lead?.blueprintId,
        linkId: lead?.linkId,
        referredAt: lead?.partnerId && lead.attributedAt,
        holdRule: hold?.rule,
        holdPolicy: hold?.policy,
        holdReason: hold?.reason,
        heldUntil: hold?.until,
        fraudCaseId: hold?.caseId,
        heldBy: hold?.heldBy.length ? hold.heldBy : null,
        credit: terms,
        matchEvidence: evidence,
        metadata,
        createdBy: toActor(by),
      }),
    ),
  )
  const account = eachAccount(column(sales, 'accountId'), sql`s.account_id`)
  const shopOf = new Map(sales.flatMap(({ id, shopId }) => (shopId ? [[id, shopId]] : [])))
  const [rows, shops] = await Promise.all([
    tx.many<Omit<SaleColumns, 'shop'>>`
      insert into sales as t (${written.names}, sequence, created_at)
      select ${written.from('s')},
        coalesce((select max(e.sequence) from sales e where e.account_id = ${account} and e.lead_id = s.lead_id), 0)
          + row_number() over (partition by s.lead_id order by s.place),
        ${tx.now}
      from rows from (jsonb_to_recordset(${given}::jsonb) as (${written.declared}))
        with ordinality as s (${written.names}, place)
      order by s.account_id, s.external_id, s.provider, s.shop_id
      returning ${ownSaleColumns}`,
    shopOf.size > 0
      ? tx.many<PaidShop & { id: string }>`
          select id, provider, livemode, external_id as account from provider_shops where id = any(${[...new Set(shopOf.values())]}::uuid[])`
      : [],
  ])
  const shopById = new Map(shops.map(({ id, ...shop }) => [id, shop]))
  return new Map(rows.map((row) => [row.id, { ...row, shop: shopById.get(shopOf.get(row.id) ?? '') ?? null }]))
}

const keyOf = ({ accountId, provider, shopId = null, externalId }: NamedPayment) =>
  `${accountId} ${provider} ${shopId} ${externalId}`

/** Returns the ids of existing sales, by their keys. */
async function knownSales(tx: Transaction, sales: Whose[]): Promise<Map<string, string>> {
  const named = sales.filter((sale) => sale.externalId !== null)
  if (named.length === 0) return new Map()
  // one index search each, which a plan made while there were few sales would not do
  const rows = await tx.many<NamedPayment & { id: string }>`
    select s.id, i.account_id, i.provider, i.shop_id, i.external_id
    from unnest(${column(named, 'accountId')}::uuid[], ${column(named, 'provider')}::text[],
        ${named.map(({ shopId = null }) => shopId)}::uuid[],
        ${column(named, 'externalId')}::text[]) as i (account_id, provider, shop_id, external_id)
      cross join lateral ${ownSale(eachAccount(column(named, 'accountId'), sql`i.account_id`))} s`
  return new Map(rows.map((row) => [keyOf(row), row.id]))
}

/** A credited sale as it takes its place and moves others. */
const movingOthers = ({ lead, provider, shopId, externalId, credit, ...sale }: Credited) => ({
  ...sale,
  leadId: lead?.id ?? null,
  placesCount: credit.placesCount,
  coming: {
    shop: shopId ?? provider,
    externalId,
    recurringMonths: credit.recurringMonths,
    asksForPlace: credit.terms?.asksForPlace ?? false,
  },
})

/** A sale as caps count it, with terms that may have some. */
const cappedOf = ({ accountId, lead, saleDate, givenCommission = null, credit: { version } }: Credited) => ({
  accountId,
  saleDate,
  givenCommission,
  terms: version,
  partnerId: lead?.partnerId ?? null,
  leadId: lead?.id ?? null,
})

type Places = Awaited<ReturnType<typeof findPlaces>> | undefined
type UsedCaps = Awaited<ReturnType<typeof holdCaps>>

/** Returns a sale at its place among those of its customer and subscription. */
const placeSale = (sale: Credited, places: Places): Placed => ({ ...sale, ...placeColumns(places?.own.get(sale.id)) })

/** Returns a placed sale with what it is paid by under caps that have paid this much so far. */
function capSale(sale: Placed, used: UsedCaps): Placed {
  const { accountAmount, credit, paidBefore, pastLimit } = sale
  if (!credit.credited || pastLimit || !accountAmount) return sale
  const planned = { ...termsFacts(sale), ...cappedOf(sale), accountAmount }
  // another payment that changed its rules would leave the settlement as a debt
  const terms = paidBefore ? withItsRules(planned, credit.terms, planned.terms) : credit.terms
  return { ...sale, credit: { ...credit, terms: underCaps({ ...planned, credit: terms }, used, 0) } }
}

/** Returns what a sale at its place and under its caps earns. */
const earnFrom = (sale: Placed, account: AccountFacts): NewEntry[] =>
  earnedEntries(toActor(sale.by), account, sale, computeEarnings(termsFacts(sale)))

/** Returns a sale with its credit as terms read them. */
const termsFacts = (sale: Placed) => ({
  lines: null,
  country: null,
  partnerCode: false,
  metadata: {},
  ...sale,
  ...sale.credit,
})

/**
 * Writes new sales and their earnings, none for those past the recurring limit. Returns what their events are made of, the
 * partners among it, and the changes of the statistics.
 */
async function bookNewSales(tx: Transaction, accounts: Map<string, AccountFacts>, fresh: Credited[]) {
  const causes = fresh
    .filter(({ accountAmount, credit }) => accountAmount && credit.terms && credit.credited)
    .filter(({ credit, subscriptionId }) => subscriptionId || credit.placesCount)
    .map(movingOthers)
  const [places, used] = await Promise.all([
    causes.length > 0 ? findPlaces(tx, causes) : undefined,
    holdCaps(tx, fresh.map(cappedOf)),
  ])
  const moved = places ? await moveOthers(tx, accounts, causes, places.others) : []
  for (const { after, written } of moved) used?.add(after.sale, earnedByReferrer(written))
  const sales: Placed[] = []
  const earned = new Map<string, NewEntry[]>()
  for (const one of fresh) {
    const sale = capSale(placeSale(one, places), used)
    const entries = earnFrom(sale, accounts.get(sale.accountId)!)
    // the next ones of the list have the same caps
    used?.add(cappedOf(sale), earnedByReferrer(entries))
    sales.push(sale)
    earned.set(sale.id, entries)
  }
  const entries = [...earned.values()].flat()
  const partnerIds = [...sales.map(({ lead }) => lead?.partnerId ?? null), ...entries.map(({ partnerId }) => partnerId)]
  const [rows, writtenEntries, partners] = await Promise.all([
    insertSales(tx, sales),
    insertEntries(tx, entries),
    readEventPartners(tx, [...accounts.keys()], partnerIds),
  ])
  await openCases(
    tx,
    sales.flatMap(({ credit }) => credit.hold?.opens ?? []),
  )
  if (moved.length > 0) await saveStates(tx, moved)
  const ofSale = Map.groupBy(writtenEntries, (row) => row.saleId!)
  const recorded = sales.map(({ id, by, lead }) => ({ by, lead, row: rows.get(id)!, entries: ofSale.get(id) ?? [] }))
  const changes = sales.flatMap((sale) => {
    const { partnerId = null, blueprintId = null, linkId = null } = sale.lead ?? {}
    const promotionCodes = codesOrNull(sale.promotionCodes)
    const counted = { ...sale, partnerId, blueprintId, linkId, promotionCodes, status: 'completed', createdAt: tx.now }
    return toFigures(counted, [], earned.get(sale.id) ?? [])
  })
  return { recorded, partners, changes }
}
