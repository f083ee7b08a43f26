import type { ComponentProps } from 'react'
import { PasswordField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'

/** A key or secret that is typed or pasted, hidden until its eye is pressed. The eye's name does not repeat the label. */
export function SecretEntry(props: Omit<ComponentProps<typeof PasswordField>, 'showLabel'>) {
  const isKey = /key$/i.test(props.label)
  return <PasswordField {...props} showLabel={t(isKey ? 'paymentProviders.showKey' : 'paymentProviders.showSecret')} />
}
