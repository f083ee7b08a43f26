import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  type AvailableProvider,
  connectProvider,
  NewConnection,
  type ProviderConnection,
} from '#contract/payment-providers.ts'
import { HowItWorks } from '../../shared/HowItWorks.tsx'
import { PlayThrough } from '../../shared/PlayThrough.tsx'
import { availableProvidersQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { paymentProvidersQuery } from '../../shell/queries.ts'
import { useStart } from '../../ui/actions.tsx'
import { TextField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { basicWords } from '../../words/basic.ts'
import { paymentProviderWords } from '../../words/payment-providers.ts'
import { pageWords, providerWords } from '../../words/shell.ts'
import { ConnectionCard } from './ConnectionCard.tsx'
import { CredentialField } from './CredentialField.tsx'
import { connectLabel } from './connect-label.ts'
import { OfferCard } from './OfferCard.tsx'
import styles from './PaymentProviders.module.css'

export function PaymentProviders() {
  const { id } = useAccount()
  const offers = useQuery(availableProvidersQuery(id))
  const connections = useQuery(paymentProvidersQuery(id))
  const failed = offers.error ?? connections.error
  return (
    <Page heading={pageWords.paymentProviders} actions={<PlayThrough accountId={id} />}>
      <HowItWorks of="payment-providers" unused={connections.data?.items.length === 0} />
      {offers.data && connections.data ? (
        <Cards offers={offers.data.items} connections={connections.data.items} />
      ) : (
        <Panel>
          {failed ? (
            <Failed
              onRetry={() => {
                offers.refetch()
                connections.refetch()
              }}
              busy={offers.isFetching || connections.isFetching}
              why={failed.message}
            />
          ) : (
            <Skeleton rows={4} />
          )}
        </Panel>
      )}
    </Page>
  )
}

type CardsProps = { offers: AvailableProvider[]; connections: ProviderConnection[] }

/** Connected providers in wide cards; available and former ones in small cards. */
function Cards({ offers, connections }: CardsProps) {
  const start = useStart()
  const standing = connections.filter(({ state }) => state !== 'disconnected')
  const others = offers.filter(({ provider }) => !standing.some((connection) => connection.provider === provider))
  return (
    <>
      {standing.map((connection) => (
        <ConnectionCard
          key={connection.id}
          connection={connection}
          offer={offers.find(({ provider }) => provider === connection.provider)}
          name={nameOf(offers, connection)}
        />
      ))}
      {standing.length > 0 && others.length > 0 && <h2>{paymentProviderWords.more}</h2>}
      {offers.length === 0 && standing.length === 0 && (
        <Panel>
          <Empty hint={paymentProviderWords.none} />
        </Panel>
      )}
      {others.length > 0 && (
        <ul className={`grid ${styles.offers}`}>
          {others.map((offer, at) => (
            <OfferCard
              key={offer.provider}
              offer={offer}
              first={standing.length === 0 && at === 0}
              former={connections.find(({ provider }) => provider === offer.provider)}
              onConnect={() => start(Connect, offer)}
            />
          ))}
        </ul>
      )}
      <p className="muted small linked">
        {paymentProviderWords.another}
        <Link to="/integrations/push-data">{pageWords.pushData}</Link>
        {paymentProviderWords.anotherEnd}
      </p>
    </>
  )
}

const nameOf = (offers: AvailableProvider[], { provider }: ProviderConnection) =>
  offers.find((offer) => offer.provider === provider)?.name ?? providerWords[provider as 'stripe']

type CreateKeyProps = { url: string; name: string; help: string | null }

/** The provider's page that creates the key with the rights it needs, before what these are. */
const CreateKey = ({ url, name, help }: CreateKeyProps) => (
  <>
    <a href={url} target="_blank" rel="noopener noreferrer" className="strong">
      {paymentProviderWords.createKey({ provider: name })}
    </a>
    <br />
    {help}
  </>
)

/** Collects the fields that the provider declares; a refused key is reported at its field. */
const Connect = defineFormAction(connectProvider, NewConnection, ({ provider, name, fields }: AvailableProvider) => {
  const { id } = useAccount()
  return {
    heading: connectLabel({ provider, name }),
    done: paymentProviderWords.connected({ provider: name }),
    initial: {
      provider,
      credentials: Object.fromEntries(fields.map(({ key }) => [key, ''])) as Record<string, string>,
    },
    check: ({ credentials }) =>
      Object.fromEntries(
        fields
          .filter(({ key, optional }) => !optional && !credentials[key]?.trim())
          .map(({ key, label }) => [`credentials.${key}`, basicWords.rules.required({ label })]),
      ),
    send: (body) => ({ params: { id }, body }),
    fields: ({ field }) =>
      fields.map(({ key, label, help, secret, optional, createUrl }, at) => {
        const Control = secret ? CredentialField : TextField
        return (
          <Control
            key={key}
            {...field(`credentials.${key}`, label)}
            help={createUrl ? <CreateKey url={createUrl} name={name} help={help} /> : help}
            optional={optional}
            autoComplete="off"
            data-first-focus={at === 0 || undefined}
          />
        )
      }),
  }
})
