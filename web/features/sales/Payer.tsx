import type { Sale } from '#contract/sales.ts'
import { basicWords } from '../../words/basic.ts'
import styles from './Sales.module.css'
import { customerAtStripe } from './words.ts'

/** The payer from the payment: their email, and the provider's customer id, linked to the provider if possible. */
export function Payer({ sale }: { sale: Sale }) {
  const { payerEmail, providerCustomerId } = sale
  if (!payerEmail && !providerCustomerId) return <span className="muted">{basicWords.absent}</span>
  const href = customerAtStripe(sale)
  return (
    <span className={styles.payer}>
      {payerEmail && <span title={payerEmail}>{payerEmail}</span>}
      {providerCustomerId && (
        <code title={providerCustomerId} className={styles.externalId}>
          <ThereOrPlain href={href}>{providerCustomerId}</ThereOrPlain>
        </code>
      )}
    </span>
  )
}

/** An id that links to its page at the provider, if there is one. */
export const ThereOrPlain = ({ href, children }: { href: string | null; children: string }) =>
  href ? (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  ) : (
    children
  )
