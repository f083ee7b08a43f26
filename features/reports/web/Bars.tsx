import { formatNumber } from '#contract/format.ts'
import { dimensionInSentence } from '#contract/report-in-words.ts'
import { formatMoney } from '#web/format.ts'
import { reportRowName } from '#web/shared/report-rows.ts'
import { Panel } from '#web/ui/Panel.tsx'
import type { ReportDimension, ReportRow } from '../contract.ts'
import { reportWords } from '../text.ts'
import styles from './Bars.module.css'

const figures = ['clicks', 'leads', 'sales', 'revenue', 'commission', 'profit', 'refunds'] as const
type Figure = (typeof figures)[number]
const counts: readonly Figure[] = ['clicks', 'leads', 'sales']

/** Rows shown. */
const MOST = 10

type Props = { answer: { items: ReportRow[]; by: ReportDimension; currency: string }; sort: string }

/** The first rows of the table as bars, of the figure it is sorted by; the table has the same for screen readers. */
export function Bars({ answer: { items, by, currency }, sort }: Props) {
  const figure = figures.find((name) => name === sort.replace(/^-/, '')) ?? 'revenue'
  const rows = items.slice(0, MOST).map((row) => ({ name: reportRowName(by, row), amount: row[figure] ?? 0 }))
  const largest = Math.max(...rows.map(({ amount }) => Math.abs(amount)), 0)
  if (largest === 0) return null
  const say = (amount: number) => (counts.includes(figure) ? formatNumber(amount) : formatMoney(amount, currency))
  const heading = reportWords.chart({ figure: reportWords[figure], by: dimensionInSentence(by) })
  return (
    <Panel heading={heading}>
      <ol className={`inset ${styles.bars}`} aria-hidden="true">
        {rows.map(({ name, amount }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows may have equal names
          <li key={at} className={styles.row}>
            <span className={styles.name}>{name}</span>
            <span className={styles.track}>
              <span
                className={styles.bar}
                data-negative={amount < 0 || undefined}
                style={{ inlineSize: `${(Math.abs(amount) / largest) * 100}%` }}
              />
            </span>
            <span className={styles.figure}>{say(amount)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
