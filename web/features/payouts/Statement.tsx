import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { entryTitlePhrases } from '#contract/entry-title-words.ts'
import { formatNumber } from '#contract/format.ts'
import { getPayoutStatement, listPayoutEntries, type Payout, type PayoutStatement } from '#contract/payouts.ts'
import { receivedInWords } from '#contract/received.ts'
import type { CommissionEntryWithSale } from '#contract/sales.ts'
import {
  destinationLabel,
  paymentDays,
  standingInWords,
  statementFileName,
  statementTotals,
  statementWords,
} from '#contract/statement.ts'
import { CallError, callApi } from '../../api.ts'
import { formatDate, formatDateAt, formatDateRange, formatMoney, formatRate, formatZone } from '../../format.ts'
import { formatDay, formatTitle } from '../../shared/commission-entries.tsx'
import type { Entry } from '../../ui/actions.tsx'
import { useDownloadedFile } from '../../ui/DownloadButton.tsx'
import { downloadFile } from '../../ui/download.ts'
import { showToast } from '../../ui/toasts.ts'
import { entryWords } from '../../words/commissions.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { payoutWords } from '../../words/payouts.ts'
import styles from './Statement.module.css'
import { numberOf } from './words.ts'

/** Returns the actions to print and to download the payout's statement; the screen must render `printed`. */
export function useStatement(payout: Payout): {
  actions: Entry<Payout>[]
  file: ReturnType<typeof useDownloadedFile>
  printed: ReactNode
} {
  const { id } = payout
  const print = usePrint(id)
  const file = useDownloadedFile({
    fallback: `${statementFileName(payout)}.pdf`,
    load: () => downloadFile(getPayoutStatement, { params: { id }, accept: 'application/pdf' }),
  })
  const invoice = useDownloadedFile({
    fallback: `${payout.invoiceNumber}.pdf`,
    load: async () => (await import('../../shared/payout-invoice.ts')).loadPayoutInvoice(payout),
  })
  return {
    actions: [
      payout.invoiceNumber !== null && {
        label: payoutWords.statement.downloadInvoice({ number: payout.invoiceNumber }),
        needs: getPayoutStatement,
        disabled: invoice.busy,
        run: invoice.save,
      },
      { label: payoutWords.statement.print, needs: getPayoutStatement, disabled: print.busy, run: print.load },
    ],
    file,
    printed: print.printed,
  }
}

type Whole = { statement: PayoutStatement; entries: CommissionEntryWithSale[] }

function usePrint(id: string) {
  const [busy, setBusy] = useState(false)
  const [whole, setWhole] = useState<Whole | null>(null)
  async function load() {
    setBusy(true)
    try {
      setWhole(await wholeStatement(id))
    } catch (refusal) {
      if (!(refusal instanceof CallError)) throw refusal
      showToast(refusal.message, { failed: true })
    } finally {
      setBusy(false)
    }
  }
  useEffect(() => {
    if (!whole) return
    // A later print reads the statement again.
    const done = () => setWhole(null)
    window.addEventListener('afterprint', done)
    window.print()
    return () => window.removeEventListener('afterprint', done)
  }, [whole])
  return { busy, load, printed: whole && createPortal(<Printed {...whole} />, document.body) }
}

const MOST_ROWS = 100

/** Reads the statement with all its entries, oldest first. */
async function wholeStatement(id: string): Promise<Whole> {
  const statement = await callApi(getPayoutStatement, { params: { id } })
  const entries: CommissionEntryWithSale[] = []
  let cursor: string | undefined
  do {
    const query = { limit: MOST_ROWS, sort: 'createdAt', cursor } as const
    const page = await callApi(listPayoutEntries, { params: { id }, query })
    entries.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return { statement, entries }
}

/** The only content on paper; hidden on screen. */
function Printed({ statement, entries }: Whole) {
  const { payout, timeZone, sums } = statement
  const { currency } = payout
  const totals = statementTotals(statement)
  return (
    <div className={styles.statement}>
      <h2>{statementWords.heading({ number: numberOf(payout) })}</h2>
      <p>{standingInWords(payout, formatDate)}</p>
      <dl>
        {factsOf(statement).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3>{statementWords.summary}</h3>
      <table>
        <tbody>
          {sums.map(({ kind, count, amount }) => (
            <tr key={kind}>
              <td>{statementWords.kinds[kind]}</td>
              <td className={styles.figure}>{statementWords.count({ count })}</td>
              <td className={styles.figure}>{formatMoney(amount, currency)}</td>
            </tr>
          ))}
          {totals.map(({ label, amount }) => (
            <tr key={label} className={styles.total}>
              <th scope="row" colSpan={2}>
                {label}
              </th>
              <td className={styles.figure}>{formatMoney(amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>{payoutWords.detail.entries}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">{fieldWords.date}</th>
            <th scope="col">{fieldWords.sale}</th>
            {[fieldWords.layer, fieldWords.rate, entryWords.columns.base, fieldWords.amount].map((name) => (
              <th key={name} scope="col" className={styles.figure}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} timeZone={timeZone} />
          ))}
          <tr className={styles.total}>
            <th scope="row" colSpan={5}>
              {fieldWords.total}
            </th>
            <td className={styles.figure}>{formatMoney(totals[0]!.amount, currency)}</td>
          </tr>
        </tbody>
      </table>
      <footer>
        <p>{statementWords.units({ currency: currency.toUpperCase(), timeZone: formatZone(timeZone) })}</p>
        <p>{statementWords.layers}</p>
        <p>{statementWords.later}</p>
      </footer>
    </div>
  )
}

function EntryRow({ entry, timeZone }: { entry: CommissionEntryWithSale; timeZone: string }) {
  const { saleId, paidFor, lead, layer, rate, baseAmount, amount, currency } = entry
  return (
    <tr>
      <td className={styles.day}>{formatDay(entry, timeZone)}</td>
      <td>
        {formatTitle(entry)}
        {(saleId !== null || paidFor !== null) && <small>{lead?.name ?? entryTitlePhrases.leadHidden}</small>}
      </td>
      <td className={styles.figure}>{layer !== null && formatNumber(layer + 1)}</td>
      <td className={styles.figure}>{rate !== null && formatRate(rate)}</td>
      <td className={styles.figure}>{baseAmount !== null && formatMoney(baseAmount, currency)}</td>
      <td className={styles.figure}>{formatMoney(amount, currency)}</td>
    </tr>
  )
}

function factsOf({ payout, accountName, timeZone, destination }: PayoutStatement) {
  const { periodStart: from, periodEnd: to, approvedAt, externalReference, invoiceNumber } = payout
  const day = (at: string | null) => at && formatDateAt(at, timeZone)
  const { sent, paid } = paymentDays(payout, { day, dayInWords: formatDate })
  const facts = [
    { label: statementWords.from, value: accountName },
    { label: statementWords.to, value: payout.partnerName },
    {
      label: statementWords.sales,
      value: from && to && formatDateRange(from, to),
    },
    { label: statementWords.approved, value: day(approvedAt) },
    { label: statementWords.sent, value: sent },
    { label: statementWords.paid, value: paid },
    { label: destinationLabel(payout), value: destination },
    { label: statementWords.received, value: receivedInWords(payout) },
    { label: labelWords.externalReference, value: externalReference },
    { label: statementWords.invoice, value: invoiceNumber },
  ]
  return facts.filter(({ value }) => value)
}
