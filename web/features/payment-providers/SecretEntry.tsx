import type { ComponentProps } from 'react'
import { PasswordField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'

/** A key or secret that is typed or pasted, hidden until its eye is pressed: 'Show Restricted Key'. */
export function SecretEntry(props: Omit<ComponentProps<typeof PasswordField>, 'showLabel'>) {
  return <PasswordField {...props} showLabel={t('paymentProviders.show', { label: props.label })} />
}
