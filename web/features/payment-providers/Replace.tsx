import {
  type AvailableProvider,
  ConnectionChange,
  changeConnection,
  type ProviderConnection,
} from '#contract/payment-providers.ts'
import { defineFormAction } from '../../ui/form-act.tsx'
import { paymentProviderWords } from '../../words/payment-providers.ts'
import { CredentialField } from './CredentialField.tsx'

type Replaced = { connection: ProviderConnection; offer: AvailableProvider; by: 'same' | 'live' }

/**
 * Replaces the credentials of the same provider account, with `by` 'live' by live-mode ones; empty fields keep their
 * value.
 */
export const Replace = defineFormAction(changeConnection, ConnectionChange, ({ connection, offer, by }: Replaced) => {
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
