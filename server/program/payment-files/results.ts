import { fromDecimal, moneyInWords } from '#contract/money.ts'
import { MOST_RESULTS, type PayoutResults, type PayoutResultsFile } from '#contract/payment-files.ts'
import type { Author } from '../../platform/author.ts'
import { parseRecords } from '../../platform/csv/read-csv.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { refusal, rowError, wrongField } from '../../platform/refusal.ts'
import { createSlices } from '../../platform/slices.ts'
import { isXml, readDocuments, XmlError } from '../../platform/xml/read-xml.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { shareLimits } from '../payouts/limits.ts'
import type { Result, ResultsFile } from '../payouts/methods/method.ts'
import { type PaymentFileMethod, paymentFileMethods, refusalOfWrong } from '../payouts/methods/registry.ts'
import { type BankFind, findOfBank, judgeOfBank, selectRest } from './bank-results.ts'
import type { Judged } from './effects.ts'
import { findKnownPayouts, isExactly, type Known, type KnownFile, type KnownPayouts, namesOfFile } from './known.ts'
import { findPayout, judgeResult } from './provider-results.ts'
import { unpackReports } from './unpack-reports.ts'

/**
 * Applies the results of a payment file: paid payouts are marked as paid, those that ended before are due again, and one
 * whose money came back after an earlier file marked it as paid is returned. Each row must match what we gave, else only
 * it changes nothing. A paid payout changes only by rows about the payment that paid it. All rows share one transaction;
 * a file that is applied again, or after a crash, finds its changes made. `dryRun` changes nothing.
 */
export async function applyResults(
  tx: Transaction,
  secrets: Secrets,
  by: Author,
  account: AccountFacts,
  { csv, file, zip, dryRun }: PayoutResultsFile,
): Promise<PayoutResults> {
  const field = csv !== undefined ? 'csv' : file !== undefined ? 'file' : 'zip'
  const texts = zip === undefined ? [(csv ?? file)!] : await unpackReports(zip)
  const { method, results } = await readResults(field, texts)
  await shareLimits(tx, account.id)
  const found = await findKnownPayouts(tx, secrets, account, { method, results, dryRun, by })
  const items = itemsOf(method, found, account, results)
  if (items.length > MOST_RESULTS) throw tooMany(field)
  const judged = new Map<Item, Judged>()
  // a payment outweighs a failed transfer of the same payout, wherever it is in the file
  for (const item of items.toSorted((a, b) => rank(a.result) - rank(b.result))) {
    const one = judgeItem(by, account, item)
    judged.set(item, one)
    if (item.payout && one.leaves) Object.assign(item.payout, one.leaves)
  }
  let applied = 0
  for (const { act, remark } of judged.values()) {
    if (dryRun) continue
    await remark?.(tx)
    if (!act) continue
    await act(tx)
    applied++
  }
  return { rows: items.map((item) => judged.get(item)!.shown), applied }
}

const rank = ({ outcome }: Result) => (outcome === 'paid' ? 0 : 1)

type Field = 'file' | 'csv' | 'zip'

/**
 * Reads files by the format that their shape shows, all by one. Refuses: `validation_failed` for one of no format, or of
 * another than the first.
 */
async function readResults(field: Field, texts: string[]): Promise<{ method: PaymentFileMethod; results: Result[] }> {
  const pause = createSlices()
  const read: { method: PaymentFileMethod; results: Result[] }[] = []
  for (const text of texts) {
    read.push(await readFile(field, text))
    if (read.reduce((count, { results }) => count + results.length, 0) > MOST_RESULTS) throw tooMany(field)
    await pause()
  }
  const [one, ...others] = read
  if (!one || others.some(({ method }) => method !== one.method)) throw wrongField(field, 'results_not_readable')
  if (others.length === 0) return one
  const results = read.flatMap((file, at) =>
    file.results.map((result) => ({ ...result, part: at * MOST_RESULTS + (result.part ?? 0) })),
  )
  return { method: one.method, results: results.map((result, at) => ({ ...result, row: at + 1 })) }
}

async function readFile(field: Field, text: string): Promise<{ method: PaymentFileMethod; results: Result[] }> {
  for (const shape of shapes) {
    const file = await shape(field, text)
    for (const method of file ? paymentFileMethods : []) {
      const results = method.file.read(file!)
      if (!results) continue
      if ('wrong' in results) throw refusalOfWrong({ ...results, field })
      return { method, results }
    }
  }
  throw wrongField(field, 'results_not_readable')
}

const tooMany = (field: Field) => wrongField(field, 'results_too_many', { max: MOST_RESULTS })

/** The shapes that a file may have, in the order in which they are tried: any text may be a table. */
const shapes: ((field: Field, text: string) => Promise<ResultsFile | null>)[] = [
  async (field, text) => {
    if (!isXml(text)) return null
    try {
      return { documents: await readDocuments(text) }
    } catch (error) {
      if (error instanceof XmlError) throw wrongField(field, 'results_not_readable')
      throw error
    }
  },
  async (_field, text) => (isXml(text) ? null : { text }),
  async (field, text) => (isXml(text) ? null : { table: await parseRecords(text, { field, most: MOST_RESULTS }) }),
]

/** A result and the payout that it may be about. */
type Item = { result: Result; payout: Known | undefined; ofBank?: BankFind; sumDiffers?: number }

/**
 * Returns what the results are about: each a payout, or every payout of a file that no other names; one item without any
 * if nothing is known. Ends beyond `MOST_RESULTS`.
 */
function itemsOf(method: PaymentFileMethod, found: KnownPayouts, account: AccountFacts, results: Result[]): Item[] {
  const finds = new Map(results.map((result) => [result, result.bank && findOfBank(found, result)]))
  const named = new Set<string>()
  const alone = new Set<string>()
  for (const [result, find] of finds) {
    if (!find) continue
    named.add(find.filed.reference!)
    if (result.outcome === 'paid' || result.outcome === 'over') alone.add(find.filed.reference!)
  }
  const insideOf = groupByFile(found)
  const itemsAbout = (result: Result): Item[] => {
    const { bank } = result
    if (!bank) return [{ result, payout: findPayout(found.payouts, account, method, result) }]
    const ofBank = finds.get(result)
    if (ofBank) return [{ result: { ...result, bank: { ...bank, whole: false } }, payout: ofBank.payout, ofBank }]
    if (bank.whole) return itemsOfFile(found, result, { insideOf, named, alone })
    // a text is about something else if it does not name exactly one payment
    return bank.mentioned.length > 0 ? [] : [{ result, payout: undefined }]
  }
  const items: Item[] = []
  for (const result of results) {
    items.push(...itemsAbout(result))
    if (items.length > MOST_RESULTS) break
  }
  return items
}

type InsideFiles = ReadonlyMap<string | null, BankFind[]>

/** Returns what was filed in each file, once for all bookings that name it. */
function groupByFile({ payouts, filings }: KnownPayouts): InsideFiles {
  const byId = new Map(payouts.map((payout) => [payout.id, payout]))
  const finds = filings.map((filed): BankFind => ({ payout: byId.get(filed.payoutId)!, filed }))
  return Map.groupBy(finds, ({ filed }) => filed.fileId)
}

/** Returns a file's payouts; of a booking only if they make up its amount: all of them, or those that are left. */
function itemsOfFile(
  found: KnownPayouts,
  result: Result,
  { insideOf, named, alone }: { insideOf: InsideFiles; named: ReadonlySet<string>; alone: ReadonlySet<string> },
): Item[] {
  const { isStatement, currency } = result.bank!
  const names = namesOfFile(result.bank!)
  const called = found.files.filter((one) => names.includes(one.messageId.toUpperCase()))
  // an id that was cut at the end of a line may begin like another one
  const isCut = ({ messageId }: KnownFile) =>
    called.some((one) => one.messageId.length > messageId.length && one.messageId.startsWith(messageId))
  const [file, ...others] = called.filter((one) => !isCut(one))
  if (!file || others.length > 0) return [{ result, payout: undefined }]
  const inside = insideOf.get(file.id) ?? []
  const isSum = (amount: number) => isExactly(result.source, amount, file.currency) && currency === file.currency
  const rests = [selectRest(inside, alone), selectRest(inside)]
  const about =
    !isStatement || isSum(file.amount)
      ? inside.filter(({ filed }) => !named.has(filed.reference!))
      : rests.find((rest) => isSum(rest.reduce((sum, { filed }) => sum + (filed.payAmount ?? 0), 0)))
  if (!about) return [{ result, payout: undefined, sumDiffers: file.amount }]
  return about.map((ofBank) => ({ result, payout: ofBank.payout, ofBank }))
}

function judgeItem(by: Author, account: AccountFacts, { result, payout, ofBank, sumDiffers }: Item): Judged {
  if (ofBank) return judgeOfBank(by, account, result, ofBank)
  if (payout) return judgeResult(by, account, result, payout)
  const { row, bank } = result
  const reference = bank?.whole ? (bank.messageId ?? bank.mentioned[0]!) : result.reference
  const nothing = { payoutId: null, partnerName: null, amount: null, was: null, becomes: null }
  const { defaultCurrency: currency } = account
  const error =
    sumDiffers === undefined
      ? refusal('result_unknown')
      : refusal('result_sum_differs', {
          told: moneyInWords(fromDecimal(result.source, currency) ?? 0, currency),
          amount: moneyInWords(sumDiffers, currency),
        })
  return { shown: { row, reference, ...nothing, error: rowError(error), note: null } }
}
