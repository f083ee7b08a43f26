import type { Sale } from '#contract/sales.ts'
import { t } from '../../words.ts'
import styles from './Sales.module.css'
import { customerAtStripe } from './words.ts'

/** Who paid, as the payment itself says: an email, and the customer of the provider, looked up there where that is known. */
export function Payer({ sale }: { sale: Sale }) {
  const { payerEmail, providerCustomerId } = sale
  if (!payerEmail && !providerCustomerId) return <span className={styles.muted}>{t('absent')}</span>
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

/** An id that leads to where the provider shows what it stands for. */
export const ThereOrPlain = ({ href, children }: { href: string | null; children: string }) =>
  href ? (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  ) : (
    children
  )
