import type { ComponentProps } from 'react'
import { PasswordField } from '../../ui/fields.tsx'
import { paymentProviderWords } from '../../words/payment-providers.ts'

/** A field for a key or secret, hidden until revealed. The reveal button's name does not repeat the label. */
export function CredentialField(props: Omit<ComponentProps<typeof PasswordField>, 'showLabel'>) {
  const isKey = /key$/i.test(props.label)
  return <PasswordField {...props} showLabel={isKey ? paymentProviderWords.showKey : paymentProviderWords.showSecret} />
}
