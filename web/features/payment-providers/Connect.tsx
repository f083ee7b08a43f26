import { type AvailableProvider, connectProvider, NewConnection } from '#contract/payment-providers.ts'
import { useAccount } from '../../shell/current.ts'
import { TextField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { basicWords } from '../../words/basic.ts'
import { paymentProviderWords } from '../../words/payment-providers.ts'
import { CredentialField } from './CredentialField.tsx'
import { connectLabel } from './connect-label.ts'

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
export const Connect = defineFormAction(
  connectProvider,
  NewConnection,
  ({ provider, name, fields }: AvailableProvider) => {
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
  },
)
