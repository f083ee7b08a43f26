import type { Sale } from '#contract/sales.ts'
import { basicWords } from '../../words/basic.ts'
import styles from './Payer.module.css'
import { customerAtStripe } from './words.ts'

/** The payer from the payment: their email, and the provider's customer id, linked to the provider if possible. */
export function Payer({ sale }: { sale: Sale }) {
  const { payerEmail, providerCustomerId } = sale
  if (!payerEmail && !providerCustomerId) return <span className="muted">{basicWords.absent}</span>
  const href = customerAtStripe(sale)
  return (
    <div className={styles.payer}>
      {payerEmail && (
        <p title={payerEmail} className="ellipsis">
          {payerEmail}
        </p>
      )}
      {providerCustomerId && <ProviderId href={href}>{providerCustomerId}</ProviderId>}
    </div>
  )
}

/** An id that links to its page at the provider, if there is one. */
export const ProviderId = ({ href, children: id }: { href: string | null; children: string }) => (
  <p title={id} className={`ellipsis ${styles.payer}`}>
    {href ? (
      <a href={href} target="_blank" rel="noreferrer">
        <code className="small">{id}</code>
      </a>
    ) : (
      <code className="muted small">{id}</code>
    )}
  </p>
)
