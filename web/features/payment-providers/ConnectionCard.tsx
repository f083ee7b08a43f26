import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  type AvailableProvider,
  ConnectionChange,
  changeConnection,
  checkConnection,
  disconnectProvider,
  getConnectUrl,
  importPastSales,
  type ProviderConnection,
  saveCodeRule,
} from '#contract/payment-providers.ts'
import { useCall } from '../../calls.ts'
import { formatAgo, formatLongDateTime } from '../../format.ts'
import { HTTPS_STEPS } from '../../shared/docs.ts'
import { isMoving } from '../../shared/imports.ts'
import { MakeCodes, StopCodes } from '../../shared/MakeCodes.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { defineAction } from '../../ui/act.tsx'
import { type Entry, exposeAction, useStart } from '../../ui/actions.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { copyText } from '../../ui/copy.ts'
import { explainRefusal } from '../../ui/form.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { AgainIcon } from '../../ui/icons.tsx'
import { Message } from '../../ui/Message.tsx'
import { showToast } from '../../ui/toasts.ts'
import { badgeWords } from '../../words/badges.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { paymentProviderWords } from '../../words/payment-providers.ts'
import { CredentialField } from './CredentialField.tsx'
import { useConsent } from './consent.ts'
import { ImportPastSales } from './ImportPastSales.tsx'
import { PastSales } from './PastSales.tsx'
import styles from './PaymentProviders.module.css'
import { ProviderMark } from './ProviderMark.tsx'
import { pastSales } from './queries.ts'
import { SigningSecret, WebhookUrl } from './SigningSecret.tsx'

type Props = {
  connection: ProviderConnection
  /** The fields the provider declares; absent if it can no longer be connected here. */
  offer: AvailableProvider | undefined
  name: string
}

type Connected = { connection: ProviderConnection; name: string }

/** A connected provider: its state, the remedy if it needs one, and a menu of everything else. */
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
    lastEventAt,
  } = connection
  const byKey = method === 'credentials'
  const start = useStart()
  const imports = useQuery(pastSales(accountId)).data
  const last = imports?.items.find((one) => one.connectionId === connectionId)
  const check = useCall(checkConnection, {
    onSuccess: (checked) => {
      if (checked.state === 'connected') showToast(paymentProviderWords.checked({ provider: name }))
    },
  })
  const consent = useConsent()
  const refused = check.error ?? consent.error
  const router = useRouter()
  const reconnects = !byKey && state === 'attention' && offer?.methods.includes('oauth')
  // without its signing secret the form below is the remedy
  const checks = !reconnects && state === 'attention' && !(byKey && !webhookSecretSet)
  // its webhook is made by hand, with the secret entered before
  const awaitsFirst = byKey && webhookSecretSet && !lastEventAt && offer?.webhookSteps
  // no endpoint can lead to an address on http, so there is no secret to enter yet
  const forward = byKey && !webhookSecretSet && needsHttps(stateReason) && offer?.forwardCommand
  const reconnect = () => consent.mutate({ params: { id: accountId, provider } })
  const checkNow = () => check.mutate({ params: { id: accountId, connectionId } })
  const importPast = () => start(ImportPastSales, { connection, name })
  const replaceable = byKey ? offer : undefined
  const actions: Entry<Connected>[] = [
    !checks && { label: paymentProviderWords.checkNow, needs: checkConnection, run: checkNow, disabled: check.busy },
    {
      label: paymentProviderWords.events.open,
      run: () =>
        void router.navigate({
          to: '/integrations/payment-providers/$connectionId/events',
          params: { connectionId },
        }),
    },
    byKey &&
      webhookSecretSet &&
      webhookUrl !== null && { label: paymentProviderWords.copyUrl, run: () => copyText(webhookUrl) },
    replaceable &&
      !livemode && {
        label: paymentProviderWords.goLive,
        needs: changeConnection,
        run: () => start(Replace, { connection, offer: replaceable, by: 'live' }),
      },
    replaceable && {
      label: paymentProviderWords.replace,
      needs: changeConnection,
      run: () => start(Replace, { connection, offer: replaceable, by: 'same' }),
    },
    offer?.makesCodes && {
      label: paymentProviderWords.codes.open,
      needs: saveCodeRule,
      run: () => start(MakeCodes, { connection, name, kind: offer.makesCodes! }),
    },
    StopCodes,
    offer?.canImportPastSales && {
      label: paymentProviderWords.past.open,
      needs: importPastSales,
      run: importPast,
      disabled: last !== undefined && isMoving(last),
    },
    Disconnect,
  ]
  return (
    <section aria-label={name} className="panel stack inset-all">
      <div className="row gap-3">
        <ProviderMark provider={provider} />
        <h2>{name}</h2>
        <StatusBadge of="provider" status={state} />
        {!livemode && <Badge tone="waits">{badgeWords.testMode}</Badge>}
        <div className="row to-end">
          {reconnects ? (
            <Button small look="primary" needs={getConnectUrl} busy={consent.busy} onClick={reconnect}>
              {paymentProviderWords.connectAgain}
            </Button>
          ) : (
            checks && (
              <Button
                small
                look="primary"
                needs={checkConnection}
                icon={<AgainIcon size={16} />}
                busy={check.busy}
                onClick={checkNow}
              >
                {paymentProviderWords.checkNow}
              </Button>
            )
          )}
          <ActionMenu name={name} of={{ connection, name }} actions={actions} bordered />
        </div>
      </div>
      {refused && <Message kind="error">{explainRefusal(refused)}</Message>}
      {forward ? (
        <Unreached name={name} command={`${forward} ${webhookUrl}`} />
      ) : (
        stateReason && <Trouble reason={stateReason} />
      )}
      {byKey && !webhookSecretSet && !forward && <SigningSecret connection={connection} offer={offer} name={name} />}
      {awaitsFirst && <WebhookUrl connection={connection} offer={offer} />}
      {last && <PastSales imported={last} name={name} />}
      {imports && !last && offer?.canImportPastSales && state === 'connected' && (
        <div className="row between">
          <p className="muted small">{paymentProviderWords.past.first}</p>
          <Button small needs={importPastSales} onClick={importPast}>
            {paymentProviderWords.past.open}
          </Button>
        </div>
      )}
      <Known connection={connection} name={name} />
    </section>
  )
}

const needsHttps = (reason: string | null) => reason?.includes('APP_URL') ?? false

/** Shows the reason's first sentence as the trouble, the rest as what to do about it. */
function Trouble({ reason }: { reason: string }) {
  const [what = '', ...rest] = reason.split(/(?<=\.) /)
  return (
    <Message kind="warning">
      <strong>{what}</strong> {rest.join(' ')}
      {needsHttps(reason) && (
        <>
          {' '}
          <a href={HTTPS_STEPS}>{paymentProviderWords.setHttps}</a>
        </>
      )}
    </Message>
  )
}

/** Shown for an address on http: a local test needs no https, events forwarded by the provider's command. */
function Unreached({ name, command }: { name: string; command: string }) {
  return (
    <Message
      kind="warning"
      action={
        <>
          <CopyButton small value={command} label={basicWords.actions.copy} />
          <a href={HTTPS_STEPS}>{paymentProviderWords.setHttps}</a>
        </>
      }
    >
      {paymentProviderWords.unreached({ provider: name })}
      <CodeBlock>{command}</CodeBlock>
    </Message>
  )
}

function Known({ connection, name }: { connection: ProviderConnection; name: string }) {
  const { timeZone } = useAccount()
  const { accountName, providerAccountIdentifier, defaultCurrency, lastEventAt, eventsLast24h, state } = connection
  const isLate = state === 'attention' && eventsLast24h === 0
  const facts: { label: string; value: ReactNode }[] = [
    { label: fieldWords.account, value: accountName ?? providerAccountIdentifier ?? basicWords.absent },
    { label: fieldWords.currency, value: defaultCurrency?.toUpperCase() ?? basicWords.absent },
    {
      label: paymentProviderWords.lastEvent,
      value: lastEventAt ? (
        <span title={formatLongDateTime(lastEventAt, timeZone)} className={isLate ? 'strong warning' : undefined}>
          {formatAgo(lastEventAt, timeZone)}
        </span>
      ) : (
        paymentProviderWords.never
      ),
    },
  ]
  return (
    <dl aria-label={paymentProviderWords.facts({ provider: name })} className={styles.facts}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt className="muted small">{label}</dt>
          <dd className="wrap">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const Disconnect = exposeAction(
  defineAction(disconnectProvider, ({ connection, name }: Connected) => ({
    heading: paymentProviderWords.disconnectHeading({ provider: name }),
    submit: paymentProviderWords.disconnect,
    why: paymentProviderWords.disconnectText({ provider: name }),
    done: paymentProviderWords.disconnected({ provider: name }),
    send: { params: { id: connection.accountId }, body: { connectionId: connection.id } },
  })),
  { label: paymentProviderWords.disconnect, danger: true },
)

type Replaced = { connection: ProviderConnection; offer: AvailableProvider; by: 'same' | 'live' }

/**
 * Replaces the credentials of the same provider account, with `by` 'live' by live-mode ones; empty fields keep their
 * value.
 */
const Replace = defineFormAction(changeConnection, ConnectionChange, ({ connection, offer, by }: Replaced) => {
  const { name, fields } = offer
  return {
    heading: by === 'live' ? paymentProviderWords.goLiveHeading({ provider: name }) : paymentProviderWords.replace,
    why: (by === 'live' ? paymentProviderWords.goLiveWhy : paymentProviderWords.replaceWhy)({ provider: name }),
    submit: by === 'live' ? paymentProviderWords.goLive : undefined,
    done: (by === 'live' ? paymentProviderWords.live : paymentProviderWords.replaced)({ provider: name }),
    initial: { credentials: Object.fromEntries(fields.map(({ key }) => [key, ''])) as Record<string, string> },
    check: ({ credentials }) =>
      (by === 'live' ? fields.slice(0, 1) : fields).some(({ key }) => credentials[key]?.trim())
        ? {}
        : { [`credentials.${fields[0]?.key}`]: paymentProviderWords.nothingNew },
    send: (body) => ({ params: { id: connection.accountId, connectionId: connection.id }, body }),
    fields: ({ field }) =>
      fields.map(({ key, label, optional }, at) => (
        <CredentialField
          key={key}
          {...field(`credentials.${key}`, label)}
          optional={by === 'same' || optional}
          autoComplete="off"
          data-first-focus={at === 0 || undefined}
        />
      )),
  }
})
