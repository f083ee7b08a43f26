import type { Sale } from '#contract/sales.ts'
import { basicWords } from '../../words/basic.ts'
import { saleWords } from '../../words/leads.ts'
import styles from './Payer.module.css'
import { customerAtStripe, isPaymentProvider, providerLabel } from './words.ts'

type OfPayment = Pick<Sale, 'payerEmail' | 'providerCustomerId' | 'providerUrl' | 'livemode'> & {
  provider: Sale['provider'] | null
}

export const hasPayer = ({ payerEmail, providerCustomerId, providerUrl }: OfPayment) =>
  Boolean(payerEmail || providerCustomerId || providerUrl)

/** The payer from the payment: their email, the provider's customer id, and the payment's page there. */
export function Payer({ of }: { of: OfPayment }) {
  const { payerEmail, providerCustomerId, providerUrl, provider } = of
  if (!hasPayer(of)) return <span className="muted">{basicWords.absent}</span>
  const customer = customerAtStripe(of)
  return (
    <div className={styles.payer}>
      {payerEmail && (
        <p title={payerEmail} className="ellipsis">
          {payerEmail}
        </p>
      )}
      {(providerCustomerId || providerUrl) && (
        <div className={styles.there}>
          {providerCustomerId && (
            <p title={providerCustomerId} className="ellipsis">
              {customer ? (
                <a href={customer} target="_blank" rel="noreferrer">
                  <code className="small">{providerCustomerId}</code>
                </a>
              ) : (
                <code className="muted small">{providerCustomerId}</code>
              )}
            </p>
          )}
          {providerUrl && (
            <a href={providerUrl} target="_blank" rel="noreferrer">
              {provider && isPaymentProvider(provider)
                ? saleWords.openIn({ provider: providerLabel(provider) })
                : saleWords.openPayment}
            </a>
          )}
        </div>
      )}
    </div>
  )
}
