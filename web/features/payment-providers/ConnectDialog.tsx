import { type AvailableProvider, connectProvider, NewConnection } from '#contract/payment-providers.ts'
import { useCall } from '../../calls.ts'
import { Form, FormActions, useContractForm } from '../../ui/contract-form.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { useAccount } from '../shell/current.ts'
import { changed } from './queries.ts'
import { SecretEntry } from './SecretEntry.tsx'

/** Asks for what the provider declares it needs; its refusal of a key stands on the key. */
export function ConnectDialog({ offer, onClose }: { offer: AvailableProvider; onClose: () => void }) {
  const { id } = useAccount()
  const { provider, name, fields } = offer
  const heading = t('paymentProviders.connect', { provider: name })
  const form = useContractForm(NewConnection, {
    initial: {
      provider,
      credentials: Object.fromEntries(fields.map(({ key }) => [key, ''])) as Record<string, string>,
    },
    check: ({ credentials }) =>
      Object.fromEntries(
        fields
          .filter(({ key, optional }) => !optional && !credentials[key]?.trim())
          .map(({ key, label }) => [`credentials.${key}`, t('rules.required', { label })]),
      ),
  })
  const connect = useCall(connectProvider, {
    refresh: changed,
    onSuccess: () => {
      toast(t('paymentProviders.connected', { provider: name }))
      onClose()
    },
  })
  return (
    <Dialog heading={heading} busy={connect.busy} onClose={onClose}>
      <Form
        inDialog
        form={form}
        save={connect}
        label={heading}
        onSubmit={(body) => connect.mutate({ params: { id }, body })}
      >
        {fields.map(({ key, label, help, secret, optional }, at) => {
          const Control = secret ? SecretEntry : TextField
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
        <FormActions submit={heading} cancel={onClose} />
      </Form>
    </Dialog>
  )
}
