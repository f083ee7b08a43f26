import {
  type AvailableProvider,
  connectProvider,
  getConnectUrl,
  type ProviderConnection,
} from '#contract/payment-providers.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { paymentProviderWords } from '../../words/payment-providers.ts'
import { connectLabel } from './connect-label.ts'
import { useConsent } from './consent.ts'
import styles from './PaymentProviders.module.css'
import { ProviderMark } from './ProviderMark.tsx'

type Props = {
  offer: AvailableProvider
  /** No provider is connected yet, and this is the one most accounts begin with. */
  first: boolean
  /** The most recent connection that was ended. */
  former: ProviderConnection | undefined
  onConnect: () => void
}

/** A provider that can be connected: at the provider's site if this server supports it, else with a key. */
export function OfferCard({ offer: { provider, name, methods }, first, former, onConnect }: Props) {
  const { id } = useAccount()
  const consent = useConsent()
  const look = first ? 'primary' : 'secondary'
  const label = connectLabel({ provider, name })
  const about =
    provider === 'generic' ? paymentProviderWords.aboutGeneric : paymentProviderWords.about({ provider: name })
  return (
    <li aria-label={name} className={`panel ${styles.offer}`}>
      <div className="row gap-3">
        <ProviderMark provider={provider} />
        <h2 className="rest">{name}</h2>
        {former && <StatusBadge of="provider" status="disconnected" />}
      </div>
      <p className="muted">{former ? paymentProviderWords.ended : about}</p>
      {former?.stateReason && <Message kind="warning">{former.stateReason}</Message>}
      {consent.error && <Message kind="error">{explainRefusal(consent.error)}</Message>}
      {methods.includes('oauth') ? (
        <div className="row">
          <Button
            look={look}
            needs={getConnectUrl}
            busy={consent.busy}
            onClick={() => consent.mutate({ params: { id, provider } })}
          >
            {label}
          </Button>
          <Button needs={connectProvider} onClick={onConnect}>
            {paymentProviderWords.byKey}
          </Button>
        </div>
      ) : (
        <Button look={look} needs={connectProvider} onClick={onConnect}>
          {label}
        </Button>
      )}
    </li>
  )
}
