import { formatNumber } from '#contract/format.ts'
import { formatPart } from '../../format.ts'
import { Panel } from '../../ui/Panel.tsx'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import styles from './Funnel.module.css'

type Props = { clicks: number; leads: number; sales: number }

/** The funnel from clicks to leads to sales: bars on one scale, each with its share of the step before. */
export function Funnel({ clicks, leads, sales }: Props) {
  const most = Math.max(clicks, leads, sales, 1)
  const rate = (part: number, of: number) => (of > 0 && part <= of ? formatPart(part / of) : null)
  const ofClicks = rate(leads, clicks)
  const ofLeads = rate(sales, leads)
  const steps = [
    { key: 'clicks', label: fieldWords.clicks, count: clicks, note: null },
    {
      key: 'leads',
      label: fieldWords.leads,
      count: leads,
      note: ofClicks && partnerWords.detail.shareOfClicks({ rate: ofClicks }),
    },
    {
      key: 'sales',
      label: fieldWords.sales,
      count: sales,
      note: ofLeads && partnerWords.detail.shareOfLeads({ rate: ofLeads }),
    },
  ] as const
  const heading = partnerWords.detail.funnel
  return (
    <Panel heading={heading}>
      <dl aria-label={heading} className={`stack inset ${styles.funnel}`}>
        {steps.map(({ key, label, count, note }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd aria-hidden="true" className={styles.bar}>
              <span className={styles[key]} style={{ width: `${(count / most) * 100}%` }} />
            </dd>
            <dd className={styles.count}>
              <strong>{formatNumber(count)}</strong> {note && <small className="muted">{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
