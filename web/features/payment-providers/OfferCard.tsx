import type { AvailableProvider, Connection } from '#contract/payment-providers.ts'
import { Button } from '../../ui/Button.tsx'
import { Message } from '../../ui/Message.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { t } from '../../words.ts'
import styles from './PaymentProviders.module.css'

type Props = {
  offer: AvailableProvider
  /** Nothing is connected yet, and this is what most accounts begin with. */
  first: boolean
  /** The latest connection that has ended. */
  former: Connection | undefined
  onConnect: () => void
}

/** A provider that can be connected. */
export function OfferCard({ offer: { name }, first, former, onConnect }: Props) {
  return (
    <li aria-label={name} className={styles.offer}>
      <div className={styles.head}>
        <span aria-hidden="true" className={styles.tile}>
          {name.slice(0, 1)}
        </span>
        <h2>{name}</h2>
        <StatusBadge of="provider" status={former ? 'disconnected' : 'not-connected'} />
      </div>
      <p>{former ? t('paymentProviders.ended') : t('paymentProviders.about', { provider: name })}</p>
      {former?.stateReason && <Message kind="warning">{former.stateReason}</Message>}
      <Button look={first ? 'primary' : 'secondary'} onClick={onConnect}>
        {t('paymentProviders.connect', { provider: name })}
      </Button>
    </li>
  )
}
