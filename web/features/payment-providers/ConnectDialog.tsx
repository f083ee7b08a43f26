import { type AvailableProvider, connectProvider, NewConnection } from '#contract/payment-providers.ts'
import { useAccount } from '../../shell/current.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { basicWords } from '../../words/basic.ts'
import { paymentProviderWords } from '../../words/payment-providers.ts'
import { CredentialField } from './CredentialField.tsx'

/** Collects the fields that the provider declares; a refused key is reported at its field. */
export function ConnectDialog({ offer, onClose }: { offer: AvailableProvider; onClose: () => void }) {
  const { id } = useAccount()
  const { provider, name, fields } = offer
  const form = useContractForm(NewConnection, {
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
  })
  const connect = useDialogCall(connectProvider, {
    done: paymentProviderWords.connected({ provider: name }),
    onClose,
  })
  return (
    <FormDialog
      heading={paymentProviderWords.connect({ provider: name })}
      form={form}
      save={connect}
      onSubmit={(body) => connect.mutate({ params: { id }, body })}
      onClose={onClose}
    >
      {fields.map(({ key, label, help, secret, optional }, at) => {
        const Control = secret ? CredentialField : TextField
        return (
          <Control
            key={key}
            {...form.field(`credentials.${key}`, label)}
            help={help}
            optional={optional}
            autoComplete="off"
            data-first-focus={at === 0 || undefined}
          />
        )
      })}
    </FormDialog>
  )
}
