import { moneyInWords } from '#contract/money.ts'
import { MOST_RESULTS, type PayoutResults, type PayoutResultsFile } from '#contract/payment-files.ts'
import type { By } from '../../platform/author.ts'
import { recordsOf } from '../../platform/csv/read-csv.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { refusal, rowError, wrongField } from '../../platform/refusal.ts'
import { isXml, readXml, XmlError } from '../../platform/xml/read-xml.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { shareLimits } from '../payouts/limits.ts'
import type { Result, ResultsFile } from '../payouts/methods/method.ts'
import { type Filing, filing, refusalOfWrong } from '../payouts/ways.ts'
import { type BankFind, findOfBank, judgeOfBank } from './bank-results.ts'
import type { Judged } from './effects.ts'
import { type Found, isExactly, type Known, knownOf } from './known.ts'
import { find, judge } from './provider-results.ts'

/**
 * Applies the results of a payment file: paid payouts are marked as paid, those that ended before are due again, and one
 * whose money came back after an earlier file marked it as paid is returned. Each row must match what we gave, else only
 * it changes nothing. A paid payout changes only by rows about the payment that paid it. All rows share one transaction;
 * a file that is applied again, or after a crash, finds its changes made. `dryRun` changes nothing.
 */
export async function applyResults(
  tx: Transaction,
  secrets: Secrets,
  by: By,
  account: AccountFacts,
  { csv, file, dryRun }: PayoutResultsFile,
): Promise<PayoutResults> {
  const field = csv === undefined ? 'file' : 'csv'
  const { method, results } = await readResults(field, (csv ?? file)!)
  await shareLimits(tx, account.id)
  const found = await knownOf(tx, secrets, account, { method, results, dryRun, by })
  const named = new Set(results.flatMap(({ reference }) => reference?.toUpperCase() ?? []))
  const items: Item[] = []
  for (const result of results) {
    items.push(...itemsOf(method, found, account, { result, named }))
    if (items.length > MOST_RESULTS) throw tooMany(field)
  }
  const judged = new Map<Item, Judged>()
  // a payment outweighs a failed transfer of the same payout, wherever it is in the file
  for (const item of items.toSorted((a, b) => rank(a.result) - rank(b.result))) {
    const one = judgeItem(by, account, item)
    judged.set(item, one)
    if (item.payout && one.leaves) Object.assign(item.payout, one.leaves)
  }
  let applied = 0
  for (const { act } of judged.values()) {
    if (!act || dryRun) continue
    await act(tx)
    applied++
  }
  return { rows: items.map((item) => judged.get(item)!.shown), applied }
}

const rank = ({ outcome }: Result) => (outcome === 'paid' ? 0 : 1)

/** Reads a file by the format that its shape shows. Refuses: `validation_failed` for one of no format. */
async function readResults(field: 'file' | 'csv', text: string): Promise<{ method: Filing; results: Result[] }> {
  const file = await shapeOf(field, text)
  for (const method of filing) {
    const results = method.file.read(file)
    if (!results) continue
    if ('wrong' in results) throw refusalOfWrong({ ...results, field })
    if (results.length > MOST_RESULTS) throw tooMany(field)
    return { method, results }
  }
  throw wrongField(field, 'results_not_readable')
}

const tooMany = (field: 'file' | 'csv') => wrongField(field, 'results_too_many', { max: MOST_RESULTS })

async function shapeOf(field: 'file' | 'csv', text: string): Promise<ResultsFile> {
  if (!isXml(text)) return { table: await recordsOf(text, { field, most: MOST_RESULTS }) }
  try {
    return { xml: await readXml(text) }
  } catch (error) {
    if (error instanceof XmlError) throw wrongField(field, 'results_not_readable')
    throw error
  }
}

/** A result and the payout that it may be about. */
type Item = { result: Result; payout: Known | undefined; ofBank?: BankFind; sumDiffers?: number }

/**
 * Returns what a result is about: a payout, or each one of a file but those `named` by themselves; one item without any
 * if nothing is known.
 */
function itemsOf(
  method: Filing,
  found: Found,
  account: AccountFacts,
  { result, named }: { result: Result; named: Set<string> },
): Item[] {
  if (!result.bank) return [{ result, payout: find(found.payouts, account, method, result) }]
  if (!result.bank.whole) {
    const ofBank = findOfBank(found, result)
    return [{ result, payout: ofBank?.payout, ...(ofBank && { ofBank }) }]
  }
  const { messageId, isStatement, currency } = result.bank
  const file = found.files.find((one) => one.messageId.toUpperCase() === messageId?.toUpperCase())
  if (!file) return [{ result, payout: undefined }]
  const isSum = isExactly(result.source, file.amount, file.currency) && currency === file.currency
  if (isStatement && !isSum) return [{ result, payout: undefined, sumDiffers: file.amount }]
  const inside = found.filings.filter(({ fileId }) => fileId === file.id)
  return inside
    .filter(({ reference }) => !named.has(reference!.toUpperCase()))
    .map((filed) => {
      const payout = found.payouts.find(({ id }) => id === filed.payoutId)!
      return { result, payout, ofBank: { payout, filed } }
    })
}

function judgeItem(by: By, account: AccountFacts, { result, payout, ofBank, sumDiffers }: Item): Judged {
  if (ofBank) return judgeOfBank(by, account, result, ofBank)
  if (payout) return judge(by, account, result, payout)
  const { row, bank } = result
  const reference = bank?.whole ? bank.messageId : result.reference
  const nothing = { payoutId: null, partnerName: null, amount: null, was: null, becomes: null }
  const error =
    sumDiffers === undefined
      ? refusal('result_unknown')
      : refusal('result_amount_differs', { amount: moneyInWords(sumDiffers, account.defaultCurrency) })
  return { shown: { row, reference, ...nothing, error: rowError(error) } }
}
