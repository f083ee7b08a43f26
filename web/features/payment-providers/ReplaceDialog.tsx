import {
  type AvailableProvider,
  type Connection,
  ConnectionChange,
  changeConnection,
} from '#contract/payment-providers.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { t } from '../../words.ts'
import { SecretEntry } from './SecretEntry.tsx'

type Props = { connection: Connection; offer: AvailableProvider; onClose: () => void }

/** New credentials of the same account at the provider; what is left empty stays. */
export function ReplaceDialog({ connection: { id: connectionId, accountId }, offer, onClose }: Props) {
  const { name, fields } = offer
  const form = useContractForm(ConnectionChange, {
    initial: { credentials: Object.fromEntries(fields.map(({ key }) => [key, ''])) as Record<string, string> },
    check: ({ credentials }) =>
      fields.some(({ key }) => credentials[key]?.trim())
        ? {}
        : { [`credentials.${fields[0]?.key}`]: t('paymentProviders.nothingNew') },
  })
  const replace = useDialogCall(changeConnection, {
    done: t('paymentProviders.replaced', { provider: name }),
    onClose,
  })
  return (
    <FormDialog
      heading={t('paymentProviders.replace')}
      about={connectionId}
      why={t('paymentProviders.replaceWhy', { provider: name })}
      form={form}
      save={replace}
      onSubmit={(body) => replace.mutate({ params: { id: accountId, connectionId }, body })}
      onClose={onClose}
    >
      {fields.map(({ key, label }, at) => (
        <SecretEntry
          key={key}
          {...form.field(`credentials.${key}`, label)}
          optional
          autoComplete="off"
          data-first-focus={at === 0 || undefined}
        />
      ))}
    </FormDialog>
  )
}
