import type { FormWith } from '../../ui/contract-form.tsx'
import { PasswordField } from '../../ui/fields.tsx'
import { fieldWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import type { AuthValues } from './auth.ts'

type Props = {
  form: FormWith<{ auth: AuthValues }>
  type: AuthValues['type']
  optional?: boolean
  placeholder?: string
  help: string
}

/** The secret alone, of a sender whose proof is known otherwise; nothing if its URL is the secret. */
export function SecretField({ form: { field }, type, ...rest }: Props) {
  if (type === 'url-secret') return null
  const secret =
    type === 'basic' ? field('auth.password', fieldWords.password) : field('auth.secret', incomingWebhookWords.secret)
  return <PasswordField {...secret} {...rest} autoComplete="off" showLabel={incomingWebhookWords.showSecret} />
}
