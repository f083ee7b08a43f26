import {
  type AvailableProvider,
  type Connection,
  ConnectionChange,
  changeConnection,
} from '#contract/payment-providers.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { paymentProviderWords } from '../../words/payment-providers.ts'
import { CredentialField } from './CredentialField.tsx'

type Props = { connection: Connection; offer: AvailableProvider; by: 'same' | 'live'; onClose: () => void }

/**
 * Replaces the credentials of the same provider account, with `by` 'live' by live-mode ones; empty fields keep their
 * value.
 */
export function ReplaceDialog({ connection: { id: connectionId, accountId }, offer, by, onClose }: Props) {
  const { name, fields } = offer
  const form = useContractForm(ConnectionChange, {
    initial: { credentials: Object.fromEntries(fields.map(({ key }) => [key, ''])) as Record<string, string> },
    check: ({ credentials }) =>
      (by === 'live' ? fields.slice(0, 1) : fields).some(({ key }) => credentials[key]?.trim())
        ? {}
        : { [`credentials.${fields[0]?.key}`]: paymentProviderWords.nothingNew },
  })
  const replace = useDialogCall(changeConnection, {
    done: (by === 'live' ? paymentProviderWords.live : paymentProviderWords.replaced)({ provider: name }),
    onClose,
  })
  return (
    <FormDialog
      heading={by === 'live' ? paymentProviderWords.goLiveHeading({ provider: name }) : paymentProviderWords.replace}
      why={(by === 'live' ? paymentProviderWords.goLiveWhy : paymentProviderWords.replaceWhy)({ provider: name })}
      submit={by === 'live' ? paymentProviderWords.goLive : undefined}
      form={form}
      save={replace}
      onSubmit={(body) => replace.mutate({ params: { id: accountId, connectionId }, body })}
      onClose={onClose}
    >
      {fields.map(({ key, label, optional }, at) => (
        <CredentialField
          key={key}
          {...form.field(`credentials.${key}`, label)}
          optional={by === 'same' || optional}
          autoComplete="off"
          data-first-focus={at === 0 || undefined}
        />
      ))}
    </FormDialog>
  )
}
