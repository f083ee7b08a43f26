import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  type AvailableProvider,
  type Connection,
  checkConnection,
  disconnectProvider,
} from '#contract/payment-providers.ts'
import { useCall } from '../../calls.ts'
import { formatAgo, formatCount, formatDateAt, formatLongDateTime } from '../../format.ts'
import { HTTPS_STEPS } from '../../shared/docs.ts'
import { isMoving } from '../../shared/imports.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'

import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { AgainIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { useConsent } from './consent.ts'
import { PastSales } from './PastSales.tsx'
import { PastSalesDialog } from './PastSalesDialog.tsx'
import styles from './PaymentProviders.module.css'
import { pastSales } from './queries.ts'
import { ReplaceDialog } from './ReplaceDialog.tsx'
import { SigningSecret } from './SigningSecret.tsx'

type Props = {
  connection: Connection
  /** The fields the provider declares; absent if it can no longer be connected here. */
  offer: AvailableProvider | undefined
  name: string
}

/** A connected provider: state, remedies and details. */
export function ConnectionCard({ connection, offer, name }: Props) {
  const {
    id: connectionId,
    accountId,
    provider,
    method,
    livemode,
    state,
    stateReason,
    webhookUrl,
    webhookSecretSet,
  } = connection
  const byKey = method === 'credentials'
  const [replacing, setReplacing] = useState<'same' | 'live' | null>(null)
  const [ending, setEnding] = useState(false)
  const [asking, setAsking] = useState(false)
  const last = useQuery(pastSales(accountId)).data?.items.find((one) => one.connectionId === connectionId)
  const check = useCall(checkConnection, {
    onSuccess: (checked) => {
      if (checked.state === 'connected') toast(t('paymentProviders.checked', { provider: name }))
    },
  })
  const consent = useConsent()
  const refused = check.error ?? consent.error
  return (
    <section aria-label={name} className={styles.card}>
      <div className={styles.head}>
        <span aria-hidden="true" className={styles.tile}>
          {name.slice(0, 1)}
        </span>
        <h2>{name}</h2>
        <StatusBadge of="provider" status={state} />
        {!livemode && <Badge tone="waits">{t('badges.testMode')}</Badge>}
        <div className={styles.actions}>
          <Button
            small
            icon={<AgainIcon size={16} />}
            busy={check.busy}
            onClick={() => check.mutate({ params: { id: accountId, connectionId } })}
          >
            {t('paymentProviders.checkNow')}
          </Button>
          <LinkButton small to="/integrations/payment-providers/$connectionId/events" params={{ connectionId }}>
            {t('paymentProviders.events.open')}
          </LinkButton>
          {!byKey && state === 'attention' && offer?.methods.includes('oauth') && (
            <Button
              small
              look="primary"
              busy={consent.busy}
              onClick={() => consent.mutate({ params: { id: accountId, provider } })}
            >
              {t('paymentProviders.connectAgain')}
            </Button>
          )}
          {byKey && webhookUrl && webhookSecretSet && (
            <CopyButton small value={webhookUrl} label={t('paymentProviders.copyUrl')}>
              {t('paymentProviders.copyUrl')}
            </CopyButton>
          )}
          {byKey && offer && !livemode && (
            <Button small look="primary" onClick={() => setReplacing('live')}>
              {t('paymentProviders.goLive')}
            </Button>
          )}
          {byKey && offer && (
            <Button small onClick={() => setReplacing('same')}>
              {t('paymentProviders.replace')}
            </Button>
          )}
          {offer?.remembers && (
            <Button small disabled={last && isMoving(last)} onClick={() => setAsking(true)}>
              {t('paymentProviders.past.open')}
            </Button>
          )}
          <Button small look="remove" onClick={() => setEnding(true)}>
            {t('paymentProviders.disconnect')}
          </Button>
        </div>
      </div>
      {refused && <Message kind="error">{explainRefusal(refused)}</Message>}
      {stateReason && <Trouble reason={stateReason} />}
      {byKey && !webhookSecretSet && <SigningSecret connection={connection} offer={offer} name={name} />}
      {last && <PastSales imported={last} name={name} />}
      <Known connection={connection} name={name} />
      {replacing && offer && (
        <ReplaceDialog connection={connection} offer={offer} by={replacing} onClose={() => setReplacing(null)} />
      )}
      {asking && <PastSalesDialog connection={connection} name={name} onClose={() => setAsking(false)} />}
      {ending && <Ending connection={connection} name={name} onClose={() => setEnding(false)} />}
    </section>
  )
}

/** Shows the reason's first sentence as the trouble, the rest as what to do about it. */
function Trouble({ reason }: { reason: string }) {
  const [what = '', ...rest] = reason.split(/(?<=\.) /)
  return (
    <Message kind="warning">
      <strong>{what}</strong> {rest.join(' ')}
      {reason.includes('APP_URL') && (
        <>
          {' '}
          <a href={HTTPS_STEPS}>{t('paymentProviders.setHttps')}</a>
        </>
      )}
    </Message>
  )
}

function Known({ connection, name }: { connection: Connection; name: string }) {
  const { timeZone } = useAccount()
  const {
    accountName,
    defaultCurrency,
    providerAccountIdentifier,
    createdAt,
    lastEventAt,
    eventsLast24h,
    reconciledAt,
    state,
  } = connection
  const facts: { label: string; value: ReactNode }[] = [
    { label: t('paymentProviders.account'), value: accountName ?? t('absent') },
    { label: t('paymentProviders.currency'), value: defaultCurrency?.toUpperCase() ?? t('absent') },
    {
      label: t('paymentProviders.identifier'),
      value: providerAccountIdentifier ? <code>{providerAccountIdentifier}</code> : t('absent'),
    },
    { label: t('paymentProviders.connectedOn'), value: formatDateAt(createdAt, timeZone) },
    {
      label: t('paymentProviders.lastEvent'),
      value: lastEventAt ? (
        <span
          title={formatLongDateTime(lastEventAt, timeZone)}
          className={state === 'attention' && eventsLast24h === 0 ? styles.late : undefined}
        >
          {formatAgo(lastEventAt, timeZone)}
        </span>
      ) : (
        t('paymentProviders.never')
      ),
    },
    { label: t('paymentProviders.events24h'), value: formatCount(eventsLast24h) },
    ...(reconciledAt
      ? [
          {
            label: t('paymentProviders.reconciled'),
            value: <span title={formatLongDateTime(reconciledAt, timeZone)}>{formatAgo(reconciledAt, timeZone)}</span>,
          },
        ]
      : []),
  ]
  return (
    <dl aria-label={t('paymentProviders.facts', { provider: name })} className={styles.facts}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type EndingProps = { connection: Connection; name: string; onClose: () => void }

function Ending({ connection: { id, accountId }, name, onClose }: EndingProps) {
  const disconnect = useCall(disconnectProvider, {
    onSuccess: () => toast(t('paymentProviders.disconnected', { provider: name })),
  })
  return (
    <Confirm
      danger
      heading={t('paymentProviders.disconnectHeading', { provider: name })}
      confirm={t('paymentProviders.disconnect')}
      call={disconnect}
      onConfirm={() => disconnect.mutate({ params: { id: accountId }, body: { connectionId: id } })}
      onClose={onClose}
    >
      {t('paymentProviders.disconnectText', { provider: name })}
    </Confirm>
  )
}
