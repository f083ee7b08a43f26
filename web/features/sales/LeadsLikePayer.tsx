import type { SimilarLead } from '#contract/sales.ts'
import { saleWords } from '../../words/leads.ts'
import styles from './Sales.module.css'

/** Leads shown; less likely ones are found by their name. */
const SHOWN = 5

type Props = { leads: readonly SimilarLead[]; chosen: string | undefined; onChoose: (id: string) => void }

/** Leads that may be the payer of a sale, each a button that chooses it. */
export function LeadsLikePayer({ leads, chosen, onChoose }: Props) {
  if (leads.length === 0) return null
  return (
    <section aria-label={saleWords.attribute.alike} className="stack gap-1">
      <h3 className="small">{saleWords.attribute.alike}</h3>
      <ul className="stack gap-1">
        {leads.slice(0, SHOWN).map(({ id, displayName, email, partnerName, reasons, referredLater }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={id === chosen}
              className={`choice ${styles.lead}`}
              onClick={() => onChoose(id)}
            >
              <span className="rest">
                <span className={styles.line}>
                  <strong>{displayName}</strong>
                  {email && <span className="muted"> {email}</span>}
                </span>
                <span className={`small ${styles.line}`}>
                  {partnerName}
                  <span className="muted">
                    {reasons.map((reason) => ` · ${saleWords.attribute.because[reason]}`).join('')}
                  </span>
                  {referredLater && <span className="warning">{` · ${saleWords.attribute.referredLater}`}</span>}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
